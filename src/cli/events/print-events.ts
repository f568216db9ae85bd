import type { Flags } from '../command/setting-flags.ts'
import type { Terminal } from '../command/terminal.ts'
import { terminalWidth } from '../result/table-style.ts'
import { cutToWidth, printable } from '../result/terminal-text.ts'
import { writeText } from '../result/write-out.ts'
import type { ReceivedEvent } from './follow-events.ts'

interface Message {
  readonly channel: string
  readonly data: {
    readonly payload: Readonly<Record<string, unknown>> & {
      readonly ChangeEventHeader?: {
        readonly entityName: string
        readonly changeType: string
        readonly recordIds: readonly string[]
        readonly commitTimestamp: number
      }
    }
  }
}

/** An event on one line for people: position, time, what happened, the values. */
function eventLine({ position, text }: ReceivedEvent): string {
  const { channel, data } = JSON.parse(text) as Message
  const { ChangeEventHeader: header, ...values } = data.payload
  if (header === undefined) {
    const { CreatedDate, CreatedById, ...fields } = values
    return `${position}  ${CreatedDate}  ${channel.split('/').at(-1)}  ${JSON.stringify(fields)}`
  }
  const time = new Date(header.commitTimestamp).toISOString()
  const what = `${header.changeType} ${header.entityName} ${header.recordIds.join(' ')}`
  const shown = Object.keys(values).length === 0 ? '' : `  ${JSON.stringify(values)}`
  return `${position}  ${time}  ${what}${shown}`
}

/**
 * Prints events as they come: on a terminal a line for people that fits, elsewhere the JSON.
 * @param max ends after as many
 * @param to the last position that is printed
 */
export async function printEvents(
  terminal: Terminal,
  events: AsyncIterable<ReceivedEvent>,
  { json }: Flags,
  { max = Number.POSITIVE_INFINITY, to = Number.POSITIVE_INFINITY }: { max?: number; to?: number },
): Promise<void> {
  const width = json === true ? undefined : terminalWidth(terminal.stdout)
  let count = 0
  for await (const event of events) {
    if (event.position > to) return
    const line = width === undefined ? event.text : cutToWidth(printable(eventLine(event)), width)
    await writeText(terminal, `${line}\n`, undefined)
    count++
    if (count >= max || event.position >= to) return
  }
}
