const { Connection } = require('jsforce')

const url = process.env.OBJECTRY_URL
const token = process.env.OBJECTRY_TOKEN
const conn = new Connection({ instanceUrl: url, accessToken: token, version: '64.0' })

/** Puts the org back to where it was when it started. */
async function restore() {
  const { status } = await fetch(`${url}/setup/orgs/current/restore`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ snapshot: 'ready' }),
  })
  expect(status).toBe(200)
}

beforeEach(restore)

test('a project has a kick-off on its first day', async () => {
  await conn.sobject('Project__c').create({ Name: 'Site', Code__c: 'P-1', Start__c: '2026-03-02' })
  const { records } = await conn.query('SELECT Title__c, Due__c FROM Milestone__c')
  expect(records).toMatchObject([{ Title__c: 'Kick-off', Due__c: '2026-03-02' }])
})

test('nothing is left of the tests before', async () => {
  expect(await conn.sobject('Project__c').count()).toBe(0)
})
