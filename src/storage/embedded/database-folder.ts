import { existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from '../../base/make-folder.ts'
import { EngineStopped } from '../database/pg-error.ts'

const MEGABYTE = 1024 ** 2

/** Space for a first start: the database, its log, and room to work. */
const FIRST_START_MB = 96

/** With less space than a segment of the write-ahead log, the engine may fail at any write. */
const FULL_DISK_MB = 16

/**
 * With less space, nothing is written: a segment, and what one statement writes. When it cannot make a segment, the engine does not
 * fail: it never ends the statement.
 */
const LEAST_FREE_MB = FULL_DISK_MB + 8

/** Error numbers of the engine's file system: no space left, quota exceeded. */
const DISK_FULL = [51, 19]

/** Exists in the folder until its database has been created and opened once. */
const UNFINISHED_FILE = 'objectry.unfinished'
const unfinishedFile = (folder: string) => join(folder, UNFINISHED_FILE)

/** The engine takes a folder with this file for a database. */
export const VERSION_FILE = 'PG_VERSION'
const versionFile = (folder: string) => join(folder, VERSION_FILE)

const OTHER_FOLDER = 'choose another folder with OBJECTRY_DATA'

/** Free space in megabytes; undefined if the file system does not report it. */
function findFreeMegabytes(folder: string): number | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder)
    return blocks === 0 ? undefined : (bavail * bsize) / MEGABYTE
  } catch {
    return undefined
  }
}

/** With more space, it is enough to look each second. */
const AMPLE_MB = 512

const LOOK_INTERVAL_MS = 1000

/** The free space for the database of a folder, as far as its file system reports it. */
export class FreeSpace {
  readonly #folder: string
  #megabytes = 0
  #lookAt = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** True if the engine can write. */
  isEnough(): boolean {
    const now = performance.now()
    if (now >= this.#lookAt) {
      this.#megabytes = findFreeMegabytes(this.#folder) ?? Number.POSITIVE_INFINITY
      this.#lookAt = this.#megabytes < AMPLE_MB ? now : now + LOOK_INTERVAL_MS
    }
    return this.#megabytes >= LEAST_FREE_MB
  }
}

function diskFullError(folder: string, free: number | undefined, cause?: unknown): Error {
  const left = free === undefined ? '' : `: ${Math.floor(free)} MB are free`
  return new Error(
    `The disk of the data folder ${folder} has too little space${left}. Free at least ${FIRST_START_MB} MB, or ${OTHER_FOLDER}.`,
    { cause },
  )
}

/** True if the folder has a database. A folder whose first start was interrupted does not. */
export function isDatabaseFolder(folder: string): boolean {
  return existsSync(versionFile(folder)) && !existsSync(unfinishedFile(folder))
}

/**
 * Prepares the folder for the engine, which would overwrite a database whose PG_VERSION is missing.
 * @returns whether the engine will create a new database in it
 * @throws Error with a message for the operator
 */
export function prepareFolder(folder: string): boolean {
  if (isDatabaseFolder(folder)) return false
  // A database whose first start was interrupted has no data yet.
  if (existsSync(unfinishedFile(folder))) rmSync(folder, { recursive: true })
  makeDataFolder(folder)
  if (readdirSync(folder).length > 0) {
    throw new Error(
      `The data folder ${folder} has files but no database: PG_VERSION is missing. Restore the folder from a backup, remove it to start without data, or ${OTHER_FOLDER}.`,
    )
  }
  const free = findFreeMegabytes(folder)
  if (free !== undefined && free < FIRST_START_MB) {
    removeUnfinished(folder)
    throw diskFullError(folder, free)
  }
  writeFileSync(unfinishedFile(folder), '')
  return true
}

/** Marks the new database as complete: from now on the folder holds data. */
export function finishFolder(folder: string): void {
  rmSync(unfinishedFile(folder), { force: true })
}

/** Removes everything from the folder of a new database but the mark that it is not complete. */
export function emptyNewFolder(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name !== UNFINISHED_FILE) rmSync(join(folder, name), { recursive: true })
  }
}

/** Removes what a failed first start left. The original error matters more than a failure here. */
export function removeUnfinished(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The next start finds the mark of an unfinished first start, and tries again.
  }
}

interface Thrown {
  readonly name?: string
  readonly message?: string
  readonly code?: unknown
  readonly errno?: unknown
}

const isDiskFull = ({ name, code, errno }: Thrown) =>
  code === 'ENOSPC' || code === '53100' || (name === 'ErrnoError' && DISK_FULL.includes(errno as number))

/** The engine's program crashed, its file system failed, or PostgreSQL found its files damaged (classes 58 and XX). */
const isEngineFailure = ({ name, message, code }: Thrown) =>
  name === 'RuntimeError' ||
  name === 'ErrnoError' ||
  message === 'PGlite failed to initialize properly' ||
  /^(58|XX)...$/.test(String(code))

/** Converts an error of the engine to one with a message for the operator. Other errors are returned unchanged. */
export function explainEngineError(error: unknown, folder: string): unknown {
  const cause = error instanceof EngineStopped ? error.cause : error
  if (typeof cause !== 'object' || cause === null) return error
  const thrown: Thrown = cause
  const isFailure = isEngineFailure(thrown)
  const free = isFailure ? findFreeMegabytes(folder) : undefined
  if (isDiskFull(thrown) || (free !== undefined && free < FULL_DISK_MB)) {
    return diskFullError(folder, findFreeMegabytes(folder), error)
  }
  if (!isFailure) return error
  return new Error(
    `The database in the data folder ${folder} cannot be opened: its files are damaged, incomplete or not accessible. Restore the folder from a backup, or ${OTHER_FOLDER}.`,
    { cause: error },
  )
}
