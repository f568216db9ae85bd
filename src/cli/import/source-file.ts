import { createReadStream, statSync } from 'node:fs'

/** What stands for standard input in the place of a file's name. */
export const STDIN = '-'

/** A file that is read once, from its beginning to its end. */
export interface SourceFile {
  readonly name: string
  /** In bytes; undefined for standard input. */
  readonly size: number | undefined
  /** Bytes that were taken from it so far. */
  taken(): number
  /** No more is held than one. */
  chunks(): AsyncGenerator<Buffer>
}

function notUtf8(name: string, from: number): Error {
  return new Error(
    `${name} is not UTF-8 text (looked at from byte ${from} on). Convert it first: iconv -f WINDOWS-1252 -t UTF-8`,
  )
}

/** @throws Error when it is not there, with a message for the person at the terminal */
export function openSourceFile(path: string): SourceFile {
  const isStdin = path === STDIN
  const size = isStdin ? undefined : statSync(path).size
  const name = isStdin ? 'standard input' : path
  let taken = 0
  return {
    name,
    size,
    taken: () => taken,
    async *chunks() {
      const check = new TextDecoder('utf-8', { fatal: true })
      const decode = (chunk?: Buffer) => {
        try {
          check.decode(chunk, { stream: chunk !== undefined })
        } catch {
          throw notUtf8(name, taken)
        }
      }
      const stream = isStdin ? process.stdin : createReadStream(path)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        decode(chunk)
        taken += chunk.length
        yield chunk
      }
      decode()
    },
  }
}
