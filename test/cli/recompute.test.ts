import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

describe('objectry recompute', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const deployment = writeDeployment({
    'objects/Trip__c.yaml': 'fields: { Days__c: { type: int } }',
    'trips.csv': `Name,Days__c\n${Array.from({ length: 250 }, (_, n) => `Trip ${n},${n}\n`).join('')}`,
  })
  const variables = { OBJECTRY_DATA: folder.data, OBJECTRY_DEPLOYMENT: deployment }
  const run = (...args: string[]) => runCommand(args, variables)

  before(async () => {
    const settings = { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent', deployment }
    await (await start(readConfig({}, settings))).stop()
    assert.equal((await run('import', join(deployment, 'trips.csv'), '--object', 'Trip__c')).code, 0)
    writeFileSync(
      join(deployment, 'objects/Trip__c.yaml'),
      'fields: { Days__c: { type: int }, Twice__c: { type: int, computed: true } }',
    )
    const rules = `export default {
      computed: { Twice__c: ({ Days__c }: any) => Days__c * 2 },
      validations: { Most: { refuse: ({ Days__c }: any) => Days__c === 249, message: 'too long' } },
    }`
    writeFileSync(join(deployment, 'objects/Trip__c.ts'), rules)
  })
  after(() => folder.remove())

  test('is what a deployment of a computed field tells to run', async () => {
    const { out } = await run('deploy')
    assert.match(out, /Records that are there get its computed fields by: objectry recompute Trip__c\n$/)
  })

  test('fills the field of every record, tells which were refused, and ends with 1 then', async () => {
    const { code, out, error } = await run('recompute', 'Trip__c')
    assert.equal(code, 1)
    assert.equal(out, '249 of 250 records are computed.\n')
    assert.match(error, /^a00\w{15}: too long$/m)
    assert.match(error, /1 were refused/)
    const found = await run('query', '--format', 'json', 'SELECT SUM(Twice__c) total FROM Trip__c')
    assert.equal(JSON.parse(found.out)[0].total, 249 * 248)
  })

  test('compares the records of all objects with --check, and writes nothing', async () => {
    const { code, out } = await run('recompute', '--check')
    assert.equal(code, 0)
    assert.match(out, /^Opportunity: 0 of 0 records differ\.$/m)
    const without = await run('recompute')
    assert.equal(without.code, 2)
    assert.match(without.error, /Name the object whose records are to be computed/)
  })

  test('says so when there is no such object', async () => {
    const { code, error } = await run('recompute', 'Nope')
    assert.equal(code, 1)
    assert.match(error, /sObject type 'Nope' is not supported/)
  })
})
