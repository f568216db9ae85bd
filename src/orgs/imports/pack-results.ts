import type { PackedResults } from './import-journal.sql.ts'

/** The result of one record of a batch. */
export interface ImportResult {
  readonly id?: string
  readonly success: boolean
  readonly created?: boolean
  readonly errors: readonly object[]
  /** For a tree: the ids of its records by reference. */
  readonly references?: Readonly<Record<string, string>>
}

type Details = Readonly<
  Record<number, Pick<ImportResult, 'references'> & { readonly errors?: readonly object[] }>
>

const FLAGS = { true: '1', false: '0', undefined: '-' } as const
const CREATED: Readonly<Record<string, boolean>> = { 1: true, 0: false }

/** Packs results. A successful record needs no more than its id. */
export function packResults(results: readonly ImportResult[]): PackedResults {
  const details: Record<number, object> = {}
  for (const [index, { success, errors, references }] of results.entries()) {
    if (!success || references !== undefined) details[index] = success ? { references } : { errors }
  }
  const flagged = results.some(({ created }) => created !== undefined)
  return {
    ids: results.map(({ id }) => id ?? null),
    created: flagged ? results.map(({ created }) => FLAGS[`${created}`]).join('') : null,
    details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
  }
}

export function unpackResults({ ids, created: flags, details }: PackedResults): ImportResult[] {
  const byIndex: Details = details === null ? {} : JSON.parse(details)
  return ids.map((id, index) => {
    const { errors, references } = byIndex[index] ?? {}
    const created = CREATED[flags?.[index] ?? '-']
    return {
      ...(id === null ? {} : { id }),
      success: errors === undefined,
      errors: errors ?? [],
      ...(created === undefined ? {} : { created }),
      ...(references === undefined ? {} : { references }),
    }
  })
}
