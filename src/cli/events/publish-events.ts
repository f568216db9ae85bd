import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
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

/** An event to publish, with its place in the file. */
interface Line {
  readonly number: number
  readonly text: string
}

interface Published {
  readonly id?: string
  readonly success: boolean
  readonly errors: readonly { readonly statusCode: string; readonly message: string }[]
}

/** The lines of a file or of standard input that are not empty. */
async function* readLines(
  { terminal }: WorkContext,
  argument: string | undefined,
  { file }: Flags,
): AsyncGenerator<Line> {
  if ((argument === undefined) === (file === undefined))
    throw new UsageError('Give the fields of one event as JSON, "-" for standard input, or --file.')
  if (argument !== undefined && argument !== '-') {
    yield { number: 1, text: argument }
    return
  }
  const input = file === undefined ? terminal.stdin : createReadStream(String(file))
  // A file that cannot be read ends the lines without an error.
  let failure: unknown
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  input.once('error', (error: unknown) => {
    failure = error
    lines.close()
  })
  let number = 0
  for await (const text of lines) {
    number++
    if (text.trim() !== '') yield { number, text }
  }
  if (failure !== undefined) throw failure
}

async function* inBatches(lines: AsyncIterable<Line>): AsyncGenerator<readonly Line[]> {
  let batch: Line[] = []
  let length = 0
  for await (const line of lines) {
    if (batch.length === MAX_EVENTS || (batch.length > 0 && length + line.text.length > MAX_LENGTH)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(line)
    length += line.text.length
  }
  if (batch.length > 0) yield batch
}

/** The fields of an event; undefined: the text is no JSON object. */
function parseFields(text: string): object | undefined {
  try {
    const fields: unknown = JSON.parse(text)
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

async function publishBatch(
  org: ReachedOrg,
  type: string,
  batch: readonly Line[],
): Promise<readonly Published[]> {
  const fields = batch.map(({ text }) => parseFields(text))
  const records = fields.flatMap((one) => (one === undefined ? [] : [{ ...one, attributes: { type } }]))
  const sent =
    records.length === 0
      ? []
      : await readBody<readonly Published[]>(
          org.call('POST', '/composite/sobjects', { allOrNone: false, records }),
        )
  const results = sent.values()
  const errors = [{ statusCode: 'JSON_PARSER_ERROR', message: 'This is no JSON object' }]
  return fields.map((one) => (one === undefined ? { success: false, errors } : results.next().value!))
}

const resultText = ({ id, errors }: Published) => `${id}  ${errors[0]?.message ?? ''}`.trimEnd()

/**
 * Publishes events, up to 200 with a call, and prints the id and the uuid of each. Refusals are on standard error.
 * @throws CommandEnd with exit code 1 when one was refused
 */
export async function publishEvents(
  org: ReachedOrg,
  { event, fields: argument }: { readonly event: string; readonly fields: string | undefined },
  flags: Flags,
  context: WorkContext,
): Promise<void> {
  const { terminal, signal } = context
  const isOne = argument !== undefined && argument !== '-'
  let published = 0
  let refused = 0
  const words = (count: number) => `${countText(count)} events`
  const progress = startProgress(terminal, { total: undefined, words })
  try {
    for await (const batch of inBatches(readLines(context, argument, flags))) {
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
