import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const fiscalYearSql = {
  /** @param lock whether nobody may change it until the transaction ends */
  load: (org: Org, lock: boolean): Sql =>
    sql`select fiscalyearstartmonth as "startMonth", usesstartdateasfiscalyearname as "isNamedByStart"
        from ${sql.id(org.schemaName, 'organization')} where id = ${org.id}${lock ? sql` for update` : sql``}`,
}

export const permissionSetSql = {
  /** Those of the permission sets that belong to a profile. */
  ofProfiles: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'permissionset')} where id = any(${ids}::text[]) and isownedbyprofile`,
}

/** Tells this lock from others of the server. */
const LOCK = 720260104

const users = (org: Org) => sql.id(org.schemaName, 'user')

export const nicknameSql = {
  /** Nicknames of an org are given one after the other, so that no two calls give the same. */
  lock: (org: Org): Sql =>
    sql`select pg_advisory_xact_lock(hashtextextended(${sql.raw(quoteText(org.schemaName))}, ${sql.raw(String(LOCK))}))`,

  /** The users with one of the nicknames, which are in lower case. */
  holders: (org: Org, nicknames: readonly string[]): Sql =>
    sql`select id, lower(communitynickname) as nickname from ${users(org)}
        where lower(communitynickname) = any(${nicknames}::text[])`,

  /** The nicknames, in lower case, that begin with one of the texts. */
  beginningWith: (org: Org, texts: readonly string[]): Sql =>
    sql`select lower(communitynickname) as nickname from ${users(org)}
        where exists (select from unnest(${texts}::text[]) as given (text) where starts_with(lower(communitynickname), given.text))`,
}

/** The records of an object that are not deleted. */
export async function countRecords(
  { org, db }: { readonly org: Org; readonly db: Db },
  object: string,
): Promise<number> {
  const statement = sql`select count(*)::integer as count from ${sql.id(org.schemaName, object.toLowerCase())} where not isdeleted`
  const [row] = await db.query<{ count: number }>(statement)
  return row!.count
}
