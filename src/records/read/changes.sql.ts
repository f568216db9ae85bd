import { only } from '../../access/row-rules.sql.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Seconds since 1970; the end is excluded. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Reads along the index on the time of change and the id. */
export const changesSql = (
  org: Org,
  object: ObjectType,
  { start, end }: TimeRange,
  isDeleted: boolean,
  max: number,
  rule: Sql | undefined,
): Sql =>
  sql`select id, systemmodstamp from ${sql.id(org.schemaName, object.table)}
      where systemmodstamp >= ${fromSeconds(start)} and systemmodstamp < ${fromSeconds(end)}
        and ${sql.raw(isDeleted ? 'isdeleted' : 'not isdeleted')} ${only(rule)}
      order by systemmodstamp, id limit ${max}::integer`
