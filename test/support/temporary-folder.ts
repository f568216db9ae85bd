import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Space that the data folders of a run need at most, in bytes. */
const ENOUGH = 2 * 1024 ** 3

/** A folder in memory, where the system has one that is large enough: containers often have 64 MB. */
const FAST_FOLDER = (() => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize >= ENOUGH) return '/dev/shm'
  } catch {
    // Other systems have none.
  }
  return tmpdir()
})()

const NAME = /^objectry-test-(\d+)-/

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** An empty folder for data that tests write, whose name has the id of this process, and the function that removes it. */
export function makeTemporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(FAST_FOLDER, `objectry-test-${process.pid}-`))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Removes the folders of processes that were killed. */
export function removeAbandonedFolders(): void {
  for (const name of readdirSync(FAST_FOLDER)) {
    const [, pid] = NAME.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(FAST_FOLDER, name), { recursive: true, force: true })
  }
}
