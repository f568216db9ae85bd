import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { makeDataFolder } from '../../base/make-folder.ts'
import { holdFile } from './hold-file.ts'

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** True if the process is Objectry's command line, as far as the system shows. */
function mayBeObjectry(pid: number): boolean {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return args.some((arg) => /^objectry(\.[jt]s)?$/.test(basename(arg)))
  } catch {
    return true
  }
}

/** The process id in a lock file; undefined if there is none. */
function readHolder(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    return /^[1-9]\d*\n$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}

const REMEDY = 'Stop it first, or choose another folder with OBJECTRY_DATA.'

/** The process id of a holder in another container has no meaning here. */
function nameHolder(pid: number | undefined): string {
  if (pid === process.pid) return 'this process, or one in another container'
  if (pid !== undefined && isRunning(pid) && mayBeObjectry(pid)) return `process ${pid}`
  return 'another process, which may run in another container'
}

function holdFolder(folder: string): (() => void) | undefined {
  try {
    return holdFile(`${folder}.owner`)
  } catch (cause) {
    throw new Error(
      `The data folder ${folder} cannot be locked: ${(cause as Error).message}. Give this user write access to ${dirname(folder)}, or choose another folder with OBJECTRY_DATA.`,
      { cause },
    )
  }
}

/**
 * The embedded engine belongs to one process: two on one folder would corrupt it. The file `<folder>.owner` carries an
 * operating-system lock for as long as the process lives. The file `<folder>.lock` has the process id of the holder, for messages.
 * @returns a function that releases the lock
 */
export function lockDataFolder(folder: string): () => void {
  makeDataFolder(dirname(folder))
  const release = holdFolder(folder)
  const file = `${folder}.lock`
  if (release === undefined) {
    throw new Error(`The data folder ${folder} is in use by ${nameHolder(readHolder(file))}. ${REMEDY}`)
  }
  try {
    writeFileSync(file, `${process.pid}\n`)
  } catch (error) {
    release()
    throw error
  }
  return () => {
    rmSync(file, { force: true })
    release()
  }
}
