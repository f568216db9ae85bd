import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

function makeOne(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}

/**
 * Creates a folder and its parents. The recursive `mkdirSync` of Node never returns if the file system answers
 * ENOENT although the parent exists, as below /proc.
 */
export function makeFolder(path: string): void {
  try {
    makeOne(path)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    makeFolder(parent)
    makeOne(path)
  }
}

/**
 * Creates the data folder unless it exists.
 * @throws Error with a message for the operator
 */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(path)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new Error(
      `The data folder ${path} cannot be created: ${reason}. Choose another folder with OBJECTRY_DATA.`,
      { cause },
    )
  }
}
