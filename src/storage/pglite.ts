import { PGlite, type Transaction } from '@electric-sql/pglite'
import type { Sql } from '../base/sql.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import type { Engine, Row } from './db.ts'
import { explainEngineError, finishFolder, prepareFolder, removeUnfinished } from './embedded-folder.ts'
import { healthSql } from './health.sql.ts'
import { ReadinessCheck } from './readiness-check.ts'
import { type Connection, type Driver, makeDb } from './transaction.sql.ts'
import { throwIfOver, type Watch } from './watch.ts'
import { watched } from './watched-connection.ts'

const asText = (text: string) => text
/** The conversions that `ColumnValue` promises: dates stay text, numeric becomes a number, bytes stay bytes. */
const parsers = { 20: Number, 1700: Number, 1082: asText, 1083: asText, 1114: asText, 1184: asText }

function connectionTo(target: PGlite | Transaction): Connection {
  return {
    query: async <R>(statement: Sql) =>
      (await target.query(statement.text, statement.values as unknown[])).rows as R[],
    rows: async (statement) =>
      (await target.query(statement.text, statement.values as unknown[], { rowMode: 'array' })).rows as Row[],
    script: async (text) => void (await target.exec(text)),
  }
}

/** A statement that is under way cannot be cancelled: it blocks the process that it runs in. */
const watchedDriver = (pglite: PGlite, watch: Watch): Driver => ({
  connection: watched(connectionTo(pglite), watch),
  transaction: (work) =>
    pglite.transaction(async (tx) => {
      throwIfOver(watch)
      const result = await work(watched(connectionTo(tx), watch))
      throwIfOver(watch)
      return result
    }),
})

/** What the operating system holds of the files is nearly as near, and memory that is not taken makes a start faster. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

interface Start {
  /** The data to start with: what `dumpImage` gave. */
  readonly image?: Blob
}

export interface EmbeddedEngine extends Engine {
  /** All of its data as one file, with which another engine starts faster than from nothing. */
  dumpImage(): Promise<Blob>
}

/**
 * PostgreSQL inside this process. It has one connection: work outside a transaction waits while one is open, so a
 * transaction must never wait for work outside it.
 * @param folder where the data lives; undefined keeps it in memory
 * @param start what to begin with
 */
export async function openPglite(folder: string | undefined, start: Start = {}): Promise<EmbeddedEngine> {
  let unlock = () => {}
  let isNew = false
  try {
    if (folder !== undefined) unlock = lockDataFolder(folder)
    isNew = folder !== undefined && prepareFolder(folder)
    const pglite = await PGlite.create({
      dataDir: folder ?? 'memory://',
      loadDataDir: start.image,
      startParams: START_PARAMS,
      parsers,
      relaxedDurability: false,
    })
    if (isNew) finishFolder(folder!)
    const db = makeDb({
      connection: connectionTo(pglite),
      transaction: (work) => pglite.transaction((tx) => work(connectionTo(tx))),
    })
    const readiness = new ReadinessCheck({
      async ask() {
        const { rows } = await pglite.query<{ isReadOnly: boolean }>(healthSql.isReadOnly.text)
        return rows[0]!.isReadOnly
      },
    })
    return {
      kind: 'pglite',
      db,
      watched: (watch) => makeDb(watchedDriver(pglite, watch)),
      checkReadiness: () => readiness.get(),
      dumpImage: () => pglite.dumpDataDir('none'),
      async close() {
        try {
          await pglite.close()
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
