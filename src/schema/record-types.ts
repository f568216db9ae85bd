import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import type { ObjectDefinition, RecordType } from './definition.ts'
import { recordTypeSql } from './record-types.sql.ts'

interface Placed {
  readonly object: string
  readonly type: RecordType
}

const placed = (definitions: readonly ObjectDefinition[]): Placed[] =>
  definitions.flatMap(({ name, recordTypes = [] }) => recordTypes.map((type) => ({ object: name, type })))

/** The `RecordType` records follow the definitions: clients find them by a query. */
export async function syncRecordTypes(
  db: Db,
  org: Org,
  before: readonly ObjectDefinition[],
  after: readonly ObjectDefinition[],
): Promise<void> {
  const [known, wanted] = [placed(before), placed(after)]
  for (const { object, type } of wanted) {
    const old = known.find((other) => other.type.id === type.id)
    if (JSON.stringify(old?.type) !== JSON.stringify(type))
      await db.query(recordTypeSql.save(org, object, type))
  }
  const gone = known.filter(({ type }) => !wanted.some((other) => other.type.id === type.id))
  if (gone.length > 0)
    await db.query(
      recordTypeSql.remove(
        org,
        gone.map(({ type }) => type.id!),
      ),
    )
}
