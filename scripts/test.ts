import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * Runs the whole suite: `npm test`, or `npm test -- test/interface/describe.test.ts` for a part. The whole is dealt out to
 * as many processes as there are processors, four at most, each with an engine of its own; a part runs in one. What the
 * first process says is shown as it says it, the others follow. With TEST_DATABASE_URL everything runs on that PostgreSQL
 * server instead of the embedded engine.
 */
const MOST_PROCESSES = 4

interface Run {
  readonly output: string
  readonly status: number
}

const OPTIONS = [
  '--test',
  '--test-isolation=none',
  '--test-reporter=spec',
  '--import=./test/support/property-seed.ts',
]

async function run(files: readonly string[], isShown: boolean): Promise<Run> {
  const child = spawn(process.execPath, [...OPTIONS, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (isShown) process.stdout.write(text)
  })
  const [code] = await once(child, 'close')
  return { output, status: code ?? 1 }
}

/** Like cards: neighbours, which are alike, go to different hands. */
function deal(files: readonly string[], hands: number): string[][] {
  return Array.from({ length: hands }, (_, hand) => files.filter((_file, index) => index % hands === hand))
}

/** The number behind a word of the reporter's summary, over all runs. */
const sum = (runs: readonly Run[], word: string) =>
  runs.reduce((total, { output }) => {
    const found = new RegExp(`ℹ (?:\\x1b\\[[0-9;]*m)*${word} (\\d+)`).exec(output)
    return total + Number(found?.[1] ?? 0)
  }, 0)

const asked = process.argv.slice(2)
const files = asked.length > 0 ? asked : globSync('test/**/*.test.ts').sort()
const hands = asked.length > 0 ? 1 : Math.min(availableParallelism(), MOST_PROCESSES)
const running = deal(files, hands).map((part, index) => run(part, index === 0))
const runs: Run[] = []
for (const [index, one] of running.entries()) {
  const finished = await one
  runs.push(finished)
  if (index > 0) process.stdout.write(finished.output)
}
if (runs.length > 1) {
  const words = ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo']
  const total = words.map((word) => `${sum(runs, word)} ${word}`).join(', ')
  process.stdout.write(`\nAll ${runs.length} processes: ${total}\n`)
}
process.exit(runs.some(({ status }) => status !== 0) ? 1 : 0)
