import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startOrg } from '../../src/testkit/start-org.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* An org in memory for tests of integrations, whatever engine this suite runs on. */

const DEPLOYMENT = {
  'objects/Trip__c.yaml': 'fields: { Days__c: { type: int }, Twice__c: { type: int, computed: true } }',
  'objects/Trip__c.ts': 'export default { computed: { Twice__c: ({ Days__c }: any) => Days__c * 2 } }',
}

const fetchCount = async (org: Awaited<ReturnType<typeof startOrg>>) =>
  (await org.call('GET', '/query?q=SELECT+COUNT()+FROM+Account')).body.totalSize

describe('startOrg', () => {
  test('gives an address and a token that open an org with the deployment', async () => {
    const org = await startOrg({ deployment: writeDeployment(DEPLOYMENT) })
    try {
      const response = await fetch(`${org.url}/services/data/v64.0/sobjects/Trip__c`, {
        method: 'POST',
        headers: { authorization: `Bearer ${org.token}`, 'content-type': 'application/json' },
        body: '{"Days__c":4}',
      })
      const { id } = (await response.json()) as { id: string }
      assert.equal((await org.call('GET', `/sobjects/Trip__c/${id}`)).body.Twice__c, 8)
    } finally {
      await org.stop()
    }
  })

  test('puts the org back between tests, to where it was ready or to what was saved', async () => {
    const org = await startOrg()
    try {
      await org.call('POST', '/sobjects/Account', { Name: 'Acme' })
      await org.save('with-acme')
      await org.call('POST', '/sobjects/Account', { Name: 'Second' })
      await org.restore('with-acme')
      assert.equal(await fetchCount(org), 1)
      await org.restore()
      assert.equal(await fetchCount(org), 0)
      await assert.rejects(org.save('ready'), /Choose another name/)
      await assert.rejects(org.restore('nothing'), /There is no snapshot nothing/)
    } finally {
      await org.stop()
    }
  })

  test('starts from nothing each time: two orgs share no record, and faults can be set where that is allowed', async () => {
    const [one, two] = await Promise.all([startOrg(), startOrg()])
    try {
      await one.call('POST', '/sobjects/Account', { Name: 'Acme' })
      assert.deepEqual([await fetchCount(one), await fetchCount(two)], [1, 0])
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
    const later = await startOrg({ allowFaults: true, allocation: 2 })
    assert.equal(await fetchCount(later), 0)
    await later.call('PUT', '/setup/faults/busy', { effect: { status: 503 } })
    assert.equal((await later.call('GET', '/sobjects/Account')).status, 503)
    await later.call('DELETE', '/setup/faults')
    assert.equal((await later.call('GET', '/sobjects/Account')).status, 403)
    await later.stop()
  })

  test('says what is wrong with a deployment', async () => {
    const deployment = writeDeployment({ 'objects/Trip__c.yaml': 'fields: { A__c: { type: strng } }' })
    await assert.rejects(startOrg({ deployment }), /objects\/Trip__c\.yaml:1:19 .*did you mean string/)
  })
})
