import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { ON_EMBEDDED } from '../support/engine.ts'

/* scripts/test.ts, which runs the files of `npm test`. */

const ROOT = resolve(import.meta.dirname, '../..')

/** Ends a run that would not end. */
const RUN_TIMEOUT_MS = 120_000

describe('npm test', ON_EMBEDDED, () => {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-runner-'))
  after(() => rmSync(folder, { recursive: true }))

  /** Runs test files with these texts, behind an import of `before` and `test`. */
  function run(files: Readonly<Record<string, string>>) {
    const paths = Object.entries(files).map(([name, text]) => {
      const path = join(folder, `${name}.test.ts`)
      writeFileSync(path, `import { before, test } from 'node:test'\n${text}`)
      return path
    })
    const { status, stdout } = spawnSync(process.execPath, ['scripts/test.ts', ...paths], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: RUN_TIMEOUT_MS,
    })
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
})
