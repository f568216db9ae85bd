import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { start } from '../../src/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'

const TSC = resolve(import.meta.dirname, '../../node_modules/.bin/tsc')

describe('objectry types', ON_EMBEDDED, () => {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-types-'))
  const deployment = join(folder, 'deployment')
  const declarations = join(deployment, 'objectry.d.ts')
  const settings = { OBJECTRY_DATA: join(folder, 'data'), OBJECTRY_DEPLOYMENT: deployment }

  before(async () => {
    mkdirSync(join(deployment, 'triggers'), { recursive: true })
    const server = await start(
      readConfig({}, { data: settings.OBJECTRY_DATA, port: '0', logLevel: 'silent' }),
    )
    await server.stop()
  })
  after(() => rmSync(folder, { recursive: true }))

  /** What the compiler says of a trigger file. */
  function compile(text: string): string {
    const file = join(deployment, 'triggers', 'trigger.ts')
    writeFileSync(file, text)
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
    return spawnSync(process.execPath, [TSC, ...flags, file], { encoding: 'utf8', cwd: folder }).stdout
  }

  test("writes the org's objects into the deployment folder", async () => {
    const { code, error } = await runCommand(['types'], settings)
    assert.equal(code, 0, error)
    assert.match(error, /objectry\.d\.ts: \d+ objects\n$/)
    const text = readFileSync(declarations, 'utf8')
    assert.match(text, /export interface Account \{\n {2}\/\*\* Record ID \*\/\n {2}Id: string\n/)
    assert.match(text, /\n {2}AnnualRevenue: number \| null\n/)
    assert.match(text, /\n {2}BillingAddress: Address \| null\n/)
    assert.match(text, /\n {2}IsDeleted: boolean\n/)
  })

  test('gives triggers types that the compiler holds them to', () => {
    const trigger = (body: string) =>
      `import type { Trigger } from '../objectry.d.ts'\nexport default { object: 'Account', async beforeUpdate(changes, org) { for (const { record, old, addError } of changes) { ${body} } } } satisfies Trigger<'Account'>\n`
    const right =
      "if (old.Phone !== null) record.Phone = old.Phone; addError('Phone', 'no'); addError('no'); await org.update('Contact', [{ Id: record.Id, LastName: 'x' }])"
    assert.equal(compile(trigger(right)), '')
    for (const [wrong, said] of [
      ['record.Nope = 1', /Property 'Nope' does not exist/],
      ['record.AnnualRevenue = "many"', /Type 'string' is not assignable to type 'number/],
      ['old.Name = "x"', /Cannot assign to 'Name' because it is a read-only property/],
      ["addError('Nope', 'x')", /'"Nope"' is not assignable/],
      ["await org.create('Nope', [])", /'"Nope"' is not assignable/],
      ["await org.update('Contact', [{ LastName: 'x' }])", /Property 'Id' is missing/],
    ] as const) {
      assert.match(compile(trigger(wrong)), said, wrong)
    }
  })

  test('gives resources and jobs types that the compiler holds them to', () => {
    const resource = (body: string) =>
      `import type { Resource } from '../objectry.d.ts'\nexport default { path: '/a', async GET(request, org) { ${body} } } satisfies Resource\n`
    const job = (body: string) =>
      `import type { Job } from '../objectry.d.ts'\nexport default { cron: '0 6 * * *', async run({ id }, org, { attempts }) { ${body} } } satisfies Job<{ id: string }>\n`
    const right =
      "const found = await org.read('Contact', { Email: request.params.email }, ['Id', 'Email']); await org.enqueue('later', { id: found?.Id }, { delaySeconds: 5 }); await org.query('SELECT Id FROM Contact WHERE Email = :email', { email: request.query.email }); return request.body.anything"
    assert.equal(compile(resource(right)), '')
    assert.equal(compile(job("await org.delete('Lead', [id]); await org.log(attempts)")), '')
    for (const [wrong, said] of [
      [resource("await org.read('Contact', { Nope: 1 })"), /'Nope' does not exist/],
      [resource('request.params = {}'), /read-only property/],
      [job('id.nope()'), /Property 'nope' does not exist/],
      [job('').replace("cron: '0 6 * * *'", 'cron: 6'), /Type 'number' is not assignable/],
    ] as const) {
      assert.match(compile(wrong), said, wrong)
    }
  })

  test('prints them where there is no deployment folder', async () => {
    const { code, out } = await runCommand(['types'], { OBJECTRY_DATA: settings.OBJECTRY_DATA })
    assert.equal(code, 0)
    assert.equal(out, readFileSync(declarations, 'utf8'))
  })
})
