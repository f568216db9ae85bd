import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { ON_EMBEDDED } from '../support/engine.ts'

/* scripts/test.ts, which runs the files of `npm test`. */

const ROOT = resolve(import.meta.dirname, '../..')

/** Ends a run that would not end. */
const RUN_TIMEOUT_MS = 120_000

describe('npm test', ON_EMBEDDED, () => {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-runner-'))
  after(() => rmSync(folder, { recursive: true }))

  /** A test file with this text behind an import of `before` and `test`. */
  function write(name: string, text: string): string {
    const path = join(folder, `${name}.test.ts`)
    writeFileSync(path, `import { before, test } from 'node:test'\n${text}`)
    return path
  }

  const runner = (parameters: readonly string[]) =>
    spawnSync(process.execPath, ['scripts/test.ts', ...parameters], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: RUN_TIMEOUT_MS,
    })

  /** Runs test files with these texts. */
  function run(files: Readonly<Record<string, string>>) {
    const { status, stdout } = runner(Object.entries(files).map(([name, text]) => write(name, text)))
    const count = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(stdout)?.[1])
    return { status, stdout, passed: count('pass'), failed: count('fail') }
  }

  test('fails when a test fails once, and does not run it again', () => {
    const runs = join(folder, 'runs')
    const { status, stdout, passed, failed } = run({
      unsteady: `
        import { appendFileSync, readFileSync } from 'node:fs'
        test('fails the first time', () => {
          appendFileSync('${runs}', '.')
          if (readFileSync('${runs}', 'utf8').length === 1) throw new Error('not yet')
        })`,
      steady: "test('passes', () => {})",
    })
    assert.deepEqual([status, passed, failed], [1, 1, 1])
    assert.match(stdout, /Only these again: npm test -- \S*unsteady\.test\.ts\n/)
    assert.equal(readFileSync(runs, 'utf8'), '.')
  })

  test('fails when a file ends its process, and runs the others', () => {
    const { status, stdout, passed } = run({
      ending: "test('ends', () => process.exit(3))",
      steady: "test('passes', () => {})",
    })
    assert.deepEqual([status, passed], [1, 1])
    assert.match(stdout, /ending\.test\.ts: its process ended with 3/)
  })

  test('fails when a file cannot be imported, or what it does before its tests fails', () => {
    const { status, failed } = run({
      broken: "import 'nothing-of-this-name'",
      hook: "before(() => { throw new Error('on purpose') })\ntest('passes', () => {})",
    })
    assert.deepEqual([status, failed], [1, 2])
  })

  test('passes when all pass', () => {
    assert.equal(run({ steady: "test('passes', () => {})" }).status, 0)
  })

  for (const [parameters, message] of [
    [['test/interface/no-such.test.ts'], 'There is no file or folder test/interface/no-such.test.ts.'],
    [['test/support'], 'There is no test in test/support.'],
    [['--workers', '0'], '--workers is a number from 1 to 9999, not 0.'],
    [['--slowest', 'all'], '--slowest is a number from 1 to 9999, not all.'],
    [['--slow'], "Unknown option '--slow'"],
  ] as const) {
    test(`refuses ${parameters.join(' ')}`, () => {
      const { status, stderr } = runner(parameters)
      assert.equal(status, 2)
      assert.ok(stderr.startsWith(message), stderr)
    })
  }

  for (const [signal, code, body] of [
    ['SIGINT', 130, 'await new Promise(() => setInterval(() => {}, 1000))'],
    ['SIGTERM', 143, 'for (;;);'],
  ] as const) {
    test(`at ${signal} says which test has not ended (${body})`, async () => {
      const path = write('endless', `test('never ends', async () => { console.error('begun'); ${body} })`)
      const child = spawn(process.execPath, ['scripts/test.ts', path], { cwd: ROOT, timeout: RUN_TIMEOUT_MS })
      const said = readText(child.stdout)
      await once(child.stderr, 'data')
      child.kill(signal)
      assert.deepEqual(await once(child, 'exit'), [code, null])
      assert.match(await said, /endless\.test\.ts: never ends \(\d+ s\)\n/)
    })
  }

  test('at SIGTERM closes what the tests have opened', async () => {
    const closed = join(folder, 'closed')
    const path = write(
      'opened',
      `import { writeFileSync } from 'node:fs'
       import { afterFile } from '${join(ROOT, 'test/support/after-file.ts')}'
       test('never ends', async () => {
         afterFile(() => writeFileSync('${closed}', ''))
         console.error('begun')
         await new Promise(() => setInterval(() => {}, 1000))
       })`,
    )
    const child = spawn(process.execPath, ['scripts/test.ts', path], { cwd: ROOT, timeout: RUN_TIMEOUT_MS })
    await once(child.stderr, 'data')
    child.kill('SIGTERM')
    await once(child, 'exit')
    assert.ok(existsSync(closed))
  })
})
