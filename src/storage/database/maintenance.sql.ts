import { sql } from '../../base/sql.ts'

export const maintenanceSql = {
  tryLock: sql`select pg_try_advisory_lock(720260102) as "isLocked"`,

  isInTheWay: (processId: number) =>
    sql`select exists (select from pg_locks
                       where not granted and ${processId}::integer = any(pg_blocking_pids(pid))) as "isInTheWay"`,

  /**
   * A build goes on in the database when its server is gone, with all that it has locked. Not every system can notice that
   * before the end of the statement.
   */
  noticeLostClient: sql`set client_connection_check_interval = 2000`,
}
