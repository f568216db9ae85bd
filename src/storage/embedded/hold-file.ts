import { accessSync, constants, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { HOLD_FILE } from './hold-file.sql.ts'

/** SQLITE_BUSY: another process, or this one, has the lock. */
const BUSY = 5

function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  // Node 22 and older releases of Node 24 print a warning about an experimental feature.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** SQLite opens a file without write permission as read-only, and then takes no exclusive lock. */
function ensureWritable(file: string): void {
  try {
    // An existing file is not opened: closing it would release a lock that this process holds.
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    accessSync(file, constants.R_OK | constants.W_OK)
  }
}

/** A lock is released when its connection is garbage collected, so all connections are kept here. */
const held = new Set<DatabaseSync>()

/**
 * Takes an operating-system lock on a file, which is created if it does not exist and must never be removed. The kernel
 * releases the lock when the process ends, and not earlier: a suspended process keeps it. It does not depend on
 * process ids, so it also works across containers. Node has no API for such locks; SQLite takes one (fcntl,
 * LockFileEx) for an exclusive transaction.
 * @returns a function that releases the lock; undefined if another holder has it
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
