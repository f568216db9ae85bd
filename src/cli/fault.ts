import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { FaultPlan } from '../faults/fault-plan.ts'
import { UsageError } from './command/exit-codes.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { readBody } from './reach/record-pages.ts'
import { listText } from './result/list-text.ts'
import { addJsonFlag } from './result/outcome.ts'
import { countText } from './result/terminal-text.ts'
import { type Work, workIn } from './work/work-command.ts'

const FAULTS = '/setup/faults'

interface ListedFault extends FaultPlan {
  readonly name: string
  readonly matched: number
  readonly struck: number
}

const pathOf = (name: string) => `${FAULTS}/${encodeURIComponent(name)}`

/** `method=GET route=/query`; undefined where nothing is said. */
function pairsText(members: object | undefined): string | null {
  if (members === undefined) return null
  const pairs = Object.entries(members).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  return pairs.length === 0 ? null : pairs.join(' ')
}

const list: Work = async (org, _flags, { terminal }) => {
  const faults = await readBody<ListedFault[]>(org.call('GET', FAULTS))
  const titles = ['name', 'match', 'until', 'effect', 'matched', 'struck']
  const rows = faults.map(({ name, match, until, effect, matched, struck }) => [
    ...[name, pairsText(match), pairsText(until), pairsText(effect)],
    ...[matched, struck],
  ])
  return { text: listText(terminal, titles, rows, 'No fault is set.'), answer: faults }
}

const NUMBERS = ['version', 'step']

/** `method=GET` as a member of a match. */
function parsePair(text: string): [string, unknown] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined)
    throw new UsageError(`--match takes a name and a value, like method=GET, not ${text}`)
  return [name, NUMBERS.includes(name) ? parseNumber(name, value) : value]
}

function parseNumber(name: string, text: unknown): number | undefined {
  if (text === undefined) return undefined
  if (String(text).trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  throw new UsageError(`${name} is a number, not ${text}`)
}

/** Returns the set members as an object; undefined if none is. */
function said(members: readonly (readonly [string, unknown])[]): object | undefined {
  const there = members.filter(([, value]) => value !== undefined)
  return there.length === 0 ? undefined : Object.fromEntries(there)
}

/** The plan that the flags of a command tell. */
async function makePlan(flags: Flags): Promise<object> {
  const { parseEffectText } = await import('../faults/fault-plan.ts')
  const numbers = ['nth', 'every', 'percent', 'seed'].map(
    (name) => [name, parseNumber(`--${name}`, flags[name])] as const,
  )
  const pairs = (flags.match ?? []) as readonly string[]
  return {
    match: said([...pairs.map(parsePair), ...numbers]),
    until: said([
      ['count', parseNumber('--count', flags.count)],
      ['time', flags.until],
    ]),
    effect: parseEffectText(String(flags.effect)),
  }
}

const set =
  (terminal: Terminal) =>
  (name: string, flags: Flags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      await readBody(org.call('PUT', pathOf(name), await makePlan(flags)))
      return `Fault ${name} is set.\n`
    })

const apply =
  (terminal: Terminal) =>
  (file: string, flags: Flags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      const { readFaultFile } = await import('../faults/read-fault-file.ts')
      const plans = readFaultFile(readFileSync(file, 'utf8'), file)
      for (const [name, plan] of plans) await readBody(org.call('PUT', pathOf(name), plan))
      return plans.size === 1 ? '1 fault is set.\n' : `${countText(plans.size)} faults are set.\n`
    })

const clear =
  (terminal: Terminal) =>
  (name: string | undefined, flags: Flags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      await readBody(org.call('DELETE', name === undefined ? FAULTS : pathOf(name)))
      return name === undefined ? 'No fault is set any more.\n' : `Fault ${name} is gone.\n`
    })

function setting(terminal: Terminal): Command {
  const collect = (value: string, others: readonly string[] = []) => [...others, value]
  const command = new Command('set')
    .description('Inject a fault from now on; its counts start again.')
    .argument('<name>')
    .requiredOption('--effect <effect>', 'what happens: limit=total, status=503, retired, or JSON')
    .option(
      '--match <name=value>',
      'to which calls: route, method, grant, app, user, version, step; may come again',
      collect,
    )
    .option('--nth <number>', 'to this one of them only')
    .option('--every <number>', 'to each of them that the number divides')
    .option('--percent <number>', 'to so many of a hundred of them')
    .option('--seed <number>', 'which ones of a hundred; default 0')
    .option('--count <number>', 'so often at most')
    .option('--until <time>', 'until then: 2026-12-31T23:59:59Z')
  return addOrgFlags(command).action(set(terminal))
}

/** `objectry fault list|set|apply|clear`: the faults that are injected into the calls of an org. */
export function faultCommand(terminal: Terminal): Command {
  const listing = new Command('list').description('Print the faults, with how many calls each met.')
  const applying = new Command('apply').description('Set the faults of a YAML file.').argument('<file>')
  const clearing = new Command('clear').description('Take a fault away, or all of them.').argument('[name]')
  return new Command('fault')
    .description(
      'The faults that are injected into the calls of an org; the server has to allow them: --allow-faults.',
    )
    .addCommand(addOrgFlags(addJsonFlag(listing)).action((flags: Flags) => workIn(terminal, flags, {}, list)))
    .addCommand(setting(terminal))
    .addCommand(addOrgFlags(applying).action(apply(terminal)))
    .addCommand(addOrgFlags(clearing).action(clear(terminal)))
}
