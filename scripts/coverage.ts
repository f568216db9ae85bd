import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/*
 * Runs the suite, or a part of it, and says which lines of src ran:
 *
 *   npm run coverage
 *   npm run coverage -- test/soql                  these files or folders; options are those of `npm test`
 *
 * c8 collects what V8 counts in every process and thread of the run that was not killed, the servers that tests start
 * among them. Its settings are in .c8rc.json.
 */

interface Count {
  readonly total: number
  readonly covered: number
}

const KINDS = ['lines', 'branches', 'functions'] as const

type FileSummary = Readonly<Record<(typeof KINDS)[number], Count>>

const c8 = join('node_modules', 'c8', 'bin', 'c8.js')
const { status } = spawnSync(
  process.execPath,
  [c8, process.execPath, join('scripts', 'test.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
)

const { total, ...files }: Readonly<Record<string, FileSummary>> = JSON.parse(
  readFileSync('coverage/coverage-summary.json', 'utf8'),
)
// Nothing ran: a file that is not there, say.
if (total!.lines.covered === 0) process.exit(status ?? 1)

/** `src/soql`, or `src` for a file outside the modules. */
const findFolder = (file: string) => relative('.', file).split(sep).slice(0, -1).slice(0, 2).join('/')

const percent = (counts: readonly Count[]) => {
  const sum = (name: keyof Count) => counts.reduce((all, count) => all + count[name], 0)
  return `${((100 * sum('covered')) / (sum('total') || 1)).toFixed(1)} %`.padStart(10)
}

const writeRow = (name: string, summaries: readonly FileSummary[]) =>
  process.stdout.write(
    `${name.padEnd(18)}${KINDS.map((kind) => percent(summaries.map((one) => one[kind]))).join('')}\n`,
  )

process.stdout.write(`\n${'folder'.padEnd(18)}${KINDS.map((kind) => kind.padStart(10)).join('')}\n`)
const folders = Map.groupBy(Object.keys(files), findFolder)
for (const folder of [...folders.keys()].sort()) {
  const summaries = folders.get(folder)!.map((file) => files[file]!)
  writeRow(folder, summaries)
}
writeRow('all', [total!])
process.stdout.write('\nEach file, line by line: coverage/index.html\n')
process.exit(status ?? 1)
