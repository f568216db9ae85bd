import { makeFolder } from '../../base/make-folder.ts'

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
