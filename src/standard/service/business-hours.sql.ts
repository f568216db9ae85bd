import { derivedRecordId } from '../../base/record-id.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** The id of the business hours that every org has from the start. Nobody deletes them. */
export const FIRST_BUSINESS_HOURS_ID = derivedRecordId('01m', '01m')

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The columns with the start and the end of each day. */
const dayColumns = (makeColumn: (name: string) => Sql): Sql =>
  sql.join(
    WEEKDAYS.flatMap((day) =>
      ['starttime', 'endtime'].map((end) => makeColumn(`${day.toLowerCase()}${end}`)),
    ),
  )

const hours = (org: Org) => sql.id(org.schemaName, 'businesshours')

/** Business hours as they are stored: times are `09:00:00`. */
export type StoredHours = {
  readonly id: string
  readonly isactive: boolean
  readonly isdefault: boolean
} & Readonly<Record<string, string | boolean | null>>

export const businessHoursSql = {
  /** Adds the first business hours, unless they are there: around the clock, in the time zone of the org, and made with it. */
  addFirst: (org: Org): Sql =>
    sql`insert into ${hours(org)} (id, name, isactive, isdefault, ${dayColumns((name) => sql.id(name))}, timezonesidkey,
                                   createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
        select ${FIRST_BUSINESS_HOURS_ID}, 'Default', true, true, ${dayColumns(() => sql`'00:00'::time`)}, timezonesidkey,
               createddate, createdbyid, createddate, createdbyid, createddate
        from ${sql.id(org.schemaName, 'organization')}
        where not exists (select from ${hours(org)} where id = ${FIRST_BUSINESS_HOURS_ID})
        limit 1`,

  /** All business hours, locked in one order, so that one write at a time says which are the default. */
  lock: (org: Org): Sql =>
    sql`select id, isactive, isdefault, ${dayColumns((name) => sql.id(name))}
        from ${hours(org)} order by id for no key update`,

  /** Leaves the last default among the written ones the only one, if there is one among them. */
  keepOneDefault: (org: Org, ids: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`update ${hours(org)} other set isdefault = false, systemmodstamp = ${timestampSql(timestamp)}
        from (select max(id) as id from ${hours(org)} where id = any(${ids}::text[]) and isdefault) kept
        where other.isdefault and other.id <> kept.id`,
}
