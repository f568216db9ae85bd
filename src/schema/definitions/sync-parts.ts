import type { Sql } from '../../base/sql.ts'
import type { Db } from '../../storage/database/db.ts'
import type { ObjectDefinition } from './definition.ts'

/** Parts of objects that clients can query as records. */
export interface PartRecords<Part extends { readonly id?: string }> {
  readonly of: (definition: ObjectDefinition) => readonly Part[]
  /** Inserts or updates the record of a part. */
  readonly save: (object: string, part: Part) => Sql
  readonly remove: (ids: readonly string[]) => Sql
}

/** Updates the records of parts to match the definitions. */
export async function syncParts<Part extends { readonly id?: string }>(
  db: Db,
  before: readonly ObjectDefinition[],
  after: readonly ObjectDefinition[],
  { of, save, remove }: PartRecords<Part>,
): Promise<void> {
  const placed = (definitions: readonly ObjectDefinition[]) =>
    definitions.flatMap((definition) => of(definition).map((part) => ({ object: definition.name, part })))
  const [known, wanted] = [placed(before), placed(after)]
  const knownById = new Map(known.map(({ part }) => [part.id, part]))
  const wantedIds = new Set(wanted.map(({ part }) => part.id))
  for (const { object, part } of wanted) {
    if (JSON.stringify(knownById.get(part.id)) !== JSON.stringify(part)) await db.query(save(object, part))
  }
  const gone = known.filter(({ part }) => !wantedIds.has(part.id))
  if (gone.length > 0) await db.query(remove(gone.map(({ part }) => part.id!)))
}
