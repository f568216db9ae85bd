import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const commonSql = {
  /** @param known the fingerprint of a content that is not wanted again */
  load: (known: string): Sql =>
    sql`select fingerprint, case when fingerprint <> ${known} then content end as content from objectry.deployment`,

  /** Returns no row if they are there already. */
  set: (fingerprint: string, content: string): Sql =>
    sql`insert into objectry.deployment as known (fingerprint, content) values (${fingerprint}, ${content})
        on conflict (one) do update set fingerprint = excluded.fingerprint, content = excluded.content, set_at = now()
          where known.fingerprint <> excluded.fingerprint
        returning one`,

  /** Requests the step of every org that lacks the definitions, or that another version has brought up to date. */
  request: (step: string, mark: string): Sql =>
    sql`insert into objectry.upgrade_step as known (org_id, step, version, state)
        select o.id, ${step}, ${mark}, 'pending' from objectry.org o left join objectry.deployment d on true
        where o.up_to_date_with is distinct from ${mark} or o.deployed is distinct from coalesce(d.fingerprint, o.deployed)
        on conflict (org_id, step) do update
          set version = excluded.version, round = known.round + 1, state = 'pending', position = null,
              progress = 0, error = null, tries = 0, due_at = now(), began_at = null, ended_at = null
        returning org_id`,

  /** Requests the step of a new org that was given other definitions than those that are there by now. */
  requestOne: (org: Org, step: string, mark: string): Sql =>
    sql`insert into objectry.upgrade_step (org_id, step, version, state)
        select o.id, ${step}, ${mark}, 'pending' from objectry.org o cross join objectry.deployment d
        where o.id = ${org.id} and o.deployed is distinct from d.fingerprint
        on conflict (org_id, step) do nothing`,

  /** The same for a copy, which is told the definitions only if its source waits for them, or has got them meanwhile. */
  requestCopy: (from: Org, to: Org, step: string, mark: string): Sql =>
    sql`insert into objectry.upgrade_step (org_id, step, version, state)
        select o.id, ${step}, ${mark}, 'pending' from objectry.org o cross join objectry.deployment d
        join objectry.org source on source.id = ${from.id}
        where o.id = ${to.id} and o.deployed is distinct from d.fingerprint
          and (source.deployed = d.fingerprint
               or exists (select from objectry.upgrade_step s where s.org_id = source.id and s.step = ${step} and s.state <> 'done'))
        on conflict (org_id, step) do nothing`,

  /** Gives a copy of an org what the org has, and waits for. */
  copy: (from: Org, to: Org, step: string): Sql =>
    sql`with waiting as (
          insert into objectry.upgrade_step (org_id, step, version, state)
          select ${to.id}, step, version, 'pending' from objectry.upgrade_step
          where org_id = ${from.id} and step = ${step} and state <> 'done'
          on conflict (org_id, step) do nothing)
        update objectry.org set deployed = (select deployed from objectry.org where id = ${from.id}) where id = ${to.id}`,

  /** Large deployments hold thousands of the database's locks, so there is one at a time. Ends with the transaction. */
  takeTurn: sql`select pg_advisory_xact_lock(720260102)`,
  tryTurn: sql`select pg_try_advisory_xact_lock(720260102) as "isTaken"`,

  /** Orgs that wait for nothing, the oldest first. */
  settled: (step: string, max: number): Sql =>
    sql`select o.id, o.schema_name as "schemaName", o.name from objectry.org o
        where not exists (select from objectry.upgrade_step s where s.org_id = o.id and s.step = ${step} and s.state <> 'done')
        order by o.created_at, o.id limit ${max}::integer`,

  /** The step of an org, if it is not done. */
  open: (org: Org, step: string, mark: string): Sql =>
    sql`select round from objectry.upgrade_step
        where org_id = ${org.id} and step = ${step} and version = ${mark} and state <> 'done'`,

  /** Takes back the requests of orgs that need nothing but the definitions. */
  stop: (step: string, mark: string): Sql =>
    sql`delete from objectry.upgrade_step s using objectry.org o
        where s.step = ${step} and s.state <> 'done' and o.id = s.org_id and o.up_to_date_with = ${mark}
        returning s.org_id`,

  count: (step: string): Sql =>
    sql`select d.fingerprint, (select count(*) from objectry.org o where o.deployed = d.fingerprint) as done,
               (select count(*) from objectry.upgrade_step where step = ${step} and state in ('pending', 'running')) as pending,
               (select count(*) from objectry.org) as orgs
        from objectry.deployment d`,

  failures: (step: string, max: number): Sql =>
    sql`select o.id, o.name, s.error from objectry.upgrade_step s join objectry.org o on o.id = s.org_id
        where s.step = ${step} and s.state = 'failed' order by o.created_at, o.id limit ${max}::integer`,
}
