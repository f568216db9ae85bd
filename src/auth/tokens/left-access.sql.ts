import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const TOKENS = ['session', 'refresh_token', 'authorization_code', 'device_code'] as const

/** Who holds tokens or codes of an org, by a column of their tables. A used code is kept only to notice its second use. */
const holders = (org: Org, column: Sql, tables: readonly string[]) =>
  sql.join(
    tables.map((name) => {
      const isOpen = name === 'authorization_code' ? sql` and used_at is null` : sql``
      return sql`select ${column} as id from ${sql.id('objectry', name)} where org_id = ${org.id}${isOpen}`
    }),
    ' union ',
  )

export const leftAccessSql = {
  /** Clients that have tokens or codes in the org, and are none of these. */
  clientsBut: (org: Org, working: readonly string[]) =>
    sql`select id from (${holders(org, sql`client_id`, TOKENS)}) holder where id <> all(${working}::text[])`,

  /** Users that have tokens, codes or browser sessions in the org, and are inactive or do not exist there. */
  users: (org: Org) =>
    sql`select holder.id, person.id is not null as "isInactive"
        from (${holders(org, sql`user_id`, [...TOKENS, 'browser_session'])}) holder
        left join ${sql.id(org.schemaName, 'user')} person on person.id = holder.id
        where holder.id is not null and person.isactive is not true`,
}
