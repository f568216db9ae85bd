import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, run } from 'node:test'
import { spec } from 'node:test/reporters'
import { closeFile, closeProcess } from '../test/support/after-file.ts'
import '../test/support/property-seed.ts'
import { CACHE_FOLDER } from './test-cache-folder.ts'
import { type Counts, countWords, type FromWorker, type ToWorker } from './test-messages.ts'

/*
 * A process that runs test files, one after the other, as `scripts/test.ts` hands them out. What the files import is
 * loaded once, and the database of one serves the next.
 */

/** A count of Node at the end of one file; the whole run counts once for all files. */
const COUNT_LINE = new RegExp(`^(${countWords.join('|')}|duration_ms) [\\d.]+$`)

/** Above the errors of the tests that failed. */
const FAILURES = 'failing tests:'

interface Outcome {
  readonly text: string
  readonly counts: Counts
}

/** Called by the module that is imported behind a test file. */
const END_OF_FILE = Symbol.for('objectry.endOfFile')

/** A file that registers no test, or cannot be imported, ends after this, in milliseconds. */
const NO_TEST_TIMEOUT_MS = 5000

/** A process that holds more after a file takes no other one, in bytes: modules are never unloaded, nor what they hold. */
const MAX_MEMORY = 560 * 1024 * 1024

/** True if it holds more than that after its garbage was collected; the runner exposes the collector. */
function isFull(): boolean {
  if (process.memoryUsage.rss() <= MAX_MEMORY) return false
  // Only the last resort gives the memory back to the system.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  return process.memoryUsage.rss() > MAX_MEMORY
}

const endRun = () => void process.emit('beforeExit', 0)

/**
 * Node takes a run to have ended when its process has nothing left to do, which a process that waits for more files never
 * has. So it is told by a hook of the file that runs behind all of the file's own, because it is registered last: by a
 * module that is imported behind the file. Node imports a module once, so each file of a process has one.
 */
function writeEndModule(): string {
  const path = join(CACHE_FOLDER, `end-of-file-${fileCount++}.mjs`)
  if (existsSync(path)) return path
  mkdirSync(CACHE_FOLDER, { recursive: true, mode: 0o700 })
  // No process may import what another one has written by half.
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, `globalThis[Symbol.for('${END_OF_FILE.description}')]()\n`)
  renameSync(unfinished, path)
  return path
}

let fileCount = 0

async function runFile(file: string): Promise<Outcome> {
  let counts: Counts = {}
  const reporter = new spec()
  const said = text(reporter)
  const end = writeEndModule()
  const timer = setTimeout(endRun, NO_TEST_TIMEOUT_MS)
  Object.assign(globalThis, { [END_OF_FILE]: () => after(endRun) })
  // Node counts a module without tests as a test.
  let outcomeOfEnd = ''
  const events = run({ files: [resolve(file), end], isolation: 'none' })
  // At once, and not when its turn comes among the events: a test may hold this process.
  events.on('test:dequeue', ({ name }) => report({ kind: 'begins', test: name }))
  for await (const event of events) {
    if ('name' in event.data && event.data.name === end) {
      if (event.type === 'test:pass') outcomeOfEnd = 'passed'
      if (event.type === 'test:fail') outcomeOfEnd = 'failed'
      continue
    }
    if (event.type === 'test:start' && event.data.file === resolve(file)) clearTimeout(timer)
    if (event.type === 'test:summary') counts = event.data.counts
    const isCount = event.type === 'test:diagnostic' && COUNT_LINE.test(event.data.message)
    if (!isCount) reporter.write(event)
  }
  clearTimeout(timer)
  reporter.end()
  const own = { ...counts, tests: counts.tests! - 1, [outcomeOfEnd]: counts[outcomeOfEnd]! - 1 }
  return { text: await said, counts: own }
}

/** The most memory that this process has held, in MB. */
const peakMemory = () => Math.round(process.resourceUsage().maxRSS / 1024)

const report = (message: FromWorker) => process.send!(message)

async function work(file: string): Promise<void> {
  const startedAt = performance.now()
  const peakBefore = peakMemory()
  const { text: said, counts } = await runFile(file)
  await closeFile()
  const peak = peakMemory()
  const failuresAt = said.indexOf(FAILURES)
  const lineAt = failuresAt < 0 ? said.length : said.lastIndexOf('\n', failuresAt) + 1
  report({
    kind: 'ran',
    file,
    counts,
    milliseconds: Math.round(performance.now() - startedAt),
    peak: peak > peakBefore ? peak : undefined,
    text: said.slice(0, lineAt),
    failures: said.slice(lineAt).split('\n').slice(1).join('\n'),
  })
}

async function end(): Promise<void> {
  await closeProcess()
  process.exit(0)
}

/** Ends in the middle of a file. */
async function stop(): Promise<void> {
  await closeFile()
  await end()
}

// A terminal sends it to all processes of the run: the one that hands out files says what is to be done.
process.on('SIGINT', () => undefined)
process.on('message', async (message: ToWorker) => {
  if (message.kind === 'stop') return stop()
  if (message.kind === 'end') return end()
  await work(message.file)
  return report({ kind: isFull() ? 'full' : 'ready' })
})
// The process that hands out files was killed.
process.on('disconnect', () => process.exit(1))
report({ kind: 'ready' })
