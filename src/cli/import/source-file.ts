import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'

/** File name that stands for standard input. */
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

/** Spreadsheets save "Unicode text" as UTF-16, which begins with this mark in one order of bytes or the other. */
const isUtf16 = (begin: Buffer) => ['fffe', 'feff'].includes(begin.toString('hex', 0, 2))

function notUtf8(name: string, from: number, encoding: 'UTF-16' | 'WINDOWS-1252'): Error {
  return new Error(
    `${name} is not UTF-8 text (looked at from byte ${from} on). Convert it first: iconv -f ${encoding} -t UTF-8`,
  )
}

/** @throws Error when it is not there, with a message for the person at the terminal */
export function openSourceFile(path: string, stdin: Readable): SourceFile {
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
          throw notUtf8(name, taken, taken === 0 && chunk && isUtf16(chunk) ? 'UTF-16' : 'WINDOWS-1252')
        }
      }
      const stream = isStdin ? stdin : createReadStream(path)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        decode(chunk)
        taken += chunk.length
        yield chunk
      }
      decode()
    },
  }
}
