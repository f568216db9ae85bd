import { Command, InvalidArgumentError, Option } from 'commander'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { Size } from './demo/catalog.ts'
import { addJsonFlag } from './result/outcome.ts'
import { countText } from './result/terminal-text.ts'
import { workIn } from './work/work-command.ts'

const SIZES = {
  s: { accounts: 6, products: 8, campaigns: 3, about: 200 },
  m: { accounts: 175, products: 40, campaigns: 12, about: 5_000 },
  l: { accounts: 3_450, products: 200, campaigns: 60, about: 100_000 },
} as const satisfies Record<string, Size>

interface DemoFlags extends Flags {
  readonly size: keyof typeof SIZES
  readonly seed: string
  readonly date: string
  readonly again?: boolean
}

/** Several connections of a PostgreSQL server work at once; the embedded engine has one. */
const LANES_ON_POSTGRES = 4

const MAX_SEED = 2 ** 32 - 1

function checkSeed(text: string): string {
  if (/^\d+$/.test(text) && Number(text) <= MAX_SEED) return text
  throw new InvalidArgumentError(`It is a whole number from 0 to ${MAX_SEED}.`)
}

function checkDay(text: string): string {
  const day = new Date(`${text}T00:00:00Z`)
  if (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(day.getTime()) &&
    day.toISOString().startsWith(text)
  ) {
    return text
  }
  throw new InvalidArgumentError('It is a day like 2026-03-01.')
}

const NUMBER_WIDTH = 9

const numberText = (count: number) => countText(count).padStart(NUMBER_WIDTH)

/** Counts of written records, an object on a line. */
function summaryText(counts: ReadonlyMap<string, number>): string {
  const width = Math.max(...[...counts.keys()].map(({ length }) => length))
  const line = (name: string, text: string) => `${name.padEnd(width)}  ${text}\n`
  const total = counts.values().reduce((sum, count) => sum + count, 0)
  const rule = line('-'.repeat(width), '-'.repeat(NUMBER_WIDTH))
  const lines = [...counts].map(([name, count]) => line(name, numberText(count)))
  return [
    line('Object', 'Records'.padStart(NUMBER_WIDTH)),
    rule,
    ...lines,
    rule,
    line('All', numberText(total)),
  ].join('')
}

async function demo(terminal: Terminal, flags: DemoFlags): Promise<void> {
  await workIn(terminal, flags, { writes: true }, async (org, _flags, { signal }) => {
    const { size, seed, date: today } = flags
    // The generators and their words are loaded for this command only.
    const { checkIsFresh, writeDemo } = await import('./demo/write-demo.ts')
    if (!flags.again) await checkIsFresh(org, flags.org)
    const lanes = configFrom(terminal, flags).databaseUrl === undefined ? 1 : LANES_ON_POSTGRES
    const began = performance.now()
    const counts = await writeDemo(
      terminal,
      org,
      { size: SIZES[size], seed: Number(seed), today, lanes },
      signal,
    )
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const same = `objectry demo --size ${size} --seed ${seed} --date ${today}`
    return {
      text: `${summaryText(counts)}\nWritten in ${seconds} s. The same again in another org: ${same}\n`,
      answer: { size, seed: Number(seed), date: today, records: Object.fromEntries(counts) },
    }
  })
}

/** `objectry demo`: sample data over the standard objects. */
export function demoCommand(terminal: Terminal): Command {
  const sizes = Object.entries(SIZES).map(([name, { about }]) => `${name}: ${countText(about)}`)
  const command = new Command('demo')
    .description('Fill an org with sample data.')
    .addOption(
      new Option('--size <size>', `about how many records (${sizes.join(', ')})`)
        .choices(Object.keys(SIZES))
        .default('s'),
    )
    .addOption(
      new Option('--seed <number>', 'another one gives other data').argParser(checkSeed).default('42'),
    )
    .addOption(
      new Option('--date <day>', 'the day that counts as today; the same gives the same data')
        .argParser(checkDay)
        .default(new Date().toISOString().slice(0, 10), 'today'),
    )
    .option('--again', 'write beside sample data that is there')
  return addOrgFlags(addJsonFlag(command), ['deployment']).action((flags: DemoFlags) => demo(terminal, flags))
}
