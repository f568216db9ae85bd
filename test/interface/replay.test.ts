import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { afterFile } from '../support/after-file.ts'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { writeDeadDeliveries } from '../support/dead-deliveries.sql.ts'
import { onPostgres } from '../support/engine.ts'
import { untilRun } from '../support/jobs.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { deliver, EVENT_OBJECT, SECRET, untilStatus } from '../support/webhooks.ts'

/** Fails as long as there is an account that says so. */
const CHECK = `const check = async (org, name) => {
  const broken = await org.query('SELECT Id FROM Account WHERE Name = :name', { name: 'broken ' + name })
  if (broken.length > 0) throw new Error('is broken')
}`

const hook = (name: string, process: string) => `
import { webhook } from 'objectry'
${CHECK}
export default webhook({
  path: '/${name}', secret: ${JSON.stringify(SECRET)}, object: 'Event_Log__c', eventId: 'id', retries: [],
  record: (event) => ({ Kind__c: event.kind }),
  ${process}
})`

const NOTE = `async process(event, org, { isReplay, attempts }) {
  await check(org, event.kind)
  await org.create('Account', [{ Name: event.id, Description: isReplay + ' ' + attempts }])
}`

/** The slow receiver ends when there is such a file. */
const GATE = join(mkdtempSync(join(tmpdir(), 'objectry-replay-')), 'open')

const DEPLOYMENT = {
  'resources/first.ts': hook('first', NOTE),
  'resources/second.ts': hook('second', NOTE),
  'resources/third.ts': hook('third', NOTE),
  'resources/later.ts': hook('later', "process() { throw new Error('later') }").replace(
    'retries: []',
    'retries: [3600]',
  ),
  'resources/slow.ts': hook(
    'slow',
    `async process(event, org) {
      await org.create('Account', [{ Name: event.id }])
      while (!existsSync(${JSON.stringify(GATE)})) await new Promise((done) => setTimeout(done, 10))
    }`,
  ).replace('import { webhook }', "import { existsSync } from 'node:fs'\nimport { webhook }"),
  'jobs/note.ts': `${CHECK}
    export default { retries: [], async run({ name }, org, { isReplay, attempts, queuedAt }) {
      await check(org, name)
      await org.create('Account', [{ Name: name, Description: isReplay + ' ' + attempts }])
    } }`,
  'jobs/nightly.ts': "export default { cron: '0 6 * * 1', timeZone: 'Europe/Berlin', run() {} }",
}

const SETUP = '/setup/orgs/current'

afterFile(() => rmSync(dirname(GATE), { recursive: true }))

describe('the admin API', () => {
  let o: TestOrg
  let many = 0

  const get = async (path: string) => {
    const { status, body, text } = await o.call('GET', `${SETUP}${path}`)
    assert.equal(status, 200, text)
    return body
  }
  const post = (path: string, body?: unknown) => o.call('POST', `${SETUP}${path}`, { body })
  const replay = async (path: string, body?: unknown) => {
    const answer = await post(path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const breaking = (name: string) => o.create('Account', { Name: `broken ${name}` })
  const mend = async (id: string) =>
    assert.equal((await o.call('DELETE', `/sobjects/Account/${id}`)).status, 204)
  const accounts = (name: string) =>
    fetchRecords(o, `SELECT Description FROM Account WHERE Name = '${name}' ORDER BY Id`)
  const counts = async (path: string, name: string) =>
    (await get(path)).find((one: { name: string }) => one.name === name)

  /** A delivery to its end. */
  async function delivered(receiver: string, event: object, ...statuses: string[]) {
    const { body } = await deliver(o, receiver, event)
    await untilStatus(o, body.id, ...statuses)
    return body.id as string
  }

  /** Deliveries of one receiver that are dead because it is broken. */
  async function dead(receiver: string, count: number) {
    const kind = `kind ${++many}`
    const broken = await breaking(kind)
    const sent = Array.from({ length: count }, (_, n) =>
      delivered(receiver, { id: `${kind} ${n}`, kind }, 'Dead'),
    )
    return { kind, ids: await Promise.all(sent), mend: () => mend(broken) }
  }

  async function run(job: string, payload?: unknown): Promise<string> {
    const { status, body, text } = await post(
      `/jobs/${job}/run`,
      payload === undefined ? undefined : { payload },
    )
    assert.equal(status, 201, text)
    return body.id
  }

  before(async () => {
    o = await openOrg({ deployment: writeDeployment(DEPLOYMENT) })
    await o.deploy([EVENT_OBJECT])
  })

  test('replays a dead delivery once its receiver works again', async () => {
    const { kind, ids, mend } = await dead('first', 1)
    await mend()
    assert.deepEqual(await replay(`/webhooks/deliveries/${ids[0]}/replay`), { replayed: 1 })
    const { Outcome, IsReplay, Attempts, LastError } = await untilStatus(o, ids[0]!, 'Done')
    assert.deepEqual([Outcome, IsReplay, Attempts, LastError], ['Created', true, 1, null])
    assert.deepEqual(await accounts(`${kind} 0`), [{ Description: 'true 0' }])
  })

  test('replays a delivery that is done: it is processed again and updates its record', async () => {
    const id = await delivered('first', { id: 'done twice', kind: 'fine' }, 'Done')
    const path = `/webhooks/deliveries/${id}`
    const before = await get(path)
    assert.deepEqual(await replay(`${path}/replay`), { replayed: 1 })
    const { Outcome, EventRecordId } = await untilStatus(o, id, 'Done')
    assert.deepEqual([before.outcome, Outcome], ['Created', 'Updated'])
    assert.equal(EventRecordId, before.eventRecordId)
    assert.deepEqual(await accounts('done twice'), [{ Description: 'false 0' }, { Description: 'true 0' }])
    const events = await fetchRecords(o, "SELECT Id FROM Event_Log__c WHERE Event_Id__c = 'done twice'")
    assert.equal(events.length, 1)
  })

  test('replays all dead deliveries, or those of one receiver', async () => {
    const [first, second] = [await dead('first', 3), await dead('second', 2)]
    await Promise.all([first.mend(), second.mend()])
    assert.deepEqual(await replay('/webhooks/replay', { receiver: 'second' }), { replayed: 2 })
    await Promise.all(second.ids.map((id) => untilStatus(o, id, 'Done')))
    assert.equal((await counts('/webhooks', 'first')).dead, 3)
    assert.deepEqual(await replay('/webhooks/replay'), { replayed: 3 })
    await Promise.all(first.ids.map((id) => untilStatus(o, id, 'Done')))
    assert.deepEqual(await replay('/webhooks/replay', { status: 'Dead' }), { replayed: 0 })
  })

  test('replays in parts, each from behind the one before', async () => {
    const { ids, mend } = await dead('first', 5)
    await mend()
    const one = await replay('/webhooks/replay', { limit: 2 })
    assert.deepEqual(one, { replayed: 2, next: [...ids].sort()[1] })
    const two = await replay('/webhooks/replay', { limit: 3, after: one.next })
    assert.equal(two.replayed, 3)
    assert.deepEqual(await replay('/webhooks/replay', { limit: 3, after: two.next }), { replayed: 0 })
    await Promise.all(ids.map((id) => untilStatus(o, id, 'Done')))
  })

  test('does not replay a second time what fails again', async () => {
    const { ids, mend } = await dead('third', 4)
    assert.deepEqual(await replay('/webhooks/replay', { receiver: 'third' }), { replayed: 4 })
    const failed = await Promise.all(ids.map((id) => untilStatus(o, id, 'Dead')))
    assert.deepEqual(
      failed.map(({ Attempts, IsReplay }) => [Attempts, IsReplay]),
      ids.map(() => [1, true]),
    )
    await mend()
    assert.deepEqual(await replay('/webhooks/replay', { receiver: 'third' }), { replayed: 4 })
    await Promise.all(ids.map((id) => untilStatus(o, id, 'Done')))
  })

  test('counts a delivery once when two replay it at once', async () => {
    const { kind, ids, mend } = await dead('second', 20)
    await mend()
    const body = { receiver: 'second' }
    const both = await Promise.all([replay('/webhooks/replay', body), replay('/webhooks/replay', body)])
    assert.equal(both[0].replayed + both[1].replayed, 20)
    await Promise.all(ids.map((id) => untilStatus(o, id, 'Done')))
    assert.equal((await fetchNames(o, `Account WHERE Name LIKE '${kind} %'`)).length, 20)
  })

  test('has a delivery that waits for its next attempt begun at once', async () => {
    const id = await delivered('later', { id: 'impatient' }, 'Retrying')
    assert.deepEqual(await replay('/webhooks/replay', { status: 'retrying', receiver: 'later' }), {
      replayed: 1,
    })
    const again = await untilStatus(o, id, 'Retrying')
    assert.deepEqual([again.Attempts, again.IsReplay], [1, true])
  })

  test('has what is under way processed once, however often it is replayed', {
    skip: !onPostgres && 'what is processed has the only connection of the embedded engine',
  }, async () => {
    const { body } = await deliver(o, 'slow', { id: 'once' })
    for (let count = 0; count < 3; count++) await replay(`/webhooks/deliveries/${body.id}/replay`)
    writeFileSync(GATE, '')
    await untilStatus(o, body.id, 'Done')
    const after = await delivered('slow', { id: 'after it' }, 'Done')
    assert.notEqual(after, body.id)
    assert.equal((await fetchNames(o, "Account WHERE Name = 'once'")).length, 1)
  })

  test('tells of receivers what became of their deliveries, also of those that are gone', async () => {
    await delivered('first', { id: randomUUID() }, 'Done')
    const { queued, done, retrying, dead, ...first } = await counts('/webhooks', 'first')
    assert.deepEqual(first, { name: 'first', path: '/first', object: 'Event_Log__c', signature: 'hub' })
    assert.deepEqual([queued, retrying, dead], [0, 0, 0])
    assert.ok(done > 0)
    const resources = o.services.code.current!.resources as { all: readonly { name: string }[] }
    const { all } = resources
    resources.all = all.filter(({ name }) => name !== 'first')
    const gone = await counts('/webhooks', 'first')
    resources.all = all
    assert.deepEqual(gone, {
      ...{ name: 'first', path: null, object: null, signature: null },
      ...{ queued, done, retrying, dead },
    })
    const names = (await get('/webhooks')).map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['first', 'later', 'second', 'slow', 'third'])
  })

  test('lists deliveries, the newest first', async () => {
    const { ids, mend } = await dead('second', 2)
    const newest = await get('/webhooks/deliveries?receiver=second&status=dead')
    assert.deepEqual(
      newest.map(({ id }: { id: string }) => id),
      [...ids].sort().reverse(),
    )
    const { receivedAt, lastAttemptAt, bodyLength, id, eventId, ...rest } = newest[0]
    assert.match(eventId, /^kind \d+ [01]$/)
    assert.match(receivedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.ok(Math.abs(Date.parse(lastAttemptAt) - Date.now()) < 60_000)
    assert.ok(bodyLength > 10 && ids.includes(id))
    assert.deepEqual(rest, {
      ...{ receiver: 'second', status: 'Dead', attempts: 1, isReplay: false, nextAttemptAt: null },
      ...{ outcome: null, eventRecordId: null, lastError: 'Error: is broken' },
    })
    await mend()
    assert.equal((await get('/webhooks/deliveries?limit=3&receiver=third')).length, 3)
    assert.deepEqual(await get('/webhooks/deliveries?receiver=nobody%00'), [])
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'status=gone']) {
      assertRefused(
        await o.call('GET', `${SETUP}/webhooks/deliveries?${query}`),
        400,
        'INVALID_INPUT',
        / (is|one) /,
      )
    }
  })

  test('shows everything of a delivery, the body as text or else in base64', async () => {
    const text = '\uFEFF{"id":"shown","note":"ünï"} and more'
    const { body } = await deliver(o, 'first', text, { 'x-own': 'ö'.normalize('NFC'), cookie: 'a=b' })
    await untilStatus(o, body.id, 'Dead', 'Done')
    const shown = await get(`/webhooks/deliveries/${body.id}`)
    assert.deepEqual([shown.body, shown.bodyEncoding], [text, 'utf-8'])
    assert.equal(shown.bodyLength, Buffer.byteLength(text))
    assert.equal(shown.headers['content-type'], 'application/json')
    assert.equal(shown.headers.cookie, undefined)
    assert.match(shown.lastError, /^The body is no JSON/)
    const bytes = Buffer.from([0, 255, 254])
    const odd = await deliver(o, 'first', bytes)
    const { body: base64, bodyEncoding } = await get(`/webhooks/deliveries/${odd.body.id}`)
    assert.deepEqual([base64, bodyEncoding], [bytes.toString('base64'), 'base64'])
    const run = await get(`/webhooks/deliveries/${body.id.slice(0, 15)}`)
    assert.equal(run.id, body.id)
  })

  const GONE = ['0WdOB0000999999', 'x', '001OB0000000001AAA']

  test('says so when there is no such delivery or run', async () => {
    for (const [path, message] of [
      ['/webhooks/deliveries', 'There is no such delivery'],
      ['/jobs/runs', 'There is no such run of a job'],
    ] as const) {
      for (const id of GONE) {
        assertRefused(await o.call('GET', `${SETUP}${path}/${id}`), 404, 'NOT_FOUND', message)
        assertRefused(await post(`${path}/${id}/replay`), 404, 'NOT_FOUND', message)
      }
    }
  })

  test('refuses a replay that it does not understand', async () => {
    for (const body of [{ job: 'note' }, { limit: 0 }, { after: 'x' }, { receiver: 3 }]) {
      assertRefused(await post('/webhooks/replay', body), 400, 'JSON_PARSER_ERROR', /at \[line:1/)
    }
    assertRefused(
      await post('/webhooks/replay', { status: 'All' }),
      400,
      'INVALID_INPUT',
      /^status is one of/,
    )
    assert.deepEqual(await replay('/webhooks/replay', { receiver: 'a\0b' }), { replayed: 0 })
  })

  test('runs a job now, with a payload', async () => {
    const id = await run('note', { name: 'run now' })
    await untilRun(o, id, 'Done')
    assert.deepEqual(await accounts('run now'), [{ Description: 'false 0' }])
    const { queuedAt, lastAttemptAt, ...shown } = await get(`/jobs/runs/${id}`)
    assert.match(queuedAt, /Z$/)
    assert.match(lastAttemptAt, /Z$/)
    assert.deepEqual(shown, {
      ...{ id, job: 'note', status: 'Done', attempts: 1, isReplay: false, nextAttemptAt: null },
      ...{ lastError: null, userId: o.userId, occurrence: null, payload: { name: 'run now' } },
    })
    const without = await run('nightly')
    await untilRun(o, without, 'Done')
    assert.equal((await get(`/jobs/runs/${without}`)).payload, null)
  })

  test('runs no job that there is not, and none with a payload that is too large', async () => {
    const message = 'The deployment has no job nightmare. There are nightly, note'
    assertRefused(await post('/jobs/nightmare/run'), 404, 'NOT_FOUND', message)
    assertRefused(
      await post('/jobs/note/run', { load: 1 }),
      400,
      'JSON_PARSER_ERROR',
      /Unrecognized field "load"/,
    )
    const large = await post('/jobs/note/run', { payload: 'x'.repeat(131_072) })
    assertRefused(large, 400, 'STRING_TOO_LONG', /^The payload of a job is at most 131072 characters/)
  })

  test('replays runs of jobs, lists and counts them', async () => {
    const broken = await breaking('job')
    const ids = [await run('note', { name: 'job' }), await run('note', { name: 'job' })]
    await Promise.all(ids.map((id) => untilRun(o, id, 'Dead')))
    await mend(broken)
    const { queued, retrying, dead: deadRuns, ...note } = await counts('/jobs', 'note')
    assert.deepEqual([queued, retrying, deadRuns], [0, 0, 2])
    assert.deepEqual([note.name, note.cron, note.timeZone], ['note', null, 'UTC'])
    const nightly = await counts('/jobs', 'nightly')
    assert.deepEqual([nightly.cron, nightly.timeZone], ['0 6 * * 1', 'Europe/Berlin'])
    const listed = await get('/jobs/runs?job=note&status=Dead&limit=1')
    assert.deepEqual([listed.length, listed[0].id, listed[0].lastError], [1, ids[1], 'Error: is broken'])
    assert.deepEqual(await replay(`/jobs/runs/${ids[1]}/replay`), { replayed: 1 })
    await untilRun(o, ids[1]!, 'Done')
    assert.deepEqual(await replay('/jobs/replay', { job: 'nightly' }), { replayed: 0 })
    assert.deepEqual(await replay('/jobs/replay', { job: 'note' }), { replayed: 1 })
    const { IsReplay, Attempts } = await untilRun(o, ids[0]!, 'Done')
    assert.deepEqual([IsReplay, Attempts], [true, 1])
    assert.deepEqual(await accounts('job'), [{ Description: 'true 0' }, { Description: 'true 0' }])
  })

  test('replays thousands, in lots, on a server without a deployment: what is queued waits for one', async () => {
    const bare = await openOrg()
    const COUNT = 1234
    await writeDeadDeliveries(bare, COUNT)
    const answer = await bare.call('POST', `${SETUP}/webhooks/replay`)
    assert.deepEqual([answer.status, answer.body], [200, { replayed: COUNT }])
    const { body } = await bare.call('GET', `${SETUP}/webhooks`)
    const nothing = { path: null, object: null, signature: null }
    assert.deepEqual(body, [{ name: 'many', ...nothing, queued: COUNT, done: 0, retrying: 0, dead: 0 }])
    assert.deepEqual((await bare.call('GET', `${SETUP}/jobs`)).body, [])
    for (const [query, count] of [
      ['', 50],
      ['?limit=1000', 1000],
    ] as const) {
      assert.equal((await bare.call('GET', `${SETUP}/webhooks/deliveries${query}`)).body.length, count)
    }
  })
})
