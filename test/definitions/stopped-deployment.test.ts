import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UPGRADE_STEPS } from '../../src/orgs/upgrades/upgrade-steps.ts'
import { UpgradeWorker } from '../../src/orgs/upgrades/upgrade-worker.ts'
import { ownEngine } from '../support/engine.ts'
import { openOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'

const PATH = '/setup/schema'
const FILES = { objects: { Box__c: { fields: { A__c: { type: 'string', length: 10 } } } }, mode: 'keep' }

test('A deployment to all orgs that is stopped leaves those alone that wait, and goes on with them when it is sent again', async () => {
  const engine = await ownEngine()
  const [o, other] = [await openOrg({ engine }), await openOrg({ engine })]
  const withoutName = ({ fingerprint: _, ...state }: Record<string, unknown>) => state
  const read = async () => withoutName((await o.call('GET', PATH)).body)
  assert.equal((await o.call('GET', PATH)).status, 404)
  const sent = await o.call('PUT', PATH, { body: FILES })
  assert.deepEqual(
    [sent.status, withoutName(sent.body)],
    [202, { orgs: 2, done: 0, pending: 2, failures: [] }],
  )
  assert.equal((await o.call('DELETE', PATH)).status, 204)
  assert.deepEqual(await read(), { orgs: 2, done: 0, pending: 0, failures: [] })
  assert.equal((await other.call('GET', '/sobjects/Box__c/describe')).status, 404)
  await o.call('PUT', PATH, { body: FILES })
  const worker = new UpgradeWorker({
    db: engine.db,
    secrets: SECRETS,
    observe: () => {},
    steps: [o.services.definitions.step, ...UPGRADE_STEPS],
    openMaintenance: () => engine.openMaintenance(),
  })
  while (Number((await read()).pending) > 0) await worker.check()
  assert.deepEqual(await read(), { orgs: 2, done: 2, pending: 0, failures: [] })
  other.services.runtimes.of(other.org).snapshots.expire()
  assert.equal((await other.call('GET', '/sobjects/Box__c/describe')).status, 200)
})
