import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

/**
 * The expected describes of the project in `source-project`, in a form that can be read: of each field only the
 * keys that differ from `usual`, which has all 57 of them. `UPDATE_GOLDEN=1` writes it again; review the diff.
 */
const GOLDEN = join(import.meta.dirname, 'source-project.golden.json')

type Json = Record<string, unknown>

export interface Golden {
  readonly usual: Json
  /** Whole describes of custom objects. */
  readonly objects: Record<string, Json & { fields: Record<string, Json> }>
  /** Fields of standard objects that the project adds or changes. */
  readonly standard: Record<string, Record<string, Json>>
  readonly notes: readonly string[]
}

const beyond = (usual: Json, field: Json): Json =>
  Object.fromEntries(Object.entries(field).filter(([key, value]) => !isDeepStrictEqual(value, usual[key])))

/** Fields by their names, in their order, without what is usual. */
export const shorten = (usual: Json, fields: readonly Json[]): Record<string, Json> =>
  Object.fromEntries(
    fields.map((field) => {
      const { name: _, ...rest } = beyond(usual, field)
      return [field.name, rest]
    }),
  )

export const lengthen = (usual: Json, fields: Record<string, Json>): Json[] =>
  Object.entries(fields).map(([name, field]) => ({ ...usual, name, ...field }))

export const readGolden = (): Golden => JSON.parse(readFileSync(GOLDEN, 'utf8'))

export const writeGolden = (golden: Golden) => writeFileSync(GOLDEN, `${JSON.stringify(golden, null, 2)}\n`)
