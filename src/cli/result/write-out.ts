import { type FileHandle, open } from 'node:fs/promises'
import { getErrorMessage } from '../command/get-error-message.ts'
import type { Terminal } from '../command/terminal.ts'

/** Resolves when the reader took the text, so that no more is held than one piece. */
function writeToStdout({ stdout }: Terminal, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

/** A file is opened only when there is something to write: a query that fails leaves an older one alone. */
async function writeToFile(pieces: AsyncIterable<string>, file: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    for await (const piece of pieces) {
      handle ??= await open(file, 'w')
      await handle.writeFile(piece)
    }
  } catch (error) {
    if (handle === undefined) throw error
    throw new Error(`${file} is incomplete: ${getErrorMessage(error)}`, { cause: error })
  } finally {
    await handle?.close()
  }
}

/** Writes a text that comes in pieces to a file, or to standard output, no faster than it is taken. */
export async function writeOut(
  terminal: Terminal,
  pieces: AsyncIterable<string>,
  file: string | undefined,
): Promise<void> {
  if (file !== undefined) return writeToFile(pieces, file)
  for await (const piece of pieces) await writeToStdout(terminal, piece)
}

/** The same for a text that is there as a whole. */
export async function writeText(terminal: Terminal, text: string, file: string | undefined): Promise<void> {
  async function* whole() {
    yield text
  }
  await writeOut(terminal, whole(), file)
}
