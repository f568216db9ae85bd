import { pathToFileURL } from 'node:url'

/** Names of files that Node runs as they are. */
export const isModule = (name: string) => /\.(ts|mts|js|mjs)$/.test(name) && !/\.d\.m?ts$/.test(name)

/**
 * Loads the default export of a file of a deployment. Node runs the file as it is; a message of its own has the place of
 * what it does not understand.
 * @param kind what the file is, for messages: `trigger`
 */
export async function loadModule(kind: string, file: string): Promise<unknown> {
  try {
    const loaded: { default?: unknown } = await import(pathToFileURL(file).href)
    return loaded.default
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    throw new Error(`The ${kind} ${file} cannot be loaded: ${reason.split('\n    at ')[0]}`, { cause: error })
  }
}

/** The location of an error in a deployed file: `: line 4, column 11`; empty when it was not in that file. */
export function locationIn(stack: string | undefined, file: string): string {
  const at = stack?.indexOf(file) ?? -1
  const match = at < 0 ? null : /^:(\d+):(\d+)/.exec(stack!.slice(at + file.length))
  return match === null ? '' : `: line ${match[1]}, column ${match[2]}`
}
