import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const table = (org: Org) => sql.id(org.schemaName, '_login')

/** So many log-ins of an org are kept, the newest. (docs/reference/api/metadata.md#objects-that-the-platform-fills) */
const MAX_KEPT = sql`10000`

type Nullable<Type> = { readonly [Name in keyof Type]: Type[Name] | null }

/** By which API a user logged in, where that was not the token endpoint. */
export interface LoginApi {
  /** The name that the client gives itself. */
  readonly clientName: string
  readonly apiType: string
  readonly apiVersion: string
}

/** A token that was issued to a user, and through which app. */
export interface LoginRow extends Nullable<LoginApi> {
  readonly userId: string
  readonly clientId: string
  /** Address of the client as returned by `addressKey`. */
  readonly address: string | null
  readonly time: string
}

export const loginSql = {
  createTable: (org: Org): Sql[] => [
    sql`create table ${table(org)} (
          id bigint generated always as identity primary key,
          user_id text collate "C" not null,
          client_id text not null,
          address text,
          login_time timestamptz(0) not null,
          client_name text,
          api_type text,
          api_version text)`,
  ],

  note(org: Org, rows: readonly LoginRow[]): Sql {
    const list = (name: keyof LoginRow) => sql`${rows.map((row) => row[name])}::text[]`
    return sql`insert into ${table(org)} (user_id, client_id, address, login_time, client_name, api_type, api_version)
               select user_id, client_id, address, login_time::timestamptz, client_name, api_type, api_version
               from unnest(${list('userId')}, ${list('clientId')}, ${list('address')}, ${list('time')},
                 ${list('clientName')}, ${list('apiType')}, ${list('apiVersion')})
                 as issued (user_id, client_id, address, login_time, client_name, api_type, api_version)`
  },

  /** Forgets the oldest. */
  forget: (org: Org): Sql =>
    sql`delete from ${table(org)} where id <= (select max(id) from ${table(org)}) - ${MAX_KEPT}`,
}
