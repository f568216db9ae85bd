import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'

/** How far an import has come: so many batches are written, and their results are in the results file. */
export interface Reached {
  readonly batches: number
  /** The last row of them. */
  readonly row: number
  readonly written: number
  readonly refused: number
  /** How long the results file is with them. */
  readonly size: number
}

/** Conditions under which an import goes on: the same files, operation and org. */
export interface Undertaking {
  readonly files: readonly FilePrint[]
  readonly options: Readonly<Record<string, unknown>>
  /** Rows in a batch: others would be cut at other places. */
  readonly batch: number
  readonly location: string
}

interface FilePrint {
  readonly path: string
  readonly size: number
  readonly modified: number
  readonly beginning: string
}

const BEGINNING = 64 * 1024

/** By what a file is known again without reading all of it. */
export function filePrint(path: string): FilePrint {
  const { size, mtimeMs } = statSync(path)
  const buffer = Buffer.alloc(Math.min(size, BEGINNING))
  const file = openSync(path, 'r')
  try {
    readSync(file, buffer)
  } finally {
    closeSync(file)
  }
  return { path, size, modified: mtimeMs, beginning: createHash('sha256').update(buffer).digest('hex') }
}

export const NOTHING: Reached = { batches: 0, row: 0, written: 0, refused: 0, size: 0 }

/** The server forgets an import after two days; whoever goes on must be well before that. */
const LIFE = 47 * 60 * 60 * 1000

const keys = ['batches', 'row', 'written', 'refused', 'size'] as const

function parseReached(line: string): Reached | undefined {
  const numbers = line.split(' ').map(Number)
  if (numbers.length !== keys.length || numbers.some(Number.isNaN)) return undefined
  return Object.fromEntries(keys.map((key, at) => [key, numbers[at]])) as unknown as Reached
}

/** State of an earlier import. */
export interface Earlier {
  readonly job: string
  readonly reached: Reached
  /** It came to its end: there is nothing to go on with. */
  readonly finished: boolean
  /** Why it cannot go on; undefined: it can. */
  readonly obstacle: string | undefined
}

/** The last line of an import that came to its end. */
const FINISHED = 'finished'

/** Why two undertakings are not one. */
function difference(head: Undertaking, now: Undertaking): string | undefined {
  if (!isDeepStrictEqual(head.files, now.files)) return 'the file has changed since'
  if (!isDeepStrictEqual(head.options, now.options)) return 'it was begun with other options'
  if (head.location !== now.location) return 'it was begun on another database'
  return undefined
}

function obstacle(head: Undertaking, now: Undertaking, age: number): string | undefined {
  const different = difference(head, now)
  if (different !== undefined) return different
  if (head.batch !== now.batch) return `it was begun with --batch ${head.batch}`
  if (age <= LIFE) return undefined
  return 'it is more than two days old, and the server no longer knows which of its rows arrived'
}

function parseHead(path: string, head: string): Undertaking & { readonly job: string } {
  try {
    return JSON.parse(head)
  } catch {
    throw new Error(`${path} is no note of an import. Move it away, or name another file with --results`)
  }
}

/**
 * Looks what is left of an import.
 * @param resultsSize how long the results file is: after a power cut it may lack what was noted as written
 */
export function findEarlier(path: string, now: Undertaking, resultsSize: number): Earlier | undefined {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  // An unfinished last line was cut off.
  const [head, ...lines] = text.split('\n').slice(0, -1)
  if (head === undefined) return undefined
  const { job, ...undertaking } = parseHead(path, head)
  const reached = lines.map(parseReached).findLast((one) => one !== undefined && one.size <= resultsSize)
  const finished = lines.at(-1) === FINISHED
  return {
    job,
    reached: reached ?? NOTHING,
    finished,
    obstacle: finished ? difference(undertaking, now) : obstacle(undertaking, now, age),
  }
}

/** The note beside the results that tells how far an import has come: a line for each batch. */
export class ProgressFile {
  readonly job: string
  readonly #file: FileHandle

  private constructor(job: string, file: FileHandle) {
    this.job = job
    this.#file = file
  }

  /** Begins a new note. */
  static async begin(path: string, undertaking: Undertaking): Promise<ProgressFile> {
    const job = randomUUID()
    const file = await open(path, 'w')
    await file.writeFile(`${JSON.stringify({ job, ...undertaking })}\n`)
    return new ProgressFile(job, file)
  }

  /** Goes on with one that is there. */
  static async goOn(path: string, { job, reached }: Earlier): Promise<ProgressFile> {
    const progress = new ProgressFile(job, await open(path, 'a'))
    // A line that was cut off ends here.
    await progress.#file.appendFile('\n')
    await progress.note(reached)
    return progress
  }

  async note(reached: Reached): Promise<void> {
    await this.#file.appendFile(`${keys.map((key) => reached[key]).join(' ')}\n`)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Notes that there is nothing left to do: who runs the same command again is told so. */
  async finish(): Promise<void> {
    await this.#file.appendFile(`${FINISHED}\n`)
  }
}
