import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import type { Objects } from '../support/deploying.ts'
import { onPostgres, sharedDatabaseUrl } from '../support/engine.ts'
import { openOrg } from '../support/org.ts'

const boxes = (size: 'int' | 'double' | 'string', more: object = {}): Objects => ({
  Box__c: {
    fields: {
      Key__c: { type: 'string', length: 40, externalId: true, unique: true },
      Size__c: { type: size },
      ...more,
    },
  },
})

/** Deployments of another process, one after the other: none of them is in the way of the load. */
const EDITS: readonly Objects[] = [
  boxes('double'),
  boxes('double', { Extra__c: { type: 'string', required: true, default: 'x' } }),
  boxes('int', { Extra__c: { type: 'picklist', values: ['x', 'y'] } }),
  boxes('int', { Account__c: { type: 'reference', to: 'Account' } }),
  boxes('double', { Account__c: { type: 'reference', to: ['Account', 'Contact'] } }),
  boxes('int'),
]

test('another process deploys while calls come: none of them fails, and all see the end of it', {
  skip: !onPostgres && 'needs several connections',
}, async () => {
  const o = await openOrg()
  const deploy = (db: typeof o.db, objects: Objects) =>
    deploySchema(db, o.org, {
      objects: readDefinitions({ objects, valueSets: {} }).objects,
      mode: 'replace',
      allowDestructive: true,
    })
  const other = await openEngine({ databaseUrl: await sharedDatabaseUrl(), poolSize: 2, data: 'memory' })
  await deploy(other.db, boxes('int'))
  let isOver = false
  const failures: string[] = []
  let calls = 0
  const keep = async (status: number, sent: () => ReturnType<typeof o.call>) => {
    const answer = await sent()
    calls++
    if (answer.status !== status) failures.push(`${answer.status} ${answer.text}`)
    return answer
  }
  const worker = async (name: number) => {
    for (let n = 0; !isOver; n++) {
      const key = `k${name}-${n}`
      const created = await keep(201, () =>
        o.call('POST', '/sobjects/Box__c', { body: { Key__c: key, Size__c: n } }),
      )
      const path = `/sobjects/Box__c/${created.body.id}`
      await keep(204, () => o.call('PATCH', path, { body: { Size__c: n + 1 } }))
      await keep(200, () => o.call('GET', path))
      await keep(200, () =>
        o.call('GET', '/query?q=SELECT+Id,+Key__c,+Size__c+FROM+Box__c+WHERE+Size__c+>+3+LIMIT+20'),
      )
      await keep(200, () => o.call('PATCH', `/sobjects/Box__c/Key__c/${key}`, { body: { Size__c: n + 2 } }))
      const records = [1, 2, 3].map((i) => ({
        attributes: { type: 'Box__c' },
        Key__c: `${key}-${i}`,
        Size__c: i,
      }))
      const many = await keep(200, () =>
        o.call('POST', '/composite/sobjects', { body: { allOrNone: n % 2 === 0, records } }),
      )
      for (const { success, errors } of many.body) if (!success) failures.push(JSON.stringify(errors))
    }
  }
  const workers = Promise.all([1, 2, 3, 4].map(worker))
  try {
    for (let round = 0; round < 3; round++) {
      for (const edit of EDITS) {
        await deploy(other.db, edit)
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
    }
  } finally {
    isOver = true
    await workers
    await other.close()
  }
  assert.deepEqual(failures.slice(0, 5), [])
  assert.ok(calls > 100)
})
