import { type Sql, sql } from '../../base/sql.ts'
import { type Timestamp, timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ObjectType } from './object-type.ts'

/** The table of an object in an org. */
export const table = (org: Org, object: ObjectType): Sql => sql.id(org.schemaName, object.table)

/**
 * Column with the id of the deletion that deleted a record; null for a live record. An undelete restores the records of
 * one deletion together. It is not a field.
 */
export const DELETION = '_deletion'

/** The author and the time of a write. */
export interface AuditFields {
  readonly userId: string
  readonly timestamp: Timestamp
}

/** Every record has these columns; `created` has the values of all but the id. */
export const SYSTEM_COLUMNS = [
  'id',
  'createddate',
  'createdbyid',
  'lastmodifieddate',
  'lastmodifiedbyid',
  'systemmodstamp',
] as const

/** Assignments of the audit fields that a change sets. */
export const touched = ({ userId, timestamp }: AuditFields) =>
  sql`lastmodifieddate = ${timestampSql(timestamp)}, lastmodifiedbyid = ${userId}, systemmodstamp = ${timestampSql(timestamp)}`

/** The values of `touched`, in their order. */
export const touching = ({ userId, timestamp: { time, ahead } }: AuditFields) => [
  time,
  ahead,
  userId,
  time,
  ahead,
]

/** The audit fields of a new record: all system columns but the id. */
export function created({ userId, timestamp }: AuditFields): Sql {
  const at = timestampSql(timestamp)
  return sql`${at}, ${userId}, ${at}, ${userId}, ${at}`
}

/** The values of `created`, in their order. */
export const creating = ({ userId, timestamp: { time, ahead } }: AuditFields) => [
  ...[time, ahead, userId],
  ...[time, ahead, userId],
  ...[time, ahead],
]
