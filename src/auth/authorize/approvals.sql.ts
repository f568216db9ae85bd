import { sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const approvalSql = {
  insert: (org: Org, clientId: string, userId: string, scopes: readonly string[], now: number) =>
    sql`insert into objectry.approval (org_id, client_id, user_id, scopes, approved_at)
        values (${org.id}, ${clientId}, ${userId}, ${scopes}::text[], ${fromSeconds(now)})`,

  /** @param max how many of the newest are kept */
  deleteOldest: (org: Org, clientId: string, userId: string, max: number) =>
    sql`delete from objectry.approval where id in (
          select id from objectry.approval
          where org_id = ${org.id} and user_id = ${userId} and client_id = ${clientId}
          order by id desc offset ${max}::bigint)`,

  find: (org: Org, clientId: string, userId: string) =>
    sql`select scopes from objectry.approval
        where org_id = ${org.id} and user_id = ${userId} and client_id = ${clientId} order by id`,

  /** True if a permission set of the user, or that of the user's profile, grants access to the app. */
  isGranted: (org: Org, appId: string, userId: string) => {
    const at = (table: string) => sql.id(org.schemaName, table)
    return sql`
      select exists (
        select from ${at('setupentityaccess')} access
        join ${at('permissionset')} permissions on permissions.id = access.parentid and not permissions.isdeleted
        where access.setupentityid = ${appId} and not access.isdeleted and (
          permissions.profileid = (select profileid from ${at('user')} where id = ${userId})
          or exists (select from ${at('permissionsetassignment')} assignment
                     where assignment.permissionsetid = permissions.id and assignment.assigneeid = ${userId}
                       and not assignment.isdeleted))) as "isGranted"`
  },
}
