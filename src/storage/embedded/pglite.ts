import type { Sql } from '../../base/sql.ts'
import type { Engine, Row } from '../database/db.ts'
import { healthSql } from '../database/health.sql.ts'
import { databaseFault, isAnswerLost, OutcomeUnknown } from '../database/pg-error.ts'
import { ReadinessCheck } from '../database/readiness-check.ts'
import {
  type Connection,
  type Driver,
  makeDb,
  mayWrite,
  transactionSql,
} from '../database/transaction.sql.ts'
import type { TurnOptions } from '../database/turns.ts'
import { throwIfOver } from '../database/watch.ts'
import { watched } from '../database/watched-connection.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import {
  explainEngineError,
  finishFolder,
  hasFreeSpace,
  prepareFolder,
  removeUnfinished,
} from './database-folder.ts'
import type { DatabaseThread } from './database-thread.ts'
import { type AskOptions, EmbeddedDatabase, type EmbeddedSettings } from './embedded-database.ts'
import type { Result, ToThread } from './messages.ts'

/** Has a statement carried out. */
type Ask = (requested: ToThread) => Promise<Result | undefined>

/** The rows of a result by the names of its columns. */
function objectsOf<R>({ names, rows }: Result): R[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) object[names[i]!] = row[i]
    return object as R
  })
}

const statementOf = ({ text, values }: Sql): ToThread => ({ kind: 'statement', text, values })

const connectionBy = (ask: Ask): Connection => ({
  query: async <R>(statement: Sql) => objectsOf<R>((await ask(statementOf(statement)))!),
  rows: async (statement) => (await ask(statementOf(statement)))!.rows as Row[],
  script: async (text) => void (await ask({ kind: 'script', text })),
})

/** Nobody waits for the answer: what is asked behind it fails if it does. */
const send = (sent: Promise<unknown>) => void sent.catch(() => {})

async function commit(database: EmbeddedDatabase, thread: DatabaseThread): Promise<void> {
  try {
    await database.ask(thread, { kind: 'transactionEnd', text: transactionSql.commit })
  } catch (error) {
    const isUnknown = isAnswerLost(error) || databaseFault(error)?.kind === 'cancelled'
    throw isUnknown ? new OutcomeUnknown(error) : error
  }
}

/** A watch ends the work when its time is up, whatever it waits for. What is being committed by then stays. */
function driverOf(database: EmbeddedDatabase, options: TurnOptions & AskOptions = {}): Driver {
  const { watch } = options
  const watchedOr = (connection: Connection) =>
    watch === undefined ? connection : watched(connection, watch)
  const askAlone: Ask = async (requested) => {
    const held = await database.take(options)
    const { thread } = held
    try {
      return await database.ask(thread, requested, options)
    } catch (error) {
      // In memory it goes on, and nobody knows how it ends.
      const isUnknown = isAnswerLost(error) || thread.busySince !== undefined
      throw isUnknown && 'text' in requested && mayWrite(requested.text) ? new OutcomeUnknown(error) : error
    } finally {
      database.release(held)
    }
  }
  return {
    connection: watchedOr(connectionBy(askAlone)),
    async transaction(work) {
      const held = await database.take(options)
      const { thread } = held
      const ask: Ask = (requested) => database.ask(thread, requested, options)
      try {
        send(database.ask(thread, { kind: 'script', text: transactionSql.begin }))
        const result = await work(watchedOr(connectionBy(ask)))
        if (watch !== undefined) throwIfOver(watch)
        await commit(database, thread)
        return result
      } catch (error) {
        send(database.ask(thread, { kind: 'script', text: transactionSql.rollback }))
        throw error
      } finally {
        database.release(held)
      }
    },
  }
}

export interface EmbeddedEngine extends Engine {
  /** All of its data as the bytes of one file, with which another engine starts faster than from nothing. */
  dumpImage(): Promise<Uint8Array>
}

/**
 * PostgreSQL inside this process, in a thread of its own. It has one connection: work outside a transaction waits while
 * one is open, so a transaction must never wait for work outside it.
 * @param folder where the data lives; undefined keeps it in memory
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
    const database = new EmbeddedDatabase(folder, settings)
    await database.open()
    if (isNew) finishFolder(folder!)
    const urgent = makeDb(driverOf(database, { isUrgent: true }))
    const readiness = new ReadinessCheck({
      async ask() {
        const [row] = await urgent.query<{ isReadOnly: boolean }>(healthSql.isReadOnly)
        if (row!.isReadOnly) return 'the database is read-only'
        return folder === undefined || hasFreeSpace(folder) ? 'ready' : 'the disk of the data folder is full'
      },
    })
    return {
      kind: 'pglite',
      db: makeDb(driverOf(database)),
      watched: (watch) => makeDb(driverOf(database, { watch })),
      reserved: (watch) => makeDb(driverOf(database, { watch, isUrgent: true })),
      checkReadiness: () => readiness.get(),
      openMaintenance: async () => ({
        db: makeDb(driverOf(database, { isUnlimited: true })),
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
