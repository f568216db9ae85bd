import { Command } from 'commander'
import { UsageError } from './command/exit-codes.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag, type Outcome } from './result/outcome.ts'
import { workIn } from './work/work-command.ts'

const CLOCK = '/setup/orgs/current/clock'

interface Reported {
  readonly now: string
  readonly aheadSeconds: number
}

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const

/** `36h`, `1d12h`, `90s` in seconds. */
function secondsIn(text: string): number {
  if (!/^(\d+(\.\d+)?[smhdw])+$/.test(text)) {
    throw new UsageError(`How far? A time like 90s, 15m, 36h, 2d or 1w, not "${text}".`)
  }
  const parts = [...text.matchAll(/([\d.]+)([smhdw])/g)]
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit as keyof typeof UNITS], 0)
}

/** A day alone is its first moment. */
function parseTimestampArgument(text: string): string {
  const timestamp = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text
  if (/^\d{4}-/.test(timestamp) && !Number.isNaN(Date.parse(timestamp))) return timestamp
  throw new UsageError(`When? A day like 2028-06-01 or a moment like 2028-06-01T08:00:00Z, not "${text}".`)
}

/** `1 day 2 hours`, the two largest parts. */
function lengthText(seconds: number): string {
  const parts: string[] = []
  let rest = Math.abs(seconds)
  for (const [name, length] of [
    ['day', UNITS.d],
    ['hour', UNITS.h],
    ['minute', UNITS.m],
    ['second', 1],
  ] as const) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
  }
  return parts.slice(0, 2).join(' ')
}

function describeClock(answer: Reported): Outcome {
  const { now, aheadSeconds } = answer
  const where = aheadSeconds > 0 ? 'ahead of' : 'behind'
  const how =
    aheadSeconds === 0 ? "the machine's time" : `${lengthText(aheadSeconds)} ${where} the machine's time`
  return { text: `${now.slice(0, 19)}Z, ${how}\n`, answer }
}

type Send = (org: ReachedOrg, argument: string) => ReturnType<ReachedOrg['call']>

function makePart(
  terminal: Terminal,
  name: string,
  description: string,
  argument: string | undefined,
  send: Send,
): Command {
  const command = new Command(name).description(description)
  if (argument !== undefined) command.argument(argument)
  return addOrgFlags(addJsonFlag(command), ['allowFaults']).action((...given: unknown[]) => {
    const flags = given.at(-2) as Flags
    const text = argument === undefined ? '' : String(given[0])
    return workIn(terminal, flags, {}, async (org) =>
      describeClock(await readBody<Reported>(send(org, text))),
    )
  })
}

/** The clock of an org, moved for tests of what time changes. */
export function clockCommand(terminal: Terminal): Command {
  const part = (name: string, description: string, argument: string | undefined, send: Send) =>
    makePart(terminal, name, description, argument, send)
  return new Command('clock')
    .description(
      "Move an org's clock: windows slide, tokens expire and versions retire when you want them to.",
    )
    .addCommand(part('show', 'Print the time of the org.', undefined, (org) => org.call('GET', CLOCK)))
    .addCommand(
      part('set', 'Set it to a day or a moment: 2028-06-01T08:00:00Z.', '<moment>', (org, text) =>
        org.call('PUT', CLOCK, { now: parseTimestampArgument(text) }),
      ),
    )
    .addCommand(
      part('advance', 'Move it forward: 90s, 15m, 36h, 2d, 1w.', '<time>', (org, text) =>
        org.call('PUT', CLOCK, { advanceSeconds: secondsIn(text) }),
      ),
    )
    .addCommand(
      part('reset', "Put it back to the machine's time.", undefined, (org) => org.call('DELETE', CLOCK)),
    )
}
