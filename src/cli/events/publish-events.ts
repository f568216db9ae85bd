import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { isObject } from '../../base/json.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { CommandEnd, UsageError } from '../command/exit-codes.ts'
import type { Flags } from '../command/setting-flags.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import { startProgress } from '../result/progress.ts'
import { countText, printable } from '../result/terminal-text.ts'
import { writeText } from '../result/write-out.ts'
import type { WorkContext } from '../work/work-command.ts'

/** Events of one call, and their characters together. */
const MAX_EVENTS = 200
const MAX_LENGTH = 2_000_000

const LINE_END = 0x0a

/** An event to publish, with its place in the file. */
interface Line {
  readonly number: number
  /** Absent from a line that is not UTF-8. */
  readonly text: string | undefined
}

/** The arguments of the command. */
interface Given {
  readonly event: string
  /** The argument with the fields of one event, or `-`. */
  readonly fields: string | undefined
}

interface Published {
  readonly id?: string
  readonly success: boolean
  readonly errors: readonly { readonly statusCode: string; readonly message: string }[]
}

/** @throws UsageError for what no event can be published by */
export function checkGiven({ event, fields }: Given, { file }: Flags): void {
  if (!isEventObject(event.toLowerCase())) {
    throw new UsageError(
      `${event} is no platform event: their names end in __e. Records are written by objectry import.`,
    )
  }
  if ((fields === undefined) === (file === undefined))
    throw new UsageError('Give the fields of one event as JSON, "-" for standard input, or --file.')
}

/** @throws Error when the file cannot be read */
async function openFile(path: string): Promise<Readable> {
  try {
    const file = await open(path)
    if (!(await file.stat()).isDirectory()) return file.createReadStream()
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`There is no file ${path}.`)
    throw error
  }
  throw new Error(`${path} is a folder: give a file with an event in each line.`)
}

/** The lines of a text, without their ends. */
async function* splitLines(input: Readable): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  for await (const chunk of input) {
    let rest: Buffer = Buffer.from(chunk)
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      yield Buffer.concat([...pieces, rest.subarray(0, end)])
      pieces = []
      rest = rest.subarray(end + 1)
    }
    pieces.push(rest)
  }
  yield Buffer.concat(pieces)
}

/** The lines of a file or of standard input that are not empty. */
async function* readLines(input: Readable): AsyncGenerator<Line> {
  let number = 0
  for await (const bytes of splitLines(input)) {
    number++
    const text = bytes.toString()
    if (!isUtf8(bytes)) yield { number, text: undefined }
    // `trim` takes the mark away that some programs begin a file with.
    else if (text.trim() !== '') yield { number, text: text.trim() }
  }
}

async function* only(text: string): AsyncGenerator<Line> {
  yield { number: 1, text }
}

async function* inBatches(lines: AsyncIterable<Line>): AsyncGenerator<readonly Line[]> {
  let batch: Line[] = []
  let length = 0
  for await (const line of lines) {
    const added = line.text?.length ?? 0
    if (batch.length === MAX_EVENTS || (batch.length > 0 && length + added > MAX_LENGTH)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(line)
    length += added
  }
  if (batch.length > 0) yield batch
}

/** The fields of an event, or why there are none. */
function parseFields({ text }: Line): object | string {
  if (text === undefined) return 'This is not UTF-8 text'
  try {
    const fields: unknown = JSON.parse(text)
    if (isObject(fields)) return fields
  } catch {
    // No JSON at all.
  }
  return 'This is no JSON object'
}

async function publishBatch(
  org: ReachedOrg,
  type: string,
  batch: readonly Line[],
): Promise<readonly Published[]> {
  const fields = batch.map(parseFields)
  const records = fields.flatMap((one) => (typeof one === 'string' ? [] : [{ ...one, attributes: { type } }]))
  const sent =
    records.length === 0
      ? []
      : await readBody<readonly Published[]>(
          org.call('POST', '/composite/sobjects', { allOrNone: false, records }),
        )
  const results = sent.values()
  return fields.map((one) =>
    typeof one === 'string'
      ? { success: false, errors: [{ statusCode: 'JSON_PARSER_ERROR', message: one }] }
      : results.next().value!,
  )
}

const resultText = ({ id, errors }: Published) => `${id}  ${errors[0]?.message ?? ''}`.trimEnd()

/**
 * Publishes events, up to 200 with a call, and prints the id and the uuid of each. Refusals are on standard error.
 * @throws CommandEnd with exit code 1 when one was refused
 */
export async function publishEvents(
  org: ReachedOrg,
  { event, fields }: Given,
  flags: Flags,
  context: WorkContext,
): Promise<void> {
  const { terminal, signal } = context
  const isOne = fields !== undefined && fields !== '-'
  const input = flags.file === undefined ? terminal.stdin : await openFile(String(flags.file))
  const lines = isOne ? only(fields) : readLines(input)
  let published = 0
  let refused = 0
  const words = (count: number) => `${countText(count)} events`
  const progress = startProgress(terminal, { total: undefined, words })
  try {
    for await (const batch of inBatches(lines)) {
      signal.throwIfAborted()
      const results = await publishBatch(org, event, batch)
      const done = results.filter(({ success }) => success)
      published += done.length
      refused += results.length - done.length
      const shown = flags.json === true ? results.map((one) => JSON.stringify(one)) : done.map(resultText)
      // Who does not read to the end wants the rest published all the same. Any other failure is reported by the stream.
      await writeText(terminal, shown.map((line) => `${line}\n`).join(''), undefined).catch(() => {})
      for (const [at, { success, errors }] of results.entries()) {
        if (success) continue
        const where = isOne ? '' : `line ${batch[at]!.number}: `
        const why = errors.map(({ statusCode, message }) => `${statusCode}: ${message}`).join('; ')
        terminal.stderr.write(`${where}${printable(why)}\n`)
      }
      progress.reach(published + refused, published + refused)
    }
  } finally {
    progress.stop()
    if (!isOne) {
      const rest = refused === 0 ? '' : `, ${countText(refused)} refused`
      terminal.stderr.write(`${countText(published)} published${rest}\n`)
    }
  }
  if (refused > 0) throw new CommandEnd(1)
}
