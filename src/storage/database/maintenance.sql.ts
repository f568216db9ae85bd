import { sql } from '../../base/sql.ts'

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
