import { sql } from '../base/sql.ts'

export interface NewConnectedApp {
  readonly orgId: string
  readonly name: string
  readonly clientId: string
  readonly clientSecretHash: string
  readonly scopes: readonly string[]
  readonly runAsUserId: string | null
}

export const connectedAppSql = {
  insert: (app: NewConnectedApp) =>
    sql`insert into objectry.client (org_id, name, client_id, client_secret_hash, scopes, run_as_user_id)
        values (${app.orgId}, ${app.name}, ${app.clientId}, ${app.clientSecretHash}, ${app.scopes}::text[], ${app.runAsUserId})`,

  findByClientId: (clientId: string) =>
    sql`select app.client_id as "clientId", app.client_secret_hash as "clientSecretHash", app.scopes, app.run_as_user_id as "runAsUserId",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.client app join objectry.org org on org.id = app.org_id
        where app.client_id = ${clientId}`,
}
