import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { lockDataFolder } from '../../src/storage/embedded/data-folder-lock.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { failToStart, makeDataFolder, startServer } from '../support/server-process.ts'

/* A data folder belongs to one process at a time. */

describe('the lock of a data folder', ON_EMBEDDED, () => {
  const root = mkdtempSync(join(tmpdir(), 'objectry-lock-'))
  const folder = join(root, 'database')
  const note = `${folder}.lock`

  after(() => rmSync(root, { recursive: true }))

  /** Takes the lock and gives it back. */
  function assertFree(): void {
    const unlock = lockDataFolder(folder)
    assert.equal(readFileSync(note, 'utf8'), `${process.pid}\n`)
    assert.deepEqual(readdirSync(root).sort(), ['database.lock', 'database.owner'])
    assert.equal(statSync(`${folder}.owner`).size, 0)
    unlock()
    assert.equal(existsSync(note), false)
  }

  test('is given once until it is given back, also within one process', () => {
    const unlock = lockDataFolder(folder)
    assert.throws(
      () => lockDataFolder(folder),
      /^Error: The data folder \S+ is in use by this process.* Stop it first/,
    )
    assert.throws(() => lockDataFolder(folder), /is in use/)
    unlock()
    unlock()
    assertFree()
  })

  test('is free whatever a process that is gone left as its id', () => {
    for (const left of ['4194303', '4194303\n', '', 'garbage', '0', '-1', String(process.pid)]) {
      writeFileSync(note, left)
      assertFree()
    }
  })

  test('is never held by two of several processes that take it at the same time', async () => {
    const script = join(import.meta.dirname, '../support/take-lock-repeatedly.ts')
    const end = String(Date.now() + 3000)
    const runs = await Promise.all(
      [1, 2, 3, 4].map(() => promisify(execFile)(process.execPath, [script, folder, end])),
    )
    const counts = runs.map(({ stdout }) => Number(stdout))
    assert.ok(counts.reduce((sum, count) => sum + count) > 100, counts.join())
    assertFree()
  })
})

describe('a second server on a data folder', ON_EMBEDDED, () => {
  let folder: ReturnType<typeof makeDataFolder>

  before(() => {
    folder = makeDataFolder()
  })
  after(() => folder.remove())

  async function assertRefused(holder: RegExp, wrapper: readonly string[] = []): Promise<void> {
    const { code, out, error } = await failToStart({ OBJECTRY_DATA: folder.data }, [], wrapper)
    assert.match(error, /^Objectry did not start: The data folder \S+ is in use by [^\n]+\n$/)
    assert.match(error, holder)
    assert.match(error, /Stop it first, or choose another folder with OBJECTRY_DATA/)
    assert.equal(out, '')
    assert.equal(code, 1)
  }

  test('is refused while the first one is suspended, and starts when that was killed', async () => {
    const first = await startServer({ OBJECTRY_DATA: folder.data })
    first.child.kill('SIGSTOP')
    await assertRefused(new RegExp(`process ${first.child.pid}\\.`))
    await first.end('SIGKILL')
    const second = await startServer({ OBJECTRY_DATA: folder.data })
    await second.end('SIGTERM')
  })

  const ownNamespace = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
  const [command, ...options] = ownNamespace
  const mayUnshare = spawnSync(command!, [...options, 'true']).status === 0

  test('is refused from another container, where process ids mean something else', {
    skip: !mayUnshare && 'a process id namespace needs rights',
  }, async () => {
    const first = await startServer({ OBJECTRY_DATA: folder.data }, [], ownNamespace)
    await assertRefused(/another container/, ownNamespace)
    await assertRefused(/another container/)
    await first.end('SIGKILL')
    const second = await startServer({ OBJECTRY_DATA: folder.data }, [], ownNamespace)
    await second.end('SIGKILL')
  })
})
