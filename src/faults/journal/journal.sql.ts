import { sql } from '../../base/sql.ts'
import type { JournalEntry } from './journal-entry.ts'

const column = <Name extends keyof JournalEntry>(entries: readonly JournalEntry[], name: Name) =>
  entries.map((entry) => entry[name])

export const journalSql = {
  insert: (orgId: string, entries: readonly JournalEntry[]) =>
    sql`insert into objectry.call_journal
          (org_id, kind, is_counted, began_at, milliseconds, client_id, method, route, version, status, code, fault, sameness,
           sameness_in_any_version)
        select ${orgId}, made.* from unnest(
          ${column(entries, 'kind')}::text[], ${column(entries, 'isCounted')}::boolean[], ${column(entries, 'beganAt')}::float8[],
          ${column(entries, 'milliseconds')}::float8[], ${column(entries, 'clientId').map((id) => id ?? null)}::text[],
          ${column(entries, 'method')}::text[], ${column(entries, 'route')}::text[],
          ${column(entries, 'version')}::text[], ${column(entries, 'status')}::integer[],
          ${column(entries, 'code')}::text[], ${column(entries, 'fault')}::text[],
          ${column(entries, 'sameness')}::text[], ${column(entries, 'samenessInAnyVersion')}::text[]) as made`,

  /** The newest entries of an org, oldest first. */
  newest: (orgId: string, max: number) =>
    sql`select kind, is_counted as "isCounted", began_at as "beganAt", milliseconds, client_id as "clientId", method, route, version, status, code,
               fault, sameness, sameness_in_any_version as "samenessInAnyVersion"
        from (select * from objectry.call_journal where org_id = ${orgId}
              order by began_at desc, number desc limit ${max}::integer) newest
        order by began_at, number`,

  clear: (orgId: string) => sql`delete from objectry.call_journal where org_id = ${orgId}`,

  /** Deletes entries past their retention. */
  deleteOld: (orgId: string, before: number) =>
    sql`delete from objectry.call_journal where org_id = ${orgId} and began_at < ${before}::float8`,
}
