import { sql } from '../base/sql.ts'

/** Selects one plan; `setAt` tells it from an earlier one of the same name. */
const one = (orgId: string, name: string, setAt: string) =>
  sql`org_id = ${orgId} and name = ${name} and set_at = ${setAt}::timestamptz`

export const faultSql = {
  all: (orgId: string) =>
    sql`select name, plan, matched::float8 as matched, struck::float8 as struck, set_at::text as "setAt"
        from objectry.fault where org_id = ${orgId} order by name collate "C"`,

  put: (orgId: string, name: string, plan: string) =>
    sql`insert into objectry.fault (org_id, name, plan, set_at)
        values (${orgId}, ${name}, ${plan}::text::jsonb, clock_timestamp())
        on conflict (org_id, name) do update
          set plan = excluded.plan, matched = 0, struck = 0, set_at = excluded.set_at`,

  remove: (orgId: string, name: string) =>
    sql`delete from objectry.fault where org_id = ${orgId} and name = ${name} returning name`,

  removeAll: (orgId: string) => sql`delete from objectry.fault where org_id = ${orgId}`,

  match: (orgId: string, name: string, setAt: string) =>
    sql`update objectry.fault set matched = matched + 1 where ${one(orgId, name, setAt)}
        returning matched::float8 as number`,

  /** @param max how often the plan is injected; null: without limit */
  inject: (orgId: string, name: string, setAt: string, max: number | null) =>
    sql`update objectry.fault set struck = struck + 1
        where ${one(orgId, name, setAt)} and (${max}::bigint is null or struck < ${max}::bigint)
        returning name`,
}
