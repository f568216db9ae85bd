import type { Sql } from '../../base/sql.ts'
import { AbsentTables, withTables } from '../database/absent-tables.ts'
import { Coalescer } from '../database/coalescer.ts'
import type { Engine, Row } from '../database/db.ts'
import { healthSql } from '../database/health.sql.ts'
import { databaseFault, isAnswerLost, OutcomeUnknown } from '../database/pg-error.ts'
import { ReadinessCheck } from '../database/readiness-check.ts'
import {
  type Connection,
  type Driver,
  makeDb,
  mayWrite,
  TransactionWork,
  transactionSql,
} from '../database/transaction.sql.ts'
import type { TurnOptions } from '../database/turns.ts'
import { throwIfOver } from '../database/watch.ts'
import { watched } from '../database/watched-connection.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import { explainEngineError, finishFolder, prepareFolder, removeUnfinished } from './database-folder.ts'
import type { DatabaseThread } from './database-thread.ts'
import { EmbeddedDatabase, type EmbeddedSettings, type SendOptions } from './embedded-database.ts'
import type { Result, ToThread } from './messages.ts'

/** Sends a request to the database. */
type Send = (request: ToThread) => Promise<Result | undefined>

/** The rows of a result as objects by column name. */
function makeObjects<R>({ names, rows }: Result): R[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) object[names[i]!] = row[i]
    return object as R
  })
}

const makeStatement = ({ text, values }: Sql): ToThread => ({ kind: 'statement', text, values })

const makeConnection = (send: Send): Connection => ({
  query: async <R>(statement: Sql) => makeObjects<R>((await send(makeStatement(statement)))!),
  rows: async (statement) => (await send(makeStatement(statement)))!.rows as Row[],
  script: async (text) => void (await send({ kind: 'script', text })),
})

/** Sends without waiting: if it fails, the next request fails too. */
const pipeline = (sent: Promise<unknown>) => void sent.catch(() => {})

/** @param hasWritten whether the transaction may have written: if not, nothing is unknown about a lost commit */
async function commit(
  database: EmbeddedDatabase,
  thread: DatabaseThread,
  hasWritten: boolean,
): Promise<void> {
  try {
    await database.send(thread, { kind: 'transactionEnd', text: transactionSql.commit })
  } catch (error) {
    const isUnknown = isAnswerLost(error) || databaseFault(error)?.kind === 'cancelled'
    throw hasWritten && isUnknown ? new OutcomeUnknown(error) : error
  }
}

/** A watch ends the work when its time is up, whatever it waits for. A commit in progress is completed. */
function makeDriver(database: EmbeddedDatabase, options: TurnOptions & SendOptions = {}): Driver {
  const { watch } = options
  const watchedOr = (connection: Connection) =>
    watch === undefined ? connection : watched(connection, watch)
  const sendAlone: Send = async (request) => {
    const held = await database.take(options)
    const { thread } = held
    try {
      return await database.send(thread, request, options)
    } catch (error) {
      // In memory the thread keeps running, and the outcome is unknown.
      const isUnknown = isAnswerLost(error) || thread.busySince !== undefined
      // A script may have begun a transaction.
      if (request.kind === 'script') {
        pipeline(database.send(thread, { kind: 'script', text: transactionSql.rollback }))
      }
      throw isUnknown && 'text' in request && mayWrite(request.text) ? new OutcomeUnknown(error) : error
    } finally {
      database.release(held)
    }
  }
  return {
    isCluster: false,
    connection: watchedOr(makeConnection(sendAlone)),
    async transaction(work) {
      const held = await database.take(options)
      const { thread } = held
      const send: Send = (request) => database.send(thread, request, options)
      try {
        pipeline(database.send(thread, { kind: 'script', text: transactionSql.begin }))
        const running = new TransactionWork()
        const result = await running.run(work, watchedOr(makeConnection(send)))
        if (watch !== undefined) throwIfOver(watch)
        await commit(database, thread, running.hasWritten)
        return result
      } catch (error) {
        pipeline(database.send(thread, { kind: 'script', text: transactionSql.rollback }))
        throw error
      } finally {
        database.release(held)
      }
    },
  }
}

interface EmbeddedEngine extends Engine {
  /** All data as the bytes of one file, with which another engine starts faster than from an empty database. */
  dumpImage(): Promise<Uint8Array>
}

/**
 * PostgreSQL inside this process, in its own thread. It has one connection: work outside a transaction waits while
 * one is open, so a transaction must never wait for work outside it.
 * @param folder where the data is stored; undefined for memory
 */
export async function openPglite(
  folder: string | undefined,
  settings: EmbeddedSettings = {},
): Promise<EmbeddedEngine> {
  let unlock = () => {}
  let isNew = false
  try {
    if (folder !== undefined) unlock = lockDataFolder(folder)
    isNew = folder !== undefined && prepareFolder(folder)
    const database = new EmbeddedDatabase(folder, settings, isNew || folder === undefined)
    await database.open()
    if (isNew) finishFolder(folder!)
    const tables = new AbsentTables()
    const makeOn = (options?: TurnOptions & SendOptions) => withTables(makeDriver(database, options), tables)
    const urgent = makeDb(makeOn({ isUrgent: true }))
    // Nothing waits for a lock here, and ending a statement costs all callers much.
    const coalescer = new Coalescer((watch) => makeDb(makeOn({ watch })))
    const readiness = new ReadinessCheck({
      async query() {
        const [row] = await urgent.query<{ isReadOnly: boolean }>(healthSql.isReadOnly)
        if (row!.isReadOnly) return 'the database is read-only'
        return database.hasSpace ? 'ready' : 'the disk of the data folder is full'
      },
    })
    return {
      kind: 'pglite',
      db: makeDb(makeOn()),
      watched: (watch) => makeDb(makeOn({ watch }), coalescer, watch),
      reserved: (watch) => makeDb(makeOn({ watch, isUrgent: true })),
      checkReadiness: () => readiness.get(),
      openMaintenance: async () => ({
        db: makeDb(makeOn({ isUnlimited: true })),
        isConcurrent: false,
        tryLock: async () => true,
        isInTheWay: async () => false,
        cancel: async () => {},
        close: async () => {},
      }),
      dumpImage: () => database.dump(),
      async close() {
        try {
          await database.close()
        } finally {
          unlock()
        }
      },
    }
  } catch (error) {
    const explained = folder === undefined ? error : explainEngineError(error, folder)
    if (isNew) removeUnfinished(folder!)
    unlock()
    throw explained
  }
}
