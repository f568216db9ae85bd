import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

const TSC = resolve(import.meta.dirname, '../../node_modules/.bin/tsc')

describe('objectry types', ON_EMBEDDED, () => {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-types-'))
  const deployment = join(folder, 'deployment')
  const declarations = join(deployment, 'objectry.d.ts')
  const { data, remove } = makeDataFolder()
  const settings = { OBJECTRY_DATA: data, OBJECTRY_DEPLOYMENT: deployment }

  let server: Objectry

  before(async () => {
    mkdirSync(join(deployment, 'triggers'), { recursive: true })
    server = await start(readConfig({}, { data, port: '0', sitePort: '0', logLevel: 'silent' }))
  })
  after(async () => {
    await server.stop()
    remove()
    rmSync(folder, { recursive: true })
  })

  /** Returns the compiler's messages for each of some trigger files. It runs once: most of its time goes into the libraries. */
  function compile(texts: readonly string[]): string[] {
    const files = texts.map((text, at) => {
      const file = join(deployment, 'triggers', `trigger-${at}.ts`)
      writeFileSync(file, text)
      return file
    })
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--allowImportingTsExtensions',
      '--module',
      'nodenext',
      '--types',
      '',
    ]
    const { stdout } = spawnSync(process.execPath, [TSC, ...flags, ...files], {
      encoding: 'utf8',
      cwd: folder,
    })
    // The lines below an error are indented.
    const errors = stdout.split(/^(?=\S)/m)
    const said = files.map((file) => {
      const name = relative(folder, file)
      return errors.filter((error) => error.startsWith(`${name}(`)).join('')
    })
    assert.equal(said.join('').length, stdout.length, stdout)
    return said
  }

  test("writes the org's objects into the deployment folder", async () => {
    const { code, error } = await runCommand(['types'], settings)
    assert.equal(code, 0, error)
    assert.match(error, /objectry\.d\.ts: \d+ objects\n$/)
    const text = readFileSync(declarations, 'utf8')
    assert.match(text, /export interface Account \{\n {2}\/\*\* Account ID \*\/\n {2}Id: string\n/)
    assert.match(text, /\n {2}AnnualRevenue: number \| null\n/)
    assert.match(text, /\n {2}BillingAddress: Address \| null\n/)
    assert.match(text, /\n {2}IsDeleted: boolean\n/)
  })

  test('gives triggers types that the compiler holds them to', () => {
    const trigger = (body: string) =>
      `import type { Trigger } from '../objectry.d.ts'\nexport default { object: 'Account', async beforeUpdate(changes, org) { for (const { record, old, addError } of changes) { ${body} } } } satisfies Trigger<'Account'>\n`
    const right =
      "if (old.Phone !== null) record.Phone = old.Phone; addError('Phone', 'no'); addError('no'); await org.update('Contact', [{ Id: record.Id, LastName: 'x' }])"
    const wrongOnes = [
      ['record.Nope = 1', /Property 'Nope' does not exist/],
      ['record.AnnualRevenue = "many"', /Type 'string' is not assignable to type 'number/],
      ['old.Name = "x"', /Cannot assign to 'Name' because it is a read-only property/],
      ["addError('Nope', 'x')", /'"Nope"' is not assignable/],
      ["await org.create('Nope', [])", /'"Nope"' is not assignable/],
      ["await org.update('Contact', [{ LastName: 'x' }])", /Property 'Id' is missing/],
    ] as const
    const [saidOfRight, ...said] = compile([right, ...wrongOnes.map(([wrong]) => wrong)].map(trigger))
    assert.equal(saidOfRight, '')
    for (const [at, [wrong, message]] of wrongOnes.entries()) assert.match(said[at]!, message, wrong)
  })

  test('gives resources and jobs types that the compiler holds them to', () => {
    const resource = (body: string) =>
      `import type { Resource } from '../objectry.d.ts'\nexport default { path: '/a', async GET(request, org) { ${body} } } satisfies Resource\n`
    const job = (body: string) =>
      `import type { Job } from '../objectry.d.ts'\nexport default { cron: '0 6 * * *', async run({ id }, org, { attempts }) { ${body} } } satisfies Job<{ id: string }>\n`
    const right =
      "const found = await org.read('Contact', { Email: request.params.email }, ['Id', 'Email']); await org.enqueue('later', { id: found?.Id }, { delaySeconds: 5 }); await org.query('SELECT Id FROM Contact WHERE Email = :email', { email: request.query.email }); return request.body.anything"
    const rightOnes = [resource(right), job("await org.delete('Lead', [id]); await org.log(attempts)")]
    const wrongOnes = [
      [resource("await org.read('Contact', { Nope: 1 })"), /'Nope' does not exist/],
      [resource('request.params = {}'), /read-only property/],
      [job('id.nope()'), /Property 'nope' does not exist/],
      [job('').replace("cron: '0 6 * * *'", 'cron: 6'), /Type 'number' is not assignable/],
    ] as const
    const [resourceErrors, jobErrors, ...said] = compile([...rightOnes, ...wrongOnes.map(([wrong]) => wrong)])
    assert.deepEqual([resourceErrors, jobErrors], ['', ''])
    for (const [at, [wrong, message]] of wrongOnes.entries()) assert.match(said[at]!, message, wrong)
  })

  test('prints them where there is no deployment folder', async () => {
    const { code, out } = await runCommand(['types'], { OBJECTRY_DATA: settings.OBJECTRY_DATA })
    assert.equal(code, 0)
    assert.equal(out, readFileSync(declarations, 'utf8'))
  })
})
