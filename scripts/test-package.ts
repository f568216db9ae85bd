import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * Packs Objectry as it would be published, installs it in an empty project and uses it there as a developer would: the
 * command, and the org of a test. `npm run test:package`; it downloads the dependencies.
 */

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'objectry-package-'))
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const TEST = `
import assert from 'node:assert/strict'
import { startOrg } from 'objectry/test'

const org = await startOrg({ deployment: 'deployment' })
const { status, body } = await org.call('POST', '/sobjects/Trip__c', { Name: 'Spring', Days__c: 3 })
assert.equal(status, 201, JSON.stringify(body))
const { body: trip } = await org.call('GET', '/sobjects/Trip__c/' + body.id)
assert.equal(trip.Twice__c, 6)
const hello = await org.call('GET', '/services/customrest/hello/world')
assert.deepEqual([hello.status, hello.body], [202, { hello: 'world' }])
assert.equal((await fetch(org.siteUrl + '/services/customrest/hello/world')).status, 403)
await org.restore()
const { body: result } = await org.call('GET', '/query?q=SELECT+COUNT()+FROM+Trip__c')
assert.equal(result.totalSize, 0)
await org.stop()
console.log('the org of a test works')
`

const RESOURCE = `
import { reply } from 'objectry'
export default { path: '/hello/:name', GET: ({ params }: { params: { name: string } }) => reply(202, { hello: params.name }) }
`

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], ROOT))
  writeFileSync(join(folder, 'package.json'), '{"name":"trial","private":true,"type":"module"}')
  run('npm', ['install', '--no-audit', '--no-fund', join(folder, packed.filename)], folder)
  for (const name of ['objects', 'resources'])
    mkdirSync(join(folder, 'deployment', name), { recursive: true })
  const definition = 'fields: { Days__c: { type: int }, Twice__c: { type: int, computed: true } }'
  writeFileSync(join(folder, 'deployment/objects/Trip__c.yaml'), definition)
  const rules = 'export default { computed: { Twice__c: ({ Days__c }: { Days__c: number }) => Days__c * 2 } }'
  writeFileSync(join(folder, 'deployment/objects/Trip__c.ts'), rules)
  writeFileSync(join(folder, 'deployment/resources/hello.ts'), RESOURCE)
  writeFileSync(join(folder, 'test.ts'), TEST)
  process.stdout.write(run(process.execPath, ['test.ts'], folder))
  const help = run(process.execPath, ['node_modules/objectry/bin/objectry.js', '--help'], folder)
  if (!help.includes('deploy')) throw new Error(`the command does not work: ${help}`)
  process.stdout.write('the command works\n')
} finally {
  rmSync(folder, { recursive: true })
}
