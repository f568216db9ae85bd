import { type Sql, sql } from '../../base/sql.ts'
import { fromSeconds, type Timestamp, timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const table = (org: Org) => sql.id(org.schemaName, 'connectedapplication')

/** Columns of the record by the names in `AppSettings`. */
const COLUMNS = {
  name: 'name',
  description: 'description',
  callbackUrls: 'callbackurls',
  scopes: 'scopes',
  permittedUsers: 'permittedusers',
  enableClientCredentials: 'enableclientcredentials',
  runAsUserId: 'runasuserid',
  enableJwtBearer: 'enablejwtbearer',
  certificates: 'certificates',
  enableDeviceFlow: 'enabledeviceflow',
  requireSecretForWebFlow: 'requiresecretforwebflow',
  requireSecretForRefresh: 'requiresecretforrefresh',
  requirePkce: 'requirepkce',
  refreshTokenPolicy: 'refreshtokenpolicy',
  refreshTokenHours: 'refreshtokenhours',
  rotateRefreshTokens: 'rotaterefreshtokens',
  sessionMinutes: 'sessionminutes',
  dailyCallBudget: 'dailycallbudget',
  introspectAll: 'introspectall',
  isBlocked: 'isblocked',
} as const

/** Lists are stored as in the record's fields: one item per line, or separated by semicolons. */
export type AppRow = Readonly<Record<keyof typeof COLUMNS, string | number | boolean | null>>

const selectList = sql.join(
  Object.entries(COLUMNS).map(([name, column]) => sql`${sql.id(column)} as ${sql.id(name)}`),
)

interface NewAppRecord {
  readonly id: string
  readonly clientId: string
  readonly values: AppRow
  readonly userId: string
  /** As records store it. */
  readonly timestamp: Timestamp
}

const secrets = sql`secret, old_secret as "oldSecret", extract(epoch from old_secret_until)::float8 as "oldSecretUntil"`

export const appSql = {
  findClient: (clientId: string) =>
    sql`select client.client_id as "clientId", ${secrets},
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.client client join objectry.org org on org.id = client.org_id
        where client.client_id = ${clientId}`,

  findRecord: (org: Org, clientId: string) =>
    sql`select id, ${selectList} from ${table(org)} where consumerkey collate "C" = ${clientId} and not isdeleted`,

  budget: (org: Org, clientId: string) =>
    sql`select dailycallbudget as budget from ${table(org)}
        where consumerkey collate "C" = ${clientId} and not isdeleted`,

  /** The apps of the org before what every org has. */
  list: (org: Org, builtIn: string) =>
    sql`select id, consumerkey as "clientId", ${selectList} from ${table(org)}
        where consumerkey is not null and not isdeleted order by consumerkey = ${builtIn}, createddate, id`,

  clients: (org: Org) =>
    sql`select client_id as "clientId", secret is not null as "hasSecret"
        from objectry.client where org_id = ${org.id}`,

  insertRecord(org: Org, { id, clientId, values, userId, timestamp }: NewAppRecord): Sql {
    const all = {
      id,
      consumerkey: clientId,
      ...Object.fromEntries(
        Object.entries(COLUMNS).map(([name, column]) => [column, values[name as keyof AppRow]]),
      ),
      createddate: timestampSql(timestamp),
      createdbyid: userId,
      lastmodifieddate: timestampSql(timestamp),
      lastmodifiedbyid: userId,
      systemmodstamp: timestampSql(timestamp),
    }
    const columns = Object.keys(all).map((name) => sql.id(name))
    const own = Object.values(all).map((value) => sql`${value}`)
    return sql`insert into ${table(org)} (${sql.join(columns)}) values (${sql.join(own)})`
  },

  /** Inserts nothing if another org has a client with this id. */
  insertClient: (org: Org, clientId: string, secret: string | null) =>
    sql`insert into objectry.client (org_id, client_id, secret) values (${org.id}, ${clientId}, ${secret})
        on conflict (client_id) do nothing returning client_id as "clientId"`,

  rotate: (org: Org, clientId: string, secret: string, until: number | null) =>
    sql`update objectry.client
        set old_secret = case when ${until}::float8 is null then null else secret end,
            old_secret_until = ${fromSeconds(until)},
            secret = ${secret}
        where client_id = ${clientId} and org_id = ${org.id} returning client_id as "clientId"`,

  setBlocked: (org: Org, clientId: string, isBlocked: boolean, userId: string, timestamp: Timestamp) =>
    sql`update ${table(org)} set isblocked = ${isBlocked}, lastmodifieddate = ${timestampSql(timestamp)}, systemmodstamp = ${timestampSql(timestamp)},
               lastmodifiedbyid = ${userId}
        where consumerkey collate "C" = ${clientId} and not isdeleted returning id`,

  /** Which of the records belong to blocked apps. */
  blockedAmong: (org: Org, ids: readonly string[]) =>
    sql`select consumerkey as "clientId" from ${table(org)}
        where id = any(${ids}::text[]) and (isdeleted or isblocked)`,
}
