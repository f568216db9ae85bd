import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { importedFiles } from './imported-files.ts'
import { CACHE_FOLDER } from './test-cache-folder.ts'
import { countWords, type Ran } from './test-messages.ts'
import { TestProcess } from './test-process.ts'

/**
 * Runs the suite, or a part of it:
 *
 *   npm test
 *   npm test -- test/interface/describe.test.ts     these files or folders
 *   npm test -- --slowest 20                        says which files took longest, and where most memory was held
 *
 * With TEST_DATABASE_URL it runs on that PostgreSQL server instead of the embedded engine, without the files that have
 * nothing to do with it. Processes, one more than there are processors, take files from a queue, those first that took
 * longest in the last run. No file runs a second time: a test that fails now and then is a defect. `test/README.md` says
 * which folders have a command of their own.
 *
 * Ends with 0 when all tests have passed, 1 when one has failed, 2 when there is nothing to run, and 130 or 143 when it is
 * interrupted or ended: it says then which tests were running.
 */
const { values, positionals } = readArguments()

/** Says what is wrong with the command and ends the run. */
function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}

function readArguments() {
  try {
    return parseArgs({
      options: { slowest: { type: 'string' }, workers: { type: 'string' } },
      allowPositionals: true,
    })
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/** The number that an option has, at least 1. */
function readNumber(option: 'slowest' | 'workers'): number | undefined {
  const given = values[option]
  if (given === undefined) return undefined
  return /^[1-9]\d{0,3}$/.test(given)
    ? Number(given)
    : refuse(`--${option} is a number from 1 to 9999, not ${given}.`)
}

const MAX_WORKERS = 4

/** Folders with a command of their own, such as `npm test -- test/docs`. */
const OTHER_SUITES = ['browser', 'clients', 'cluster', 'console', 'docs', 'processes', 'upgrades']

const isOnPostgres = process.env.TEST_DATABASE_URL !== undefined

/** How long each file took in its last run. */
const TIMES_FILE = join(CACHE_FOLDER, `times-${isOnPostgres ? 'postgresql' : 'embedded'}.json`)

type Times = Record<string, number>

function readTimes(): Times {
  try {
    return JSON.parse(readFileSync(TIMES_FILE, 'utf8'))
  } catch {
    return {}
  }
}

/** True if a file asks for the database of the suite, or knows that there is one. */
function usesDatabase(file: string): boolean {
  const engine = resolve('test/support/engine.ts')
  return [...importedFiles(file)].some(
    (path) =>
      path === engine ||
      (path.includes('/test/') && /\bTEST_DATABASE_URL\b/.test(readFileSync(path, 'utf8'))),
  )
}

function findFiles(): string[] {
  const missing = positionals.find((path) => !existsSync(path))
  if (missing !== undefined) refuse(`There is no file or folder ${missing}.`)
  const folders = positionals.filter((path) => statSync(path).isDirectory())
  const named = positionals.filter((path) => !folders.includes(path))
  const found =
    positionals.length > 0
      ? folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
      : globSync('test/**/*.test.ts').filter(
          (file) => !OTHER_SUITES.some((suite) => file.startsWith(join('test', suite, '/'))),
        )
  return [...named, ...(isOnPostgres ? found.filter(usesDatabase) : found)]
}

const lastTimes = readTimes()
/** A file that is new may take as long as its size says: a second for each 2 kB. */
const expectedTime = (file: string) => lastTimes[file] ?? statSync(file).size / 2
const queue = findFiles()
  .map((file) => relative('.', file))
  .sort((a, b) => expectedTime(b) - expectedTime(a))

const fileCount = queue.length
if (fileCount === 0) {
  const onPostgres = isOnPostgres ? ' that needs the database of TEST_DATABASE_URL' : ''
  refuse(`There is no test${onPostgres} in ${positionals.join(', ')}.`)
}
const slowest = readNumber('slowest') ?? 0
const workerCount = readNumber('workers') ?? Math.min(availableParallelism() + 1, MAX_WORKERS)
const ran: Ran[] = []

const sumCounts = (key: string) => ran.reduce((total, { counts }) => total + (counts[key] ?? 0), 0)

function report(result: Ran): void {
  ran.push(result)
  const seconds = (result.milliseconds / 1000).toFixed(1)
  process.stdout.write(`\n${result.file} (${ran.length} of ${fileCount}, ${seconds} s)\n${result.text}`)
  if (result.failures !== '') process.stdout.write(result.failures)
}

const TEMPLATE = resolve('test/support/template.ts')

let isTemplateMade = false

/** Makes the template before the processes that would otherwise all make it. */
async function makeTemplate(): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'make-template.ts')], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exit(1)
  isTemplateMade = true
}

/** Takes a file from the queue; until the template is made, those that do not use it. */
async function takeFile(): Promise<string | undefined> {
  if (!isTemplateMade) {
    const at = queue.findIndex((file) => !importedFiles(file).has(TEMPLATE))
    if (at >= 0) return queue.splice(at, 1)[0]
    await template
  }
  return queue.shift()
}

const processes = new Set<TestProcess>()

/** Runs files from the queue in processes, one after the other, until there are none left. */
async function work(): Promise<void> {
  while (queue.length > 0) {
    const child = new TestProcess({ takeFile, report })
    processes.add(child)
    await child.serve()
    processes.delete(child)
  }
}

/** Ends the run in the middle. */
async function interrupt(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  queue.length = 0
  const running = [...processes].flatMap((child) => child.running ?? [])
  process.stdout.write(
    `\nEnded by ${signal}. Running were:\n${running.map((test) => `  ${test}\n`).join('')}`,
  )
  interruption = Promise.all([...processes].map((child) => child.stop()))
  await interruption
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

let interruption: Promise<unknown> | undefined

process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)

const startedAt = performance.now()
const template = makeTemplate()
await Promise.all(Array.from({ length: Math.min(workerCount, queue.length) }, work))
if (interruption !== undefined) await new Promise(() => undefined)

const hasFailed = ({ counts }: Ran) => (counts.failed ?? 0) + (counts.cancelled ?? 0) > 0
const times: Times = { ...lastTimes }
for (const { file, milliseconds } of ran) times[file] = milliseconds
mkdirSync(CACHE_FOLDER, { recursive: true, mode: 0o700 })
writeFileSync(TIMES_FILE, JSON.stringify(times))

/** Writes the files with the largest numbers. */
function writeLargest(title: string, numberOf: (one: Ran) => number, digits: number): void {
  const largest = ran.toSorted((a, b) => numberOf(b) - numberOf(a)).slice(0, slowest)
  if (largest.length > 0) process.stdout.write(`\n${title}:\n`)
  for (const one of largest) {
    process.stdout.write(`${numberOf(one).toFixed(digits).padStart(6)}  ${one.file}\n`)
  }
}

writeLargest('The slowest files, in seconds', ({ milliseconds }) => milliseconds / 1000, 1)
writeLargest('Files in which a process held more memory than before, in MB', ({ peak }) => peak ?? 0, 0)

const failures = ran.filter(hasFailed)
if (failures.length > 0) {
  process.stdout.write('\nfailing tests:\n')
  for (const { file, failures: text } of failures) process.stdout.write(`\n${file}\n${text}`)
  process.stdout.write(`\nOnly these again: npm test -- ${failures.map(({ file }) => file).join(' ')}\n`)
}
/** Node's own words for the numbers of its event. */
const NAMES: Readonly<Record<string, string>> = { pass: 'passed', fail: 'failed' }
process.stdout.write('\n')
for (const word of countWords) process.stdout.write(`ℹ ${word} ${sumCounts(NAMES[word] ?? word)}\n`)
process.stdout.write(`ℹ duration_ms ${Math.round(performance.now() - startedAt)}\n`)
process.exit(failures.length === 0 ? 0 : 1)
