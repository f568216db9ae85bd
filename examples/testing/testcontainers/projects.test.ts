import { join } from 'node:path'
import { Connection } from 'jsforce'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ObjectryContainer, type StartedObjectryContainer } from './objectry-container.ts'

/* With Testcontainers and Vitest: `npm install --save-dev testcontainers jsforce vitest`, then `npx vitest run`. */

let org: StartedObjectryContainer
let conn: Connection

beforeAll(async () => {
  const container = new ObjectryContainer(process.env.OBJECTRY_IMAGE)
  org = await container.withDeployment(join(import.meta.dirname, '../../deployment')).start()
  conn = new Connection({ instanceUrl: org.url, accessToken: await org.token(), version: '64.0' })
}, 120_000)
afterAll(() => org.stop())

// Each test finds the org as it was at the start: only what the one before changed is put back.
beforeEach(() => org.restore())

test('a project has a kick-off on its first day', async () => {
  await conn.sobject('Project__c').create({ Name: 'Site', Code__c: 'P-1', Start__c: '2026-03-02' })
  const { records } = await conn.query('SELECT Title__c, Due__c FROM Milestone__c')
  expect(records).toMatchObject([{ Title__c: 'Kick-off', Due__c: '2026-03-02' }])
})

test('nothing is left of the tests before', async () => {
  expect(await conn.sobject('Project__c').count()).toBe(0)
})
