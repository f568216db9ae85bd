import { accessSync, constants, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { HOLD_FILE } from './hold-file.sql.ts'

/** SQLITE_BUSY: another process, or this one, has the lock. */
const BUSY = 5

function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  // Older releases of Node 24 print a line about an experimental feature.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** SQLite opens a file that it may not write to for reading only, and takes no exclusive lock then. */
function ensureWritable(file: string): void {
  try {
    // A file that exists is not opened: its close would end a lock that this process has.
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    accessSync(file, constants.R_OK | constants.W_OK)
  }
}

/** A lock ends when its connection is collected, so all of them are kept here. */
const held = new Set<DatabaseSync>()

/**
 * Takes an operating-system lock on a file, which is made when it does not exist and must never be removed. The kernel
 * ends the lock with the process, however that ends, and no earlier: a suspended process keeps it. It does not depend on
 * process ids, so it also holds between containers. Node offers no such lock by itself; SQLite takes one (fcntl,
 * LockFileEx) for a transaction that excludes all others.
 * @returns the function that ends the lock; undefined: somebody else has it
 */
export function holdFile(file: string): (() => void) | undefined {
  ensureWritable(file)
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(file)
  try {
    database.exec(HOLD_FILE)
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === BUSY) return undefined
    throw error
  }
  held.add(database)
  return () => {
    if (held.delete(database)) database.close()
  }
}
