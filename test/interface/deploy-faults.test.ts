import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { makeArchive, manifest, metadataFile } from '../support/archive.ts'
import { awaitDeploy, sendArchive } from '../support/archive-deploys.ts'
import { fetchCounts, forget, injectFault } from '../support/faults.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { assertFault, callSoap, makeEnvelope, textOf } from '../support/soap.ts'

/* Fault plans strike calls for metadata, by SOAP and by REST; what a struck call began goes on. */

let o: TestOrg
let zip: Buffer

before(async () => {
  o = await openOrg({ settings: { allowFaults: 'true' } })
  zip = await makeArchive({
    'package.xml': manifest({ CustomObject: ['Crate__c'] }),
    'objects/Crate__c.object': metadataFile(
      'CustomObject',
      `<label>Crate</label><pluralLabel>Crates</pluralLabel><sharingModel>ReadWrite</sharingModel>
      <nameField><label>Name</label><type>Text</type></nameField>`,
    ),
  })
})

beforeEach(() => forget(o))

const once = { until: { count: 1 } }
const call = (xml: string) => callSoap(o, xml, { letter: 'm', token: o.token })
const makeDeploy = () =>
  `<deploy><ZipFile>${zip.toString('base64')}</ZipFile><DeployOptions><checkOnly>true</checkOnly><rollbackOnError>true</rollbackOnError></DeployOptions></deploy>`
const deployBySoap = () => call(makeDeploy())

/** How many deployments the org has had. */
async function countDeploys(): Promise<number> {
  const [row] = await o.db.query<{ count: number }>(
    sql`select count(*)::int as count from objectry.metadata_job where org_id = ${o.org.id}`,
  )
  return row!.count
}

describe('a fault plan for metadata by SOAP', () => {
  test('makes a check of a deployment fail for a while, and the deployment goes on', async () => {
    const sent = await deployBySoap()
    const id = textOf(sent, 'id')!
    const check = () => call(`<checkDeployStatus><asyncProcessId>${id}</asyncProcessId></checkDeployStatus>`)
    const match = { route: '/services/Soap/m/checkDeployStatus' }
    await injectFault(o, { match, until: { count: 2 }, effect: { status: 503 } })
    for (let time = 0; time < 2; time++) assertFault(await check(), 'SERVER_UNAVAILABLE', undefined, 503)
    assert.equal((await check()).status, 200)
    assert.deepEqual(await fetchCounts(o), [3, 2])
    await injectFault(o, { ...once, match, effect: { status: 502 } })
    assert.match((await check()).text, /502 Bad Gateway/)
    await injectFault(o, {
      ...once,
      match,
      effect: { error: { code: 'INVALID_CROSS_REFERENCE_KEY', message: 'invalid cross reference id' } },
    })
    assertFault(await check(), 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id')
    assert.equal((await awaitDeploy(o, id)).status, 'Succeeded')
  })

  test('refuses a deployment before anything of it is kept', async () => {
    const before = await countDeploys()
    await injectFault(o, {
      ...once,
      match: { route: '/services/Soap/m/*' },
      effect: { error: { code: 'UNABLE_TO_LOCK_ROW', message: 'busy' } },
    })
    assertFault(await deployBySoap(), 'UNABLE_TO_LOCK_ROW', 'busy')
    assert.equal(await countDeploys(), before)
  })
})

describe('a fault plan for metadata by REST', () => {
  test('refuses a deployment, or a look at it, and no other call', async () => {
    await injectFault(o, {
      ...once,
      match: { route: '/metadata/deployRequest', method: 'POST' },
      effect: { limit: 'total' },
    })
    assert.equal((await sendArchive(o, zip)).status, 403)
    const { status, body } = await sendArchive(o, zip, { checkOnly: true, rollbackOnError: true })
    assert.equal(status, 201)
    await injectFault(o, {
      ...once,
      match: { route: '/metadata/deployRequest/:id' },
      effect: { status: 504 },
    })
    assert.equal((await o.call('GET', `/metadata/deployRequest/${body.id}`)).status, 504)
    assert.equal((await awaitDeploy(o, body.id)).status, 'Succeeded')
  })
})

test('the answer to a deployment is lost before it is kept, or while it goes on', async () => {
  const address = await o.server.listen({ host: '127.0.0.1', port: 0 })
  const body = makeEnvelope(makeDeploy(), { letter: 'm', token: o.token })
  const headers = { 'content-type': 'text/xml' }
  for (const [cut, kept] of [
    ['beforeCommit', 0],
    ['afterCommit', 1],
  ] as const) {
    const before = await countDeploys()
    await injectFault(o, { ...once, match: { route: '/services/Soap/m/deploy' }, effect: { cut } })
    await assert.rejects(
      fetch(`${address}/services/Soap/m/64.0`, { method: 'POST', headers, body }),
      TypeError,
    )
    assert.equal((await countDeploys()) - before, kept, cut)
  }
})
