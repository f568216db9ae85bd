import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { purgeOrg } from '../../src/records/recycle-bin/purge-org.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { records } from '../../src/schema/objects/records.sql.ts'
import { loadSnapshot } from '../../src/schema/snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import { onPostgres } from '../support/engine.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { triggersFrom, writeDeployment } from '../support/trigger-files.ts'

/* No foreign key holds what a record refers to: the write path does. */

/** Keeps a write open for a moment after its statement, so that others come in between. */
const SLOW = (object: string) => {
  const wait = 'await new Promise((done) => setTimeout(done, Math.random() * 15))'
  const times = ['afterInsert', 'afterUpdate', 'afterUndelete']
  return `export default { object: '${object}', ${times.map((time) => `async ${time}() { ${wait} }`).join(', ')} }`
}

/** Restores what it can: when calls hold each other's records for too long, nothing. */
const UNDELETE = `export default {
  path: '/undelete/:object',
  POST: async ({ params, body }, org) => {
    try {
      return await org.undelete(params.object, body.ids, { allOrNone: false })
    } catch (error) {
      if (error.errorCode === 'UNABLE_TO_LOCK_ROW') return []
      throw error
    }
  },
}`

const WORKERS = 10
const OPERATIONS = 25

/** All that is deleted may be purged by then. */
const MUCH_LATER = new Date(Date.now() + 365 * 86_400_000)

const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!

/** Returns references such as `Letter__c.Sender__c` to records that are not there, or, of living records, to deleted ones. */
async function findDangling(o: TestOrg): Promise<string[]> {
  const schema = await loadSnapshot(o.db, o.org)
  const dangling: string[] = []
  for (const object of schema.objects) {
    for (const field of object.fields) {
      const targets = field.referenceTo.flatMap((name) => schema.object(name) ?? [])
      if (targets.length === 0 || field.column === undefined) continue
      const column = sql.id('r', field.column)
      const found = targets.map(
        (target) =>
          sql`exists (select from ${records(o.org, target, 't')}
                      where t.id = ${column} and (r.isdeleted or not t.isdeleted))`,
      )
      const rows = await o.db.query(
        sql`select r.id from ${records(o.org, object, 'r')}
            where ${column} is not null and not (${sql.join(found, ' or ')})`,
      )
      dangling.push(...rows.map(() => `${object.name}.${field.name}`))
    }
  }
  return dangling
}

describe('records that are created, changed, deleted, restored and purged at the same time', {
  skip: !onPostgres,
}, () => {
  test('never refer to a record that is not there', async () => {
    const o = await openOrg({
      settings: { allocation: 'unlimited' },
      triggers: await triggersFrom({
        'letter.js': SLOW('Letter__c'),
        'room.js': SLOW('Room__c'),
        'chair.js': SLOW('Chair__c'),
      }),
      deployment: writeDeployment({ 'resources/undelete.js': UNDELETE }),
    })
    await o.deploy(HIERARCHY_SCHEMA)
    const schema = await loadSnapshot(o.db, o.org)
    const known: Record<string, string[]> = { House__c: [], Room__c: [], Chair__c: [], Letter__c: [] }
    const counts = new Map<string, number>()
    let restored = 0
    const call = async (what: string, method: string, path: string, body?: object) => {
      const answer = await o.call(method, path, { body })
      assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text}`)
      if (answer.status < 300) counts.set(what, (counts.get(what) ?? 0) + 1)
      return answer
    }
    const create = async (object: string, fields: object) => {
      const { status, body } = await call('create', 'POST', `/sobjects/${object}`, fields)
      if (status === 201) known[object]!.push(body.id)
    }
    // The newest few, so that calls meet.
    const recent = (object: string) => pick(known[object]!.slice(-4))
    const referrers: readonly (() => readonly [object: string, fields: object])[] = [
      () => ['Letter__c', { Sender__c: recent('House__c'), Archive__c: recent('House__c') }],
      () => ['Letter__c', { Receiver__c: recent('House__c') }],
      () => ['Room__c', { House__c: recent('House__c') }],
      () => ['Chair__c', { Room__c: recent('Room__c') }],
    ]
    const change = () => {
      const [object, fields] = pick(referrers.filter((_, index) => index !== 2))()
      return call('change', 'PATCH', `/sobjects/${object}/${recent(object)}`, fields)
    }
    const operations: readonly (() => Promise<unknown>)[] = [
      () => create('House__c', { Annex__c: recent('House__c') }),
      () => create(...pick(referrers)()),
      () => create(...pick(referrers)()),
      () =>
        call('list', 'POST', '/composite/sobjects', {
          records: referrers.map((make) => {
            const [type, fields] = make()
            return { attributes: { type }, ...fields }
          }),
        }),
      change,
      change,
      () => call('delete', 'DELETE', `/sobjects/House__c/${recent('House__c')}`),
      () => call('delete', 'DELETE', `/sobjects/Room__c/${recent('Room__c')}`),
      () => call('delete', 'DELETE', `/sobjects/Letter__c/${recent('Letter__c')}`),
      ...['House__c', 'Letter__c', 'Room__c'].map((object) => async () => {
        const path = `/services/customrest/undelete/${object}`
        const { body } = await call('undelete', 'POST', path, { ids: [recent(object)] })
        for (const { success } of body) if (success) restored++
      }),
    ]
    for (let round = 0; round < 3; round++) {
      await create('House__c', {})
      await create('Room__c', { House__c: recent('House__c') })
      await create('Chair__c', { Room__c: recent('Room__c') })
      await create('Letter__c', { Sender__c: recent('House__c') })
    }
    const work = async () => {
      for (let done = 0; done < OPERATIONS; done++) {
        await pick(operations)()
        if (Math.random() < 0.2) await create('House__c', {})
        if (Math.random() < 0.2) await create('Room__c', { House__c: recent('House__c') })
      }
    }
    let isWorking = true
    const working = Promise.all(Array.from({ length: WORKERS }, work)).finally(() => {
      isWorking = false
    })
    let purged = 0
    while (isWorking) {
      const result = await purgeOrg({
        db: o.db,
        org: o.org,
        schema,
        objects: schema.storedObjects,
        now: MUCH_LATER,
        isStopped: () => !isWorking,
      })
      purged += result.purged
    }
    await working
    assert.deepEqual(await findDangling(o), [])
    // All of it has taken place.
    for (const what of ['create', 'list', 'change', 'delete', 'undelete'])
      assert.ok(counts.get(what)! > 0, what)
    assert.ok(purged > 0 && restored > 0)
  })
})

test('A purge that began before a text became a reference leaves the records that it names', async () => {
  const o = await openOrg()
  await o.deploy(HIERARCHY_SCHEMA)
  const before = await loadSnapshot(o.db, o.org)
  const house = await o.create('House__c', {})
  await o.create('Room__c', { House__c: await o.create('House__c', {}), Mark__c: house })
  assert.equal((await o.call('DELETE', `/sobjects/House__c/${house}`)).status, 204)
  const room = before.object('Room__c')!.definition
  const fields = room.fields.map((field) =>
    field.name === 'Mark__c'
      ? { ...field, externalId: false, type: 'reference' as const, to: ['House__c'], relationship: 'Mark__r' }
      : field,
  )
  await deploySchema(o.db, o.org, { objects: [{ ...room, fields }], mode: 'keep' })
  const purge = async (schema: SchemaSnapshot) =>
    purgeOrg({
      db: o.db,
      org: o.org,
      schema,
      objects: schema.storedObjects,
      now: MUCH_LATER,
      isStopped: () => false,
    })
  assert.deepEqual(await purge(before), { purged: 0, failures: ['the schema has been changed meanwhile'] })
  assert.deepEqual(await purge(await loadSnapshot(o.db, o.org)), { purged: 0, failures: [] })
})
