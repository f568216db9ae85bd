import { call, data } from '../../api/client.ts'
import { textOf } from '../../components/grid/CellText.tsx'
import type { Row } from './columns.ts'

/* Edits that are staged in the grid and saved together: by record, the values that fields are to have. */

interface Edit {
  readonly object: string
  /** By field: what it was when it was read, and what it is to be. */
  readonly fields: Readonly<Record<string, { readonly was: unknown; readonly is: unknown }>>
  /** Why it was not saved. */
  readonly problem?: EditProblem | undefined
}

interface EditProblem {
  readonly message: string
  /** The fields that are named as the cause; none: the record as a whole. */
  readonly fields: readonly string[]
}

export type Edits = Readonly<Record<string, Edit>>

export function stage(edits: Edits, row: Row, object: string, field: string, is: unknown): Edits {
  const id = String(row.Id)
  const before = edits[id]
  const was = before?.fields[field] === undefined ? (row[field] ?? null) : before.fields[field].was
  const { [field]: _, ...others } = before?.fields ?? {}
  const fields = was === is ? others : { ...others, [field]: { was, is } }
  const { [id]: __, ...rest } = edits
  return Object.keys(fields).length === 0 ? rest : { ...rest, [id]: { object, fields } }
}

/** Why the edit of a field was not saved; undefined if another field is the cause. */
export const problemAt = ({ problem, fields }: Edit, field: string): string | undefined =>
  problem !== undefined &&
  field in fields &&
  (problem.fields.includes(field) || !problem.fields.some((name) => name in fields))
    ? problem.message
    : undefined

interface Saved {
  readonly id: string
  readonly success: boolean
  readonly errors: readonly {
    readonly message: string
    readonly statusCode: string
    readonly fields: readonly string[]
  }[]
}

/** The bound of a collection. */
const AT_ONCE = 200

/** By id, why an edit must not be saved: somebody else changed the same field meanwhile. */
async function findConflicts(ids: readonly string[], edits: Edits): Promise<Map<string, Edit>> {
  const { object } = edits[ids[0]!]!
  const fields = [...new Set(ids.flatMap((id) => Object.keys(edits[id]!.fields)))]
  const { body } = await call<readonly (Row | null)[]>(data(`/composite/sobjects/${object}`), {
    method: 'POST',
    body: { ids, fields: ['Id', ...fields] },
  })
  const conflicts = new Map<string, Edit>()
  body.forEach((now, index) => {
    const id = ids[index]!
    const edit = edits[id]!
    if (now === null) return
    // Compared as texts: a document is another object each time it is read.
    const changed = Object.entries(edit.fields).filter(
      ([field, { was }]) => textOf(now[field]) !== textOf(was),
    )
    if (changed.length === 0) return
    const words = changed.map(
      ([field]) => `${field} is ${textOf(now[field]) === '' ? 'empty' : `“${textOf(now[field])}”`} by now`,
    )
    conflicts.set(id, {
      ...edit,
      // Saving once more writes over what the user has been told.
      fields: {
        ...edit.fields,
        ...Object.fromEntries(changed.map(([field, { is }]) => [field, { was: now[field] ?? null, is }])),
      },
      problem: {
        message: `Somebody else changed this: ${words.join(', ')}. Save again to write over it.`,
        fields: changed.map(([field]) => field),
      },
    })
  })
  return conflicts
}

/** Saves with one call for each 200 records. What could not be saved is left, with its reason. */
export async function saveEdits(edits: Edits): Promise<{ saved: readonly string[]; left: Edits }> {
  const left: Record<string, Edit> = {}
  const saved: string[] = []
  const byObject = Map.groupBy(Object.keys(edits), (id) => edits[id]!.object)
  for (const [object, all] of byObject)
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const ids = all.slice(from, from + AT_ONCE)
      const conflicts = await findConflicts(ids, edits)
      for (const [id, edit] of conflicts) left[id] = edit
      const sent = ids.filter((id) => !conflicts.has(id))
      if (sent.length === 0) continue
      const records = sent.map((id) => ({
        attributes: { type: object },
        Id: id,
        ...Object.fromEntries(Object.entries(edits[id]!.fields).map(([field, { is }]) => [field, is])),
      }))
      const { body } = await call<readonly Saved[]>(data('/composite/sobjects'), {
        method: 'PATCH',
        body: { allOrNone: false, records },
      })
      body.forEach(({ success, errors }, index) => {
        const id = sent[index]!
        if (success) saved.push(id)
        else
          left[id] = {
            ...edits[id]!,
            problem: {
              message: errors.map(({ message, statusCode }) => `${statusCode}: ${message}`).join('\n'),
              fields: errors.flatMap(({ fields }) => fields ?? []),
            },
          }
      })
    }
  return { saved, left }
}
