import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { importedFiles } from './imported-files.ts'
import { CACHE_FOLDER, COMPILE_CACHE_FOLDER } from './test-cache-folder.ts'
import { type Counts, countWords, type FromWorker, type Ran } from './test-messages.ts'

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
 */
const { values, positionals } = parseArgs({
  options: { slowest: { type: 'string' }, workers: { type: 'string' } },
  allowPositionals: true,
})

const MAX_WORKERS = 4

/** A file that takes longer has failed, in milliseconds. The longest takes half a minute. */
const FILE_TIMEOUT_MS = 10 * 60 * 1000

/** Folders with a command of their own, such as `npm run test:docs`. */
const OTHER_SUITES = ['browser', 'clients', 'console', 'docs', 'processes', 'upgrades']

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

/** Whether a file asks for the database of the suite, or knows that there is one. */
function usesDatabase(file: string): boolean {
  const engine = resolve('test/support/engine.ts')
  return [...importedFiles(file)].some(
    (path) =>
      path === engine ||
      (path.includes('/test/') && /\bTEST_DATABASE_URL\b/.test(readFileSync(path, 'utf8'))),
  )
}

function findFiles(): string[] {
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
const ran: Ran[] = []

const sumCounts = (key: string) => ran.reduce((total, { counts }) => total + (counts[key] ?? 0), 0)

function report(result: Ran): void {
  ran.push(result)
  const seconds = (result.milliseconds / 1000).toFixed(1)
  process.stdout.write(`\n${result.file} (${ran.length} of ${fileCount}, ${seconds} s)\n${result.text}`)
  if (result.failures !== '') process.stdout.write(result.failures)
}

/** A file whose process ended or was ended before the file did. */
const broken = (file: string, reason: string, milliseconds: number): Ran => ({
  kind: 'ran',
  file,
  counts: { tests: 1, failed: 1 } satisfies Counts,
  milliseconds,
  text: '',
  failures: `✖ ${file}: ${reason}\n`,
})

/**
 * Optimising the embedded engine's code takes as long as it saves here, and 500 MB for a moment. A process collects its
 * garbage before it gives up for want of memory.
 */
const V8_FLAGS = ['--liftoff-only', '--expose-gc']

/** Compiled code is kept for the next process, unless coverage is counted: V8 counts less in code from a cache. */
const COMPILE_CACHE =
  process.env.NODE_V8_COVERAGE === undefined ? { NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER } : {}

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

/** Runs files from the queue in a process until there are none left. */
async function work(): Promise<void> {
  while (queue.length > 0) {
    const child = fork(join(import.meta.dirname, 'test-worker.ts'), {
      execArgv: [...process.execArgv, ...V8_FLAGS],
      env: {
        ...COMPILE_CACHE,
        ...process.env,
        NODE_ENV: 'test',
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      },
    })
    await serve(child)
  }
}

/** Resolves when the process has ended: all files are taken, or it broke. */
function serve(child: ChildProcess): Promise<void> {
  let file: string | undefined
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined
  let problem: string | undefined
  const next = async () => {
    file = await takeFile()
    if (file === undefined) return child.send({ kind: 'end' })
    startedAt = performance.now()
    timer = setTimeout(() => {
      problem = `did not end within ${FILE_TIMEOUT_MS / 1000} s`
      child.kill('SIGKILL')
    }, FILE_TIMEOUT_MS)
    return child.send({ kind: 'run', file })
  }
  child.on('message', (message: FromWorker) => {
    if (message.kind === 'ready') return next()
    if (message.kind === 'full') return child.send({ kind: 'end' })
    clearTimeout(timer)
    file = undefined
    return report(message)
  })
  return new Promise((resolveEnd) => {
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      const reason = problem ?? `its process ended with ${signal ?? code}`
      if (file !== undefined) report(broken(file, reason, performance.now() - startedAt))
      else if (code !== 0) report(broken('a test process', reason, 0))
      resolveEnd()
    })
  })
}

const startedAt = performance.now()
const template = makeTemplate()
const workerCount = Number(values.workers ?? Math.min(availableParallelism() + 1, MAX_WORKERS))
await Promise.all(Array.from({ length: Math.min(workerCount, queue.length) }, work))

const hasFailed = ({ counts }: Ran) => (counts.failed ?? 0) + (counts.cancelled ?? 0) > 0
const times: Times = { ...lastTimes }
for (const { file, milliseconds } of ran) times[file] = milliseconds
mkdirSync(CACHE_FOLDER, { recursive: true, mode: 0o700 })
writeFileSync(TIMES_FILE, JSON.stringify(times))

/** Writes the files with the largest numbers. */
function writeLargest(title: string, numberOf: (one: Ran) => number, digits: number): void {
  const largest = ran.toSorted((a, b) => numberOf(b) - numberOf(a)).slice(0, Number(values.slowest ?? 0))
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
