import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { copyOrg } from '../../src/orgs/snapshots/copy-org.ts'
import { afterFile } from '../support/after-file.ts'
import { fetchNames } from '../support/ask.ts'
import { fetchRuns, untilRun } from '../support/jobs.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'
import { deliver, EVENT_OBJECT, fetchDeliveries, SECRET, untilStatus } from '../support/webhooks.ts'

// docs/how-to/snapshots-and-several-orgs.md#what-a-snapshot-keeps

const FOLDER = mkdtempSync(join(tmpdir(), 'objectry-restored-'))
const gate = (name: string) => join(FOLDER, `${name} may`)
/** The names of the work that was carried out, a line each: no restore takes them back. */
const CARRIED_OUT = join(FOLDER, 'carried-out')

/** Fails until its gate is open, again and again, for ten seconds at least. */
const WORK = `const work = async (name, org) => {
  if (!existsSync(${JSON.stringify(FOLDER)} + '/' + name + ' may')) {
    await new Promise((done) => setTimeout(done, 200))
    throw new Error('not yet')
  }
  await org.create('Account', [{ Name: name }])
  appendFileSync(${JSON.stringify(CARRIED_OUT)}, name + '\\n')
}
const retries = Array(50).fill(0)`

const DEPLOYMENT = {
  'jobs/patient.ts': `import { appendFileSync, existsSync } from 'node:fs'
    ${WORK}
    export default { retries, run: ({ name }, org) => work(name, org) }`,
  'resources/patient.ts': `import { appendFileSync, existsSync } from 'node:fs'
    import { webhook } from 'objectry'
    ${WORK}
    export default webhook({
      path: '/patient', secret: ${JSON.stringify(SECRET)}, object: 'Event_Log__c', eventId: 'id', retries,
      process: (event, org) => work(event.id, org),
    })`,
  'resources/enqueue.ts': `export default {
      path: '/enqueue',
      async POST({ body: { names, delaySeconds } }, org) {
        const ids = []
        for (const name of names) ids.push(await org.enqueue('patient', { name }, { delaySeconds }))
        return ids
      },
    }`,
}

const open = (name: string) => writeFileSync(gate(name), '')
const timesOf = (name: string) =>
  readFileSync(CARRIED_OUT, 'utf8')
    .split('\n')
    .filter((line) => line === name).length

afterFile(() => rmSync(FOLDER, { recursive: true }))

describe('after a restore', () => {
  let o: TestOrg

  async function enqueueAll(names: readonly string[], delaySeconds = 0): Promise<readonly string[]> {
    const { status, body, text } = await o.call('POST', '/services/customrest/enqueue', {
      body: { names, delaySeconds },
    })
    assert.equal(status, 200, text)
    return body
  }
  const enqueue = async (name: string, delaySeconds?: number) => (await enqueueAll([name], delaySeconds))[0]!
  const save = (name: string) => saveSnapshot(o, name)
  const restore = (name: string) => restoreSnapshot(o, name)
  const accounts = (name: string) => fetchNames(o, `Account WHERE Name = '${name}'`)

  /** Which of these runs the queue has, each as often as it has it. */
  async function findQueued(ids: readonly string[]): Promise<readonly string[]> {
    const rows = await o.db.query<{ id: string }>(
      sql`select data ->> 'recordId' as id from ${sql.id(`jobs_of_${o.org.schemaName}`, 'job')}
          where data ->> 'recordId' = any(${ids}::text[]) and state < 'active' order by 1`,
    )
    return rows.map((row) => row.id)
  }

  /** Waits for all work that was queued before: pieces of work are begun in their order. */
  async function settled(): Promise<void> {
    open('last')
    await untilRun(o, await enqueue('last'), 'Done')
  }

  before(async () => {
    appendFileSync(CARRIED_OUT, '')
    o = await openOrg({ deployment: writeDeployment(DEPLOYMENT) })
    await o.deploy([EVENT_OBJECT])
  })

  test('a run that was pending in the snapshot is carried out once, each time', async () => {
    const id = await enqueue('pending')
    await untilRun(o, id, 'Retrying')
    await save('pending')
    open('pending')
    await untilRun(o, id, 'Done')
    for (const times of [2, 3]) {
      await restore('pending')
      await untilRun(o, id, 'Done')
      await settled()
      assert.equal(timesOf('pending'), times)
      assert.deepEqual(await accounts('pending'), ['pending'])
    }
  })

  test('a run that is still pending is carried out once, however many restores there are', async () => {
    const id = await enqueue('still')
    await untilRun(o, id, 'Retrying')
    await save('still')
    for (let i = 0; i < 3; i++) await restore('still')
    open('still')
    await untilRun(o, id, 'Done')
    await settled()
    assert.equal(timesOf('still'), 1)
  })

  test('a delivery that was pending in the snapshot is processed once', async () => {
    const { body } = await deliver(o, 'patient', { id: 'event' })
    await untilStatus(o, body.id, 'Retrying')
    await save('event')
    open('event')
    await untilStatus(o, body.id, 'Done')
    await restore('event')
    await untilStatus(o, body.id, 'Done')
    await settled()
    assert.equal(timesOf('event'), 2)
    assert.deepEqual(await accounts('event'), ['event'])
  })

  test('a run that was done in the snapshot is not carried out again, nor is one that came later', async () => {
    open('done')
    const id = await enqueue('done')
    await untilRun(o, id, 'Done')
    await save('done')
    const later = await enqueue('later')
    await untilRun(o, later, 'Retrying')
    await restore('done')
    open('later')
    await settled()
    assert.deepEqual([timesOf('done'), timesOf('later')], [1, 0])
    assert.deepEqual(await fetchRuns(o, `WHERE Id = '${later}'`), [])
    assert.deepEqual(await fetchDeliveries(o, "WHERE Status != 'Done'"), [])
  })

  test('runs that were put off still are, and are queued once each, however many', async () => {
    open('put off')
    const ids = await enqueueAll(Array<string>(1001).fill('put off'), 3600)
    const [run] = await fetchRuns(o, `WHERE Id = '${ids[0]}'`)
    await save('put-off')
    await restore('put-off')
    await restore('put-off')
    await settled()
    assert.deepEqual(await fetchRuns(o, `WHERE Id = '${ids[0]}'`), [run])
    assert.deepEqual([await findQueued(ids), timesOf('put off')], [[...ids].sort(), 0])
  })

  test('a pending run is carried out once in the org and once in its copy', async () => {
    const id = await enqueue('both')
    await untilRun(o, id, 'Retrying')
    const copy = await copyOrg(o.db, o.services, o.org, `Copy ${o.org.id}`, undefined, SECRETS)
    open('both')
    await untilRun(o, id, 'Done')
    await until(async () => {
      const [run] = await o.db.query<{ status: string }>(
        sql`select status from ${sql.id(copy.schemaName, 'backgroundjob')} where id = ${id}`,
      )
      return run?.status === 'Done'
    })
    await settled()
    assert.equal(timesOf('both'), 2)
    assert.deepEqual(await accounts('both'), ['both'])
  })
})
