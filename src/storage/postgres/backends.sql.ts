import { sql } from '../../base/sql.ts'

/** Those of these connections that the server no longer has, or that wait for something to do there. */
const atRest = (processIds: readonly number[]) => sql`
  select asked.pid as "processId"
  from unnest(${processIds}::int[]) as asked (pid)
  left join pg_stat_activity activity on activity.pid = asked.pid
  where activity.pid is null or activity.state like 'idle%'`

export const backendSql = {
  /**
   * Settings of a session, by their names. Not as parameters of the connection's start: connection poolers refuse those.
   */
  setup: (settings: Readonly<Record<string, string>>) =>
    sql`select set_config(name, value, false)
        from unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[]) as setting (name, value)`,
  /** Cancels what a direct connection of the server is at; without that it does nothing. */
  cancel: (processId: number) => sql`select pg_cancel_backend(${processId})`,
  /** Ends connections, which gives their locks back. */
  terminate: (processIds: readonly number[]) =>
    sql`select pg_terminate_backend(pid) from unnest(${processIds}::int[]) as ended (pid)`,
  atRest,
  /** Behind a connection pooler it is another one than the driver was told. */
  processId: sql`select pg_backend_pid() as "processId"`,
}
