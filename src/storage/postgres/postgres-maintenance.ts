import pg from 'pg'
import type { Db, Maintenance } from '../database/db.ts'
import { APPLICATION } from '../database/timestamp.sql.ts'
import { type Connection, type Driver, makeDb, transactionSql } from '../database/transaction.sql.ts'
import { backendSql, maintenanceSql } from './backends.sql.ts'

/** Time limit of opening the connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000

/** Time limit of closing the connection, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1000

/**
 * Limits of the connection: it waits for locks no longer than this. The build of an index waits for other transactions
 * without a limit, and does not block writes meanwhile.
 */
const SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO',
  statement_timeout: '0',
  lock_timeout: '0',
  // So does one that stands still.
  idle_in_transaction_session_timeout: '60s',
  // A server that lost its network keeps its lock no longer than this.
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
}

interface Parts {
  readonly url: string
  /** Has a driver make the tables which its statements need. */
  readonly complete: (driver: Driver) => Driver
  readonly makeConnection: (client: pg.Client) => Connection
  /** The engine's other connections: they check whether this one blocks others, and cancel its statements. */
  readonly others: Db
}

/** Opens a separate connection to PostgreSQL for long work. */
export async function openPostgresMaintenance({
  url,
  complete,
  makeConnection,
  others,
}: Parts): Promise<Maintenance> {
  const client = new pg.Client({
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_TIMEOUT_MS,
  })
  // The caller receives the error from its statement.
  client.on('error', () => {})
  await client.connect()
  const { processID } = client as unknown as { processID: number }
  const connection = makeConnection(client)
  await connection.query(backendSql.setup(SETTINGS))
  const driver: Driver = {
    isCluster: others.isCluster,
    connection,
    async transaction(work) {
      await connection.script(transactionSql.begin)
      try {
        const result = await work(connection)
        await connection.script(transactionSql.commit)
        return result
      } catch (error) {
        await connection.script(transactionSql.rollback).catch(() => {})
        throw error
      }
    },
  }
  const db = makeDb(complete(driver))
  await db.query(maintenanceSql.noticeLostClient).catch(() => {})
  return {
    db,
    isConcurrent: true,
    async tryLock() {
      const [row] = await db.query<{ isLocked: boolean }>(maintenanceSql.tryLock)
      return row!.isLocked
    },
    async isInTheWay() {
      const [row] = await others.query<{ isInTheWay: boolean }>(maintenanceSql.isInTheWay(processID))
      return row!.isInTheWay
    },
    async cancel() {
      await others.query(backendSql.cancel(processID))
    },
    async close() {
      const cut = setTimeout(() => {
        ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
      }, CLOSE_TIMEOUT_MS)
      await client.end().catch(() => {})
      clearTimeout(cut)
    },
  }
}
