import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ask, type Cluster, makeCluster, ON_CLUSTER } from '../support/cluster.ts'
import { runCommand } from '../support/run-command.ts'
import {
  credentialsIn,
  fetchToken,
  makeDataFolder,
  SECRET_KEY,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'

/* Which server of a cluster carries a statement out, and that clients do not see it. */

interface Created {
  readonly id: string
}

describe('the statements of an org on a worker', ON_CLUSTER, () => {
  const folder = makeDataFolder()
  const deployment = writeDeployment({
    'objects/Ticket__c.yaml': `
      fields:
        Name: { type: autonumber, format: 'T-{000}' }
        Key__c: { type: string, length: 40, unique: true, externalId: true }`,
  })
  let cluster: Cluster
  let server: ServerProcess
  let token: string

  async function call<Body>(method: string, path: string, body?: unknown) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const url = `${server.address}/services/data/v64.0${path}`
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) ?? null })
    return { status: response.status, body: (await response.json()) as Body }
  }

  const query = async (soql: string) => {
    const { status, body } = await call<{ records: Record<string, unknown>[]; nextRecordsUrl?: string }>(
      'GET',
      `/query?q=${encodeURIComponent(soql)}`,
    )
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  /** The last statements that the server itself sent to the workers. */
  async function findSent(): Promise<string[]> {
    const found = await Promise.all(
      cluster.workers.map(({ url }) =>
        ask<{ query: string }>(
          url,
          `select query from pg_stat_activity where datname = current_database() and application_name = 'objectry'`,
        ),
      ),
    )
    return found.flat().map(({ query }) => query)
  }

  before(async () => {
    cluster = await makeCluster('statements')
    const settings = {
      DATABASE_URL: cluster.url,
      OBJECTRY_DATA: folder.data,
      OBJECTRY_DEPLOYMENT: deployment,
      ...SECRET_KEY,
    }
    server = await startServer(settings)
    const { out } = await runCommand(['org', 'create', 'one'], settings)
    // A start looks at once where the orgs are.
    await server.end('SIGTERM')
    server = await startServer(settings)
    token = await fetchToken(server.address, credentialsIn(out)!)
  })
  after(async () => {
    await server?.end('SIGTERM')
    await cluster?.drop()
    folder.remove()
  })

  test('reads and single writes go to the worker itself, those that take numbers do not', async () => {
    await call('POST', '/sobjects/Account', { Name: 'first' })
    await until(async () => {
      await query("SELECT Id FROM Account WHERE Name = 'first'")
      return (await findSent()).some((text) => /^select .* from "org_\d+"\."account"/.test(text))
    })
    await until(async () => {
      await call('POST', '/sobjects/Account', { Name: 'next' })
      return (await findSent()).some((text) => /^insert into "org_\d+"\."account"/.test(text))
    })
    for (let count = 0; count < 10; count++) await call('POST', '/sobjects/Ticket__c', {})
    assert.deepEqual(
      (await findSent()).filter((text) => /^insert into "org_\d+"\."ticket__c"/.test(text)),
      [],
    )
    const { records } = await query('SELECT Name FROM Ticket__c ORDER BY Name')
    const numbers = Array.from({ length: 10 }, (_, at) => `T-${String(at + 1).padStart(3, '0')}`)
    assert.deepEqual(
      records.map(({ Name }) => Name),
      numbers,
    )
  })

  test('a record is read as it was written, whoever carried the statements out', async () => {
    const { body } = await call<Created>('POST', '/sobjects/Account', { Name: 'seen' })
    for (let count = 0; count < 20; count++) {
      const steps = {
        allOrNone: true,
        compositeRequest: [
          {
            method: 'PATCH',
            referenceId: 'a',
            url: `/services/data/v64.0/sobjects/Account/${body.id}`,
            body: { Name: `seen ${count}` },
          },
        ],
      }
      await call('POST', '/composite', steps)
      const read = await call<{ Name: string }>('GET', `/sobjects/Account/${body.id}?fields=Name`)
      assert.equal(read.body.Name, `seen ${count}`)
    }
  })

  test('a value that a record has already is refused with the record, alone and among others of a transaction', async () => {
    const first = await call<Created>('POST', '/sobjects/Ticket__c', { Key__c: 'one' })
    const message = `duplicate value found: Key__c duplicates value on record with id: ${first.body.id.slice(0, 15)}`
    const alone = await call<{ message: string }[]>('POST', '/sobjects/Ticket__c', { Key__c: 'one' })
    assert.deepEqual([alone.status, alone.body[0]!.message], [400, message])
    for (const allOrNone of [true, false]) {
      const records = [`two ${allOrNone}`, 'one', `three ${allOrNone}`].map((Key__c) => ({
        attributes: { type: 'Ticket__c' },
        Key__c,
      }))
      const { body } = await call<{ success: boolean; errors: { message: string }[] }[]>(
        'POST',
        '/composite/sobjects',
        { allOrNone, records },
      )
      assert.deepEqual(
        body.map(({ success }) => success),
        [!allOrNone, false, !allOrNone],
      )
      assert.equal(body[1]!.errors[0]!.message, message)
    }
  })

  test('the pages of a result are those of one moment', async () => {
    for (let at = 0; at < 12; at++) {
      const records = Array.from({ length: 200 }, (_, number) => ({
        attributes: { type: 'Account' },
        Name: `many ${at} ${number}`,
      }))
      await call('POST', '/composite/sobjects', { records })
    }
    const first = await query("SELECT Id FROM Account WHERE Name LIKE 'many%' ORDER BY Name")
    const next = first.nextRecordsUrl!.slice('/services/data/v64.0'.length)
    await call('POST', '/sobjects/Account', { Name: 'many and one' })
    const { body } = await call<{ records: object[]; totalSize: number }>('GET', next)
    assert.deepEqual([first.records.length, body.records.length, body.totalSize], [2000, 400, 2400])
  })
})
