import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { Connection } from 'jsforce'
import { startOrg } from 'objectry/test'

/* Tests of code that works on an org: `npm install --save-dev objectry jsforce`, then `node --test`. */

type Org = Awaited<ReturnType<typeof startOrg>>

let org: Org
let conn: Connection

before(async () => {
  org = await startOrg({ deployment: join(import.meta.dirname, '../deployment') })
  conn = new Connection({ instanceUrl: org.url, accessToken: org.token, version: '64.0' })
})
after(() => org.stop())

// Each test finds the org as it was at the start: only what the one before changed is put back.
beforeEach(() => org.restore())

/** What is tested; yours is elsewhere. */
async function startProject(code: string, accountName: string): Promise<string> {
  const account = await conn.sobject('Account').create({ Name: accountName })
  const project = { Name: accountName, Code__c: code, Account__c: account.id, Start__c: '2026-03-02' }
  const { id } = await conn.sobject('Project__c').create(project)
  return id!
}

test('a project is planned, and has a kick-off on its first day', async () => {
  const id = await startProject('P-1', 'Acme')
  const { records } = await conn.query(
    `SELECT Status__c, Account__r.Name, (SELECT Title__c, Due__c FROM Milestones__r) FROM Project__c WHERE Id = '${id}'`,
  )
  const [project] = records
  assert.equal(project!.Status__c, 'Planned')
  assert.equal(project!.Account__r.Name, 'Acme')
  const [milestone] = project!.Milestones__r.records
  assert.deepEqual([milestone.Title__c, milestone.Due__c], ['Kick-off', '2026-03-02'])
})

test('a code is given once', async () => {
  await startProject('P-1', 'Acme')
  await assert.rejects(startProject('P-1', 'Other'), { name: 'DUPLICATE_VALUE' })
})

test('nothing is left of the tests before', async () => {
  assert.equal(await conn.sobject('Account').count(), 0)
})
