import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault } from './fault.ts'

/** A file system of its own that can be filled without doing harm to anybody else. */
export interface SmallDisk {
  readonly folder: string
  remove(): void
}

const MEGABYTES = 512

/** @returns why there is none, where it cannot be mounted */
export function mountSmallDisk(): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true })
    return `no tmpfs can be mounted here (${(error as Error).message.trim().split('\n').at(-1)})`
  }
  return {
    folder,
    remove() {
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true })
    },
  }
}

/** Writes until nothing fits any more. */
function fill(file: string): void {
  const descriptor = openSync(file, 'a')
  try {
    for (const size of [1 << 20, 4096]) writeUntilFull(descriptor, Buffer.alloc(size))
  } finally {
    closeSync(descriptor)
  }
}

function writeUntilFull(descriptor: number, bytes: Buffer): void {
  for (;;) {
    try {
      if (writeSync(descriptor, bytes) < bytes.length) return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}

/** @param repair what an operator does once there is space again */
export function diskFull({ folder }: SmallDisk, repair: () => Promise<void> = async () => {}): Fault {
  const ballast = join(folder, 'ballast')
  let filling: NodeJS.Timeout | undefined
  return {
    name: 'disk-full',
    async begin() {
      fill(ballast)
      // Space that the database gives back meanwhile is taken too.
      filling = setInterval(() => fill(ballast), 200)
    },
    async end() {
      clearInterval(filling)
      rmSync(ballast)
      await repair()
    },
  }
}
