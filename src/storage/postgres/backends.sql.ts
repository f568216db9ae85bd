import { sql } from '../../base/sql.ts'

/** Those of the connections that the server no longer has, or that are idle there. */
const findIdle = (processIds: readonly number[]) => sql`
  select asked.pid as "processId"
  from unnest(${processIds}::int[]) as asked (pid)
  left join pg_stat_activity activity on activity.pid = asked.pid
  where activity.pid is null or activity.state like 'idle%'`

export const backendSql = {
  /** Session settings by name. They are not startup parameters of the connection, which connection poolers reject. */
  setup: (settings: Readonly<Record<string, string>>) =>
    sql`select set_config(name, value, false)
        from unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[]) as setting (name, value)`,
  /** Cancels the running statement of a direct connection, if there is one. */
  cancel: (processId: number) => sql`select pg_cancel_backend(${processId})`,
  /** Ends connections, which releases their locks. */
  terminate: (processIds: readonly number[]) =>
    sql`select pg_terminate_backend(pid) from unnest(${processIds}::int[]) as ended (pid)`,
  findIdle,
  /** The extension that makes one database of several servers, the nodes of a cluster. */
  isCluster: sql`select exists (select from pg_extension where extname = 'citus') as "isCluster"`,
  /** Behind a connection pooler this is not the process id that the driver knows. */
  processId: sql`select pg_backend_pid() as "processId"`,
}

export const checkPostgresSql = {
  properties: sql`select current_setting('server_version_num')::integer as version, current_setting('server_version') as "versionText",
      current_database()::text as name, current_setting('server_encoding') as encoding, current_setting('lc_ctype', true) as ctype,
      to_regnamespace('objectry') is not null as "isInUse"`,
  /** Only for UTF8: other encodings may lack the letter. */
  foldsCase: sql`select upper('ä') = 'Ä' as folds`,
}

export const maintenanceSql = {
  tryLock: sql`select pg_try_advisory_lock(720260102) as "isLocked"`,

  isInTheWay: (processId: number) =>
    sql`select exists (select from pg_locks
                       where not granted and ${processId}::integer = any(pg_blocking_pids(pid))) as "isInTheWay"`,

  /**
   * A build continues in the database after its server is gone, and keeps its locks. Not every system can detect that
   * before the end of the statement.
   */
  noticeLostClient: sql`set client_connection_check_interval = 2000`,
}
