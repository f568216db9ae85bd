import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDataFolder } from './make-data-folder.ts'

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * The embedded engine belongs to one process: two on one folder would destroy it. The lock is a file beside the
 * folder that holds our process id; the lock of a process that is gone is taken over.
 * @returns the function that gives the lock back
 */
export function lockDataFolder(folder: string): () => void {
  const file = `${folder}.lock`
  makeDataFolder(dirname(file))
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = Number(readFileSync(file, 'utf8'))
    if (owner !== process.pid && owner > 0 && isRunning(owner)) {
      throw new Error(
        `The data folder ${folder} is in use by process ${owner}. Stop it first, or choose another folder with OBJECTRY_DATA.`,
      )
    }
    writeFileSync(file, String(process.pid))
  }
  return () => rmSync(file, { force: true })
}
