import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrgRuntimes } from '../../src/calls/org-runtimes.ts'
import { TOPICS } from '../../src/streaming/topics/load-topics.ts'
import { openOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'

test('an org has one state while a call holds it, however many other orgs are called meanwhile', async () => {
  const { db, org } = await openOrg()
  const runtimes = new OrgRuntimes(db, SECRETS, TOPICS)
  const held = runtimes.of(org)
  for (let number = 0; number < 2000; number++) {
    const id = `00D${String(number).padStart(12, '0')}`
    runtimes.of({ id, schemaName: `org_${number}`, name: `Org ${number}` })
  }
  assert.equal(runtimes.of(org), held)
  assert.ok((await held.snapshots.current()).objects.length > 0)
})
