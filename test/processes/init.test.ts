import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { makeProgram } from '../../src/cli/program.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand, TestTerminal } from '../support/run-command.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** This checkout as the package `objectry` of a project; other packages are those of the checkout. */
function install(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'objectry'), { recursive: true })
  symlinkSync(join(ROOT, 'src'), join(modules, 'objectry/src'))
  symlinkSync(join(ROOT, 'node_modules/@types'), join(modules, '@types'))
  const exports = { '.': './src/scripting/sdk/objectry.ts', './test': './src/testkit/start-org.ts' }
  writeFileSync(join(modules, 'objectry/package.json'), JSON.stringify({ type: 'module', exports }))
}

/** `objectry init` of a package that npm installed, instead of the one of this checkout. */
async function initFrom(root: string, folder: string) {
  const terminal = new TestTerminal()
  const installation = { root: pathToFileURL(`${root}/`), version: '0.1.0', isCheckout: false }
  await makeProgram(installation, terminal, []).parseAsync(['init', folder], { from: 'user' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    out: terminal.stdout.text,
    readme: read('README.md'),
    objectry: JSON.parse(read('package.json')).dependencies.objectry,
  }
}

describe('objectry init', ON_EMBEDDED, () => {
  const parent = mkdtempSync(join(tmpdir(), 'objectry-init-'))
  const folder = join(parent, 'records')
  let said: Awaited<ReturnType<typeof runCommand>>

  before(async () => {
    said = await runCommand(['init', folder])
    install(folder)
  })
  after(() => rmSync(parent, { recursive: true }))

  test('says what it wrote, and what comes next', () => {
    const { code, out, error } = said
    assert.deepEqual([code, error], [0, ''])
    assert.match(out, /^Wrote 10 files into .*:\n {2}deployment\/objects\/Project__c\.yaml\n/)
    assert.ok(out.endsWith(`\nNext:\n  cd ${folder}\n  npm install\n  npm test\n  npm start\n`))
  })

  test('the tests of the project pass', async () => {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = await run('sh', ['-c', scripts.test], { cwd: folder, env })
    assert.match(stdout, /^. pass 2$/m)
    assert.match(stdout, /^. fail 0$/m)
  })

  test('the code of the project compiles', async () => {
    // With the sources of the checkout come the options that they need.
    const own = [
      '--lib',
      'es2024,esnext.collection,esnext.iterator',
      '--exactOptionalPropertyTypes',
      '--allowJs',
    ]
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', ...own], {
      cwd: folder,
    }).catch((failure) => failure)
    assert.equal(stdout, '')
  })

  test('writes nothing where a file of the same name is', async () => {
    const other = join(parent, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'README.md'), 'mine')
    const { code, out, error } = await runCommand(['init', other])
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, /^Nothing was written: .* has README\.md already\./)
    assert.deepEqual(readdirSync(other), ['README.md'])
  })

  test('a project of a packed package installs that file; of another one it says where it is installed from', async () => {
    const modules = join(parent, 'packed/node_modules')
    const packed = join(parent, 'objectry-0.1.0.tgz')
    mkdirSync(join(modules, 'objectry'), { recursive: true })
    const packages = { 'node_modules/objectry': { resolved: 'file:../objectry-0.1.0.tgz' } }
    writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }))
    const published = await initFrom(join(modules, 'objectry'), join(parent, 'published'))
    assert.equal(published.objectry, '^0.1.0')
    for (const text of [published.out, published.readme])
      assert.match(text, /takes Objectry \^0\.1\.0 from npm's registry\. .* npm pack in a checkout/)
    writeFileSync(packed, '')
    const local = await initFrom(join(modules, 'objectry'), join(parent, 'local'))
    assert.equal(local.objectry, `file:${packed}`)
    assert.ok(local.out.endsWith('  npm start\n'))
    assert.ok(local.readme.includes(`takes Objectry from ${packed}.`))
  })

  test('a folder that cannot be made is named', async () => {
    const file = join(parent, 'file')
    writeFileSync(file, '')
    const refused: readonly (readonly [string, string])[] = [
      [file, `${file} cannot be made: file already exists\n`],
      // There the system says of every folder that its parent is missing.
      ...(existsSync('/proc/self')
        ? [['/proc/objectry', '/proc/objectry cannot be made: no such file or directory\n'] as const]
        : []),
    ]
    for (const [path, message] of refused) {
      const { code, out, error } = await runCommand(['init', path])
      assert.deepEqual([code, out, error], [1, '', message])
    }
  })
})
