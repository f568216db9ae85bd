import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const columns = sql`step as name, version, round, state, position, progress, error, tries`

/** The version of a step without one. Such a step runs at every upgrade. */
export const NO_VERSION = ''

export const stepSql = {
  /** Requests a step unless the org has completed this version of it. A running step starts again. */
  ask: (org: Org, name: string, version: string): Sql =>
    sql`insert into objectry.upgrade_step as known (org_id, step, version, state)
        values (${org.id}, ${name}, ${version}, 'pending')
        on conflict (org_id, step) do update
          set version = excluded.version, round = known.round + 1, state = 'pending', position = null,
              progress = 0, error = null, tries = 0, due_at = now(), began_at = null, ended_at = null
          where known.version <> excluded.version or excluded.version = ${NO_VERSION}`,

  /** Makes completed steps due again. */
  forget: (org: Org, names: readonly string[]): Sql =>
    sql`update objectry.upgrade_step set version = '-', round = round + 1
        where org_id = ${org.id} and step = any(${names}::text[])`,

  /** Marks a step as completed for a new org. */
  noteDone: (org: Org, name: string, version: string): Sql =>
    sql`insert into objectry.upgrade_step (org_id, step, version, state, progress, ended_at)
        values (${org.id}, ${name}, ${version}, 'done', 1, now())`,

  done: (org: Org): Sql =>
    sql`select step as name, version from objectry.upgrade_step where org_id = ${org.id} and state = 'done'`,

  /** Call it before locking records that steps change, in the same order as a batch. */
  hold: (org: Org): Sql =>
    sql`select from objectry.upgrade_step where org_id = ${org.id} order by step for update`,

  ofOrgs: (ids: readonly string[]): Sql =>
    sql`select org_id as "orgId", ${columns} from objectry.upgrade_step
        where org_id = any(${ids}::text[])`,

  /** Steps that are not done. The partial index covers exactly these. */
  open: sql`select s.org_id as id, o.schema_name as "schemaName", o.name, s.step, s.version,
                   extract(epoch from s.due_at - now())::float8 as "dueIn"
            from objectry.upgrade_step s join objectry.org o on o.id = s.org_id
            where s.state <> 'done' order by o.created_at, o.id`,

  count: sql`select count(distinct org_id) as "pendingOrgs", count(*) filter (where state = 'failed') as "failedSteps"
             from objectry.upgrade_step where state <> 'done'`,

  /** Finds a step that is not done; with `isHeld` it is locked until the transaction ends. */
  find: (org: Org, name: string, version: string, isHeld: boolean): Sql =>
    sql`select ${columns} from objectry.upgrade_step
        where org_id = ${org.id} and step = ${name} and version = ${version} and state <> 'done'
        ${sql.raw(isHeld ? 'for update' : '')}`,

  /** A failed step keeps its state until a batch succeeds. */
  begin: (org: Org, name: string, round: number): Sql =>
    sql`update objectry.upgrade_step set state = case state when 'failed' then state else 'running' end, began_at = coalesce(began_at, now())
        where org_id = ${org.id} and step = ${name} and round = ${round}::integer`,

  /** @param round who asked for the step again meanwhile wants it from its beginning */
  note: (
    org: Org,
    name: string,
    round: number,
    { isDone, position, progress }: { isDone: boolean; position: string | null; progress: number },
  ): Sql =>
    sql`update objectry.upgrade_step
        set state = ${isDone ? 'done' : 'running'}, position = ${position}::text, progress = ${progress}::float8,
            error = null, tries = 0, ended_at = case when ${isDone}::boolean then now() end
        where org_id = ${org.id} and step = ${name} and round = ${round}::integer returning step`,

  /**
   * @param round who asked for the step again meanwhile may have mended what failed
   * @param firstDelay seconds before the second try; doubled for each later try, up to `maxDelay`
   */
  noteFailure: (
    org: Org,
    name: string,
    round: number,
    error: string,
    { firstDelay, maxDelay }: { firstDelay: number; maxDelay: number },
  ): Sql =>
    sql`update objectry.upgrade_step
        set state = 'failed', error = ${error}, tries = tries + 1,
            due_at = now() + least(${firstDelay}::float8 * power(2, least(tries, 30)), ${maxDelay}::float8) * interval '1 second'
        where org_id = ${org.id} and step = ${name} and round = ${round}::integer and state <> 'done'
        returning extract(epoch from due_at - now())::float8 as "dueIn"`,

  /** Maximum wait of a batch for record locks. */
  setLockTimeout: [sql`set local lock_timeout = '2s'`],
}
