import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Outcome } from './deploy.ts'
import type { DeployOptions } from './deploy-options.ts'

interface NewDeploy {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly options: DeployOptions
}

const iso = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

const COLUMNS = sql`id, user_id as "userId", user_name as "userName", status, options::jsonb as options,
  validated_id as "validatedId", total, outcome::json as outcome, canceled_by_id as "canceledById",
  canceled_by_name as "canceledByName", ${iso('created_at')} as "createdAt", ${iso('started_at')} as "startedAt",
  ${iso('modified_at')} as "modifiedAt", ${iso('completed_at')} as "completedAt"`

/** Deployments of archives. Times are those of the org. */
export const deploySql = {
  /** One at a time for each org, so that what waits stays bounded. */
  lock: (org: Org) => sql`select from objectry.org where id = ${org.id} for no key update`,
  waiting: (org: Org) =>
    sql`select count(*)::int as count from objectry.metadata_job
        where org_id = ${org.id} and status in ('Pending', 'InProgress', 'Canceling')`,
  removeOld: (org: Org, before: string) =>
    sql`delete from objectry.metadata_job where org_id = ${org.id} and completed_at < ${before}::timestamptz`,
  insert: (org: Org, { id, userId, userName, options }: NewDeploy, archive: Uint8Array | null, now: string) =>
    sql`insert into objectry.metadata_job
          (id, org_id, user_id, user_name, kind, options, archive, created_at, modified_at)
        values (${id}, ${org.id}, ${userId}, ${userName}, 'deploy', ${JSON.stringify(options)}, ${archive}, ${now}::timestamptz, ${now}::timestamptz)`,
  /** Repeats a checked deployment. Returns no row if its archive is gone. */
  repeat: (org: Org, { id, userId, userName, options }: NewDeploy, validatedId: string, now: string) =>
    sql`insert into objectry.metadata_job
          (id, org_id, user_id, user_name, kind, options, archive, validated_id, created_at, modified_at)
        select ${id}, org_id, ${userId}, ${userName}, 'deploy', ${JSON.stringify(options)}, archive, id, ${now}::timestamptz, ${now}::timestamptz
        from objectry.metadata_job
        where org_id = ${org.id} and id = ${validatedId} and status = 'Succeeded' and archive is not null
        returning id`,
  find: (org: Org, id: string) =>
    sql`select ${COLUMNS} from objectry.metadata_job where org_id = ${org.id} and id = ${id} and kind = 'deploy'`,
  /** Begins, or goes on where another process ended. */
  begin: (org: Org, id: string, now: string) =>
    sql`update objectry.metadata_job
        set status = 'InProgress', started_at = coalesce(started_at, ${now}::timestamptz), modified_at = ${now}::timestamptz
        where org_id = ${org.id} and id = ${id} and status in ('Pending', 'InProgress') returning ${COLUMNS}`,
  setTotal: (org: Org, id: string, total: number, now: string) =>
    sql`update objectry.metadata_job set total = ${total}, modified_at = ${now}::timestamptz
        where org_id = ${org.id} and id = ${id} and status = 'InProgress'`,
  /** Returns no row if the deployment is being canceled. */
  end: (org: Org, id: string, outcome: Outcome, keepsArchive: boolean, now: string) =>
    sql`update objectry.metadata_job
        set status = ${outcome.status}, outcome = ${JSON.stringify(outcome)}, completed_at = ${now}::timestamptz, modified_at = ${now}::timestamptz,
          archive = case when ${keepsArchive} then archive end
        where org_id = ${org.id} and id = ${id} and status = 'InProgress' returning id`,
  /** Cancels a waiting deployment at once, and a running one before its change is committed. */
  requestCancel: (org: Org, id: string, by: { readonly id: string; readonly name: string }, now: string) =>
    sql`update objectry.metadata_job
        set status = case status when 'Pending' then 'Canceled' else 'Canceling' end,
          completed_at = case status when 'Pending' then ${now}::timestamptz end,
          archive = case status when 'Pending' then null else archive end,
          canceled_by_id = ${by.id}, canceled_by_name = ${by.name}, modified_at = ${now}::timestamptz
        where org_id = ${org.id} and id = ${id} and status in ('Pending', 'InProgress')`,
  endCanceled: (org: Org, id: string, now: string) =>
    sql`update objectry.metadata_job
        set status = 'Canceled', archive = null, completed_at = ${now}::timestamptz, modified_at = ${now}::timestamptz
        where org_id = ${org.id} and id = ${id} and status = 'Canceling'`,
}
