import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { closeFile, closeProcess } from '../test/support/after-file.ts'
import '../test/support/property-seed.ts'
import { type Counts, countWords, type FromWorker, type ToWorker } from './test-messages.ts'

/*
 * A process that runs test files, one after the other, as `scripts/test.ts` hands them out. What the files import is
 * loaded once, and the database of one serves the next.
 */

/** What Node says of one file at its end; the whole run says it once for all files. */
const COUNT_LINE = new RegExp(`^(${countWords.join('|')}|duration_ms) [\\d.]+$`)

/** Above the errors of the tests that failed. */
const FAILURES = 'failing tests:'

interface Outcome {
  readonly text: string
  readonly counts: Counts
}

/**
 * Node takes the tests of a run to have ended when the process has nothing left to do, which a process that waits for
 * more files never has. Said when the first test begins, it makes Node wait for those that are registered: all of them.
 */
const endWithLastTest = () => process.emit('beforeExit', 0)

async function runFile(file: string): Promise<Outcome> {
  let counts: Counts = {}
  let hasBegun = false
  const reporter = new spec()
  const said = text(reporter)
  for await (const event of run({ files: [resolve(file)], isolation: 'none' })) {
    if (event.type === 'test:dequeue' && !hasBegun) {
      hasBegun = true
      endWithLastTest()
    }
    if (event.type === 'test:summary') counts = event.data.counts
    const isCount = event.type === 'test:diagnostic' && COUNT_LINE.test(event.data.message)
    if (!isCount) reporter.write(event)
  }
  reporter.end()
  return { text: await said, counts }
}

const tell = (message: FromWorker) => process.send!(message)

async function work(file: string): Promise<void> {
  const startedAt = performance.now()
  const { text: said, counts } = await runFile(file)
  await closeFile()
  const failuresAt = said.indexOf(FAILURES)
  const lineAt = failuresAt < 0 ? said.length : said.lastIndexOf('\n', failuresAt) + 1
  tell({
    kind: 'ran',
    file,
    counts,
    milliseconds: Math.round(performance.now() - startedAt),
    text: said.slice(0, lineAt),
    failures: said.slice(lineAt).split('\n').slice(1).join('\n'),
  })
}

process.on('message', async (message: ToWorker) => {
  if (message.kind === 'run') return work(message.file)
  await closeProcess()
  process.exit(0)
})
tell({ kind: 'ready' })
