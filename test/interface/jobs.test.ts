import assert from 'node:assert/strict'
import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { findAdministrator } from '../../src/auth/users/users.ts'
import { loadTriggers } from '../../src/automation/triggers/load-triggers.ts'
import { systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/base/sql.ts'
import { JobQueue } from '../../src/jobs/job-queue.ts'
import { records } from '../../src/schema/objects/records.sql.ts'
import { makeSnapshot, requireObject } from '../../src/schema/snapshot/snapshot.ts'
import type { JobFile } from '../../src/scripting/jobs/job-file.ts'
import { queueOccurrence } from '../../src/scripting/jobs/queue-occurrence.ts'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { createUser } from '../support/create-user.ts'
import { sharedEngine } from '../support/engine.ts'
import { fetchRuns, untilRun } from '../support/jobs.ts'
import { loadDeployed } from '../support/load-deployed.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'
import { useScheduledServer } from '../support/scheduled-server.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'

/** Notes what it was handed in the description of an account. */
const NOTE = `async (payload, org, about) => {
  await org.create('Account', [{ Name: payload.name, Description: JSON.stringify({ payload, about, userId: org.userId }) }])
}`

const DEPLOYMENT = {
  'jobs/note.ts': `export default { retries: [], run: ${NOTE} }`,
  'jobs/elevated.ts': `export default { runAs: 'elevated@objectry.test', run: ${NOTE} }`,
  'jobs/forsaken.ts': "export default { runAs: 'nobody@objectry.test', retries: [], run() {} }",
  'jobs/flaky.ts': `export default { retries: [0, 0, 0], async run({ name }, org, { attempts }) {
    await org.create('Account', [{ Name: name }])
    if (attempts < 2) throw new Error('not yet')
  } }`,
  'jobs/hopeless.ts': "export default { retries: [0, 0], run() { throw new Error('never') } }",
  'jobs/waiting.ts': "export default { retries: [3600], run() { throw new Error('later') } }",
  'jobs/hanging.ts': `export default { seconds: 0.2, retries: [0], async run({ name }, org) {
    await org.create('Account', [{ Name: name }])
    await new Promise(() => {})
  } }`,
  'jobs/looping.ts': `export default { seconds: 0.2, retries: [], async run({ name }, org) {
    await org.create('Account', [{ Name: name }])
    for (;;) {}
  } }`,
  'jobs/refused.ts': "export default { retries: [], run: (_payload, org) => org.create('Account', [{}]) }",
  'jobs/alone.ts': `export default { transaction: false, retries: [], async run({ name }, org) {
    await org.create('Account', [{ Name: name }])
    throw new Error('after')
  } }`,
  'jobs/first.ts': `export default { async run({ name }, org) {
    await org.enqueue('note', { name: name + ' second' })
    await org.create('Account', [{ Name: name + ' first' }])
  } }`,
  'jobs/failing.ts': `export default { retries: [], async run({ name }, org) {
    await org.enqueue('note', { name })
    throw new Error('on purpose')
  } }`,
  'resources/enqueue.ts': `
    import { HttpError } from 'objectry'
    export default {
      path: '/enqueue',
      async POST({ body: { job, payload, options, fails } }, org) {
        const id = await org.enqueue(job, payload, options)
        if (fails) throw new HttpError(409, 'not now')
        return { id }
      },
    }`,
  'resources/alone.ts': `export default { path: '/alone', transaction: false, async POST({ body }, org) {
    await org.enqueue('note', body)
    throw new Error('after')
  } }`,
  'triggers/contacts.ts': `export default {
    object: 'Contact',
    async afterInsert(changes, org) {
      for (const { record } of changes) await org.enqueue('note', { name: 'for ' + record.LastName })
      if (changes.some(({ record }) => record.LastName === 'Refused')) throw new Error('on purpose')
    },
  }`,
}

describe('a background job', () => {
  let o: TestOrg
  let person: Person

  const enqueue = (job: string, payload?: unknown, more: object = {}, by = o) =>
    by.call('POST', '/services/customrest/enqueue', { body: { job, payload, ...more } })

  async function enqueued(job: string, payload?: unknown, options?: object, by = o): Promise<string> {
    const { status, body, text } = await enqueue(job, payload, { options }, by)
    assert.equal(status, 200, text)
    return body.id
  }

  /** The runs whose payload has a text in it. */
  const runsWith = async (text: string) =>
    (await fetchRuns(o)).filter(({ Payload }) => String(Payload).includes(text))

  async function fetchNote(name: string) {
    const [account] = await fetchRecords(
      o,
      `SELECT Description, CreatedById FROM Account WHERE Name = '${name}'`,
    )
    const { payload, about, userId } = JSON.parse(String(account!.Description))
    return { payload, about, userId, createdById: account!.CreatedById }
  }

  /** Waits for all work that was queued before, and finds no record: pieces of work are begun in their order. */
  async function nothingQueued(name: string): Promise<void> {
    await untilRun(o, await enqueued('note', { name: `after ${name}` }), 'Done')
    assert.deepEqual(await fetchNames(o, `Account WHERE Name = '${name}'`), [])
    assert.deepEqual(await runsWith(`"${name}"`), [])
  }

  before(async () => {
    const deployment = writeDeployment(DEPLOYMENT)
    o = await openOrg({ deployment, triggers: await loadTriggers(deployment) })
    person = await addPerson(o, 'enqueuer')
    await allow(o, person.setId, 'Account', 'Read', 'Create')
    await allowField(o, person.setId, 'Account.Description', 'Edit')
    await o.create('SetupEntityAccess', { ParentId: person.setId, ResourceName: 'enqueue' })
  })

  test('runs after the commit with its payload, and gets its own name and attempt', async () => {
    const payload = { name: 'told', list: [1, 'ü', null], nested: { a: true } }
    const id = await enqueued('note', payload)
    const run = await untilRun(o, id, 'Done')
    assert.deepEqual([run.Job, run.Attempts, run.LastError, run.Occurrence], ['note', 1, null, null])
    assert.deepEqual(JSON.parse(String(run.Payload)), payload)
    const { payload: arrived, about, userId } = await fetchNote('told')
    assert.deepEqual(arrived, payload)
    assert.equal(userId, o.userId)
    const { queuedAt, ...rest } = about
    assert.deepEqual(rest, { id, job: 'note', attempts: 0, isReplay: false })
    assert.match(queuedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test("runs as the user who enqueued it, with that user's permissions", async () => {
    const id = await enqueued('note', { name: 'of a person' }, undefined, person.org)
    const { CreatedById } = await untilRun(o, id, 'Done')
    const { userId, createdById } = await fetchNote('of a person')
    assert.deepEqual([CreatedById, userId, createdById], [person.id, person.id, person.id])
  })

  test('runs as the user that its file names', async () => {
    const elevated = await createUser(o, 'elevated')
    await untilRun(o, await enqueued('elevated', { name: 'run as' }, undefined, person.org), 'Done')
    const { userId, createdById } = await fetchNote('run as')
    assert.deepEqual([userId, createdById], [elevated, elevated])
  })

  test('fails when there is nobody in whose name it could run', async () => {
    const forsaken = await untilRun(o, await enqueued('forsaken'), 'Dead')
    assert.equal(forsaken.LastError, 'There is no active user nobody@objectry.test')
    const leaver = await addPerson(o, 'leaver')
    await o.create('SetupEntityAccess', { ParentId: leaver.setId, ResourceName: 'enqueue' })
    const id = await enqueued('hopeless', {}, { delaySeconds: 1 }, leaver.org)
    await o.call('PATCH', `/sobjects/User/${leaver.id}`, { body: { IsActive: false } })
    const left = await untilRun(o, id, 'Dead')
    assert.equal(left.LastError, 'Whoever it is done for is not active any more')
  })

  test('is enqueued by a trigger, with what was written', async () => {
    await o.create('Contact', { LastName: 'Byron' })
    const [run] = await runsWith('for Byron')
    await untilRun(o, String(run!.Id), 'Done')
    assert.equal((await fetchNote('for Byron')).userId, o.userId)
  })

  test('does not run when the transaction was rolled back', async () => {
    const fails = await enqueue('note', { name: 'thrown' }, { fails: true })
    assert.deepEqual([fails.status, fails.body], [409, { error: 'not now' }])
    await nothingQueued('thrown')
    const refused = await o.call('POST', '/sobjects/Contact', { body: { LastName: 'Refused' } })
    assert.equal(refused.status, 400, refused.text)
    await nothingQueued('for Refused')
    const step = (url: string, body: object, referenceId: string) => ({
      method: 'POST',
      url,
      body,
      referenceId,
    })
    const { status, body } = await o.call('POST', '/composite', {
      body: {
        allOrNone: true,
        compositeRequest: [
          step('/services/data/v64.0/sobjects/Contact', { LastName: 'Composite' }, 'a'),
          step('/services/data/v64.0/sobjects/Account', {}, 'b'),
        ],
      },
    })
    assert.deepEqual([status, body.compositeResponse[0].httpStatusCode], [200, 400])
    await nothingQueued('for Composite')
  })

  test('runs when each operation is committed by itself, whatever comes after it', async () => {
    const answer = await o.call('POST', '/services/customrest/alone', { body: { name: 'on its own' } })
    assert.equal(answer.status, 500)
    const runs = await runsWith('on its own')
    assert.equal(runs.length, 1)
    await untilRun(o, String(runs[0]!.Id), 'Done')
  })

  test('enqueues others, in its own transaction', async () => {
    await untilRun(o, await enqueued('first', { name: 'chain' }), 'Done')
    const [second] = await runsWith('chain second')
    await untilRun(o, String(second!.Id), 'Done')
    assert.deepEqual(await fetchNames(o, "Account WHERE Name LIKE 'chain %' ORDER BY Name"), [
      'chain first',
      'chain second',
    ])
    const id = await enqueued('failing', { name: 'chain of a failure' })
    await untilRun(o, id, 'Dead')
    const runs = await runsWith('chain of a failure')
    assert.deepEqual(
      runs.map((run) => run.Id),
      [id],
    )
  })

  test('is an AsyncApexJob too, with the status that clients poll', async () => {
    const id = await enqueued('note', { name: 'polled' })
    await untilRun(o, id, 'Done')
    const jobs = await fetchRecords(
      o,
      'SELECT Id, Status, JobType, MethodName, NumberOfErrors, CompletedDate FROM AsyncApexJob',
    )
    const job = jobs.find((one) => String(one.Id).slice(3, 15) === id.slice(3, 15))
    const { Status, JobType, MethodName, NumberOfErrors } = job!
    assert.deepEqual(
      { Status, JobType, MethodName, NumberOfErrors },
      { Status: 'Completed', JobType: 'Queueable', MethodName: 'note', NumberOfErrors: 0 },
    )
    assert.ok(job!.CompletedDate !== null)
    // The short form of the id leads to it, so its check characters are right.
    const { status } = await o.call('GET', `/sobjects/AsyncApexJob/${String(job!.Id).slice(0, 15)}`)
    assert.equal(status, 200)
  })

  test('is tried again when it fails, and nothing of a failed attempt stays', async () => {
    const { Attempts, LastError } = await untilRun(o, await enqueued('flaky', { name: 'flaky' }), 'Done')
    assert.deepEqual([Attempts, LastError], [3, null])
    assert.equal((await fetchNames(o, "Account WHERE Name = 'flaky'")).length, 1)
  })

  test('that always fails is dead in the end, with the error and its line', async () => {
    const run = await untilRun(o, await enqueued('hopeless'), 'Dead')
    assert.deepEqual([run.Attempts, run.NextAttemptDate], [3, null])
    assert.match(String(run.LastError), /^Error: never\n\nhopeless: line 1, column \d+$/)
    const refused = await untilRun(o, await enqueued('refused'), 'Dead')
    assert.match(String(refused.LastError), /Required fields are missing: \[Name\]/)
  })

  test('waits before it is tried again', async () => {
    const run = await untilRun(o, await enqueued('waiting'), 'Retrying')
    const seconds = (Date.parse(String(run.NextAttemptDate)) - Date.now()) / 1000
    assert.ok(seconds > 3500 && seconds <= 3600, String(seconds))
  })

  test('that hangs or loops is stopped, and nothing of it stays', async () => {
    const hanging = await untilRun(o, await enqueued('hanging', { name: 'hanging' }), 'Dead')
    assert.deepEqual([hanging.Attempts, hanging.LastError], [2, 'it took longer than 0.2 seconds'])
    const looping = await untilRun(o, await enqueued('looping', { name: 'looping' }), 'Dead')
    assert.match(String(looping.LastError), /^it (took longer than 0\.2 seconds|was blocked)/)
    assert.deepEqual(await fetchNames(o, "Account WHERE Name IN ('hanging', 'looping')"), [])
    await untilRun(o, await enqueued('note', { name: 'after the loop' }), 'Done')
  })

  test('that says so commits each operation by itself', async () => {
    await untilRun(o, await enqueued('alone', { name: 'kept' }), 'Dead')
    assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'kept'"), ['kept'])
  })

  test('that was put off begins no sooner', async () => {
    const far = await enqueued('note', { name: 'tomorrow' }, { delaySeconds: 86_400 })
    const [run] = await fetchRuns(o, `WHERE Id = '${far}'`)
    const seconds = (Date.parse(String(run!.NextAttemptDate)) - Date.now()) / 1000
    assert.ok(seconds > 86_300 && seconds <= 86_400, String(seconds))
    const began = performance.now()
    await untilRun(o, await enqueued('note', { name: 'soon' }, { delaySeconds: 1.5 }), 'Done')
    assert.ok(performance.now() - began >= 1400)
    assert.equal((await fetchRuns(o, `WHERE Id = '${far}'`))[0]!.Status, 'Queued')
    assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'tomorrow'"), [])
  })

  test('goes on when the clock is set back by an hour, as do schedules', async () => {
    const id = await enqueued('note', { name: 'before the clock' }, { delaySeconds: 2 })
    const [schema, later] = [`jobs_of_${o.org.schemaName}`, sql`+ interval '1 hour'`]
    await o.db.script([
      sql`update ${sql.id(schema, 'job')} set created_on = created_on ${later}, start_after = start_after ${later}
          where data ->> 'recordId' = '${sql.raw(id)}'`,
      sql`update ${sql.id(schema, 'version')} set cron_on = now() ${later}`,
    ])
    const queue = new JobQueue(await sharedEngine(), [], () => {}, schema)
    await queue.open()
    await untilRun(o, id, 'Done')
    const [row] = await o.db.query(
      sql`select coalesce(cron_on, now()) <= now() as "isDue" from ${sql.id(schema, 'version')}`,
    )
    assert.equal(row!.isDue, true)
    await queue.close()
  })

  test('takes any JSON as its payload, nothing too', async () => {
    for (const payload of [undefined, null, 3, 'text', [], false]) {
      const { Payload } = await untilRun(o, await enqueued('waiting', payload), 'Retrying')
      assert.equal(Payload, JSON.stringify(payload ?? null))
    }
    const large = 'x'.repeat(131_070)
    assert.equal((await untilRun(o, await enqueued('waiting', large), 'Retrying')).Attempts, 1)
  })

  const REFUSED = [
    ['nothing', undefined, {}, 'INVALID_INPUT: The deployment has no job nothing'],
    [3, undefined, {}, 'INVALID_INPUT: The deployment has no job 3'],
    [
      'note',
      'x'.repeat(131_071),
      {},
      'STRING_TOO_LONG: The payload of a job is at most 131072 characters of JSON',
    ],
    ...[-1, 365 * 24 * 3600 + 1, '5', null].map(
      (delaySeconds) =>
        [
          'note',
          undefined,
          { options: { delaySeconds } },
          'INVALID_INPUT: delaySeconds must be a number from 0 to 31536000',
        ] as const,
    ),
  ] as const

  for (const [job, payload, more, message] of REFUSED) {
    test(`is refused: ${job}, ${JSON.stringify(more)}: ${message}`, async () => {
      const before = (await fetchRuns(o)).length
      const answer = await enqueue(job as string, payload, more)
      const [code, said] = message.split(': ')
      assertRefused(answer, 500, 'APEX_ERROR', new RegExp(`^OrgError: ${code}, ${said}`))
      assert.equal((await fetchRuns(o)).length, before)
    })
  }
})

describe('a file of the folder jobs', () => {
  const REFUSED = [
    ['', /The job .*wrong\.ts does nothing; write: export default \{ async run\(payload, org\) \{\} \}/],
    ['export default 3', /has no default export of this form; write: export default \{ async run/],
    ['export default { run: 3 }', /has a run that is no function/],
    ['export default { Run() {} }', /has Run, which is none of run, cron/],
    [
      "export default { run() {}, cron: 'daily' }",
      /has the cron daily; write minute, hour, day, month and weekday/,
    ],
    ["export default { run() {}, cron: '0 6 * * * *' }", /has the cron 0 6 \* \* \* \*; write minute/],
    ['export default { run() {}, cron: 5 }', /has a cron that is no text/],
    [
      "export default { run() {}, cron: '0 6 * * *', timeZone: 'Mars' }",
      /has the time zone Mars, which is not known; write one like 'Europe\/Berlin'/,
    ],
    ['export default { run() {}, seconds: 0 }', /has a seconds that is no number from 0\.1 to 3000/],
    ['export default { run() {}, retries: 3 }', /has a retries that is no list/],
    ["export default { run() {}, retries: ['5'] }", /has retries that are not at most 50 numbers of seconds/],
    ["export default { run() {}, transaction: 'no' }", /has a transaction that is neither true nor false/],
    ['export default { run() {}, runAs: 3 }', /has a runAs that is no text/],
    ["throw new Error('at once')", /The job .*wrong\.ts cannot be loaded: Error: at once/],
    ['\n\nexport default { run( }', /The job .*wrong\.ts cannot be loaded: .*wrong\.ts:3/s],
  ] as const

  for (const [text, message] of REFUSED) {
    test(`that is ${JSON.stringify(text)} is refused`, async () => {
      await assert.rejects(loadDeployed({ 'jobs/wrong.ts': text }), { message })
    })
  }

  // The queue judges the expression when an org takes the deployment.
  for (const cron of ['99 * * * *', 'a b c d e']) {
    test(`whose cron is ${cron} is refused`, async () => {
      const text = `export default { run() {}, cron: '${cron}' }`
      const message = new RegExp(
        `^The job wrong has the invalid cron expression ${cron.replaceAll('*', '\\*')}: `,
      )
      await assert.rejects(openOrg({ deployment: writeDeployment({ 'jobs/wrong.ts': text }) }), { message })
    })
  }
})

describe('the schedule of a job', () => {
  test('is kept with its time zone, and forgotten with the job', async () => {
    const deployment = writeDeployment({
      'jobs/nightly.ts': "export default { cron: ' 0 6 * * 1 ', timeZone: 'europe/berlin', run() {} }",
      'jobs/hourly.ts': "export default { cron: '5 * * * *', run() {} }",
      'jobs/other.ts': 'export default { run() {} }',
    })
    const { db, org, services } = await openOrg({ deployment })
    const kept = () =>
      db.query(
        sql`select key, cron, timezone from ${sql.id(`jobs_of_${org.schemaName}`, 'schedule')} order by key`,
      )
    const hourly = { key: 'hourly', cron: '5 * * * *', timezone: 'UTC' }
    const nightly = { key: 'nightly', cron: '0 6 * * 1', timezone: 'Europe/Berlin' }
    assert.deepEqual(await kept(), [hourly, nightly])
    await services.queue.keepTime([{ name: 'hourly', cron: '6 * * * *', timeZone: 'UTC' }], async () => {})
    assert.deepEqual(await kept(), [{ ...hourly, cron: '6 * * * *' }])
    const wrong = { name: 'wrong', cron: 'a b c d e', timeZone: 'UTC' }
    await assert.rejects(
      services.queue.keepTime([wrong], async () => {}),
      { message: /^The job wrong has/ },
    )
    assert.equal((await kept()).length, 1)
    await services.queue.keepTime([], async () => {})
    assert.deepEqual(await kept(), [])
  })

  test('is forgotten too when the last file of the deployment is removed', async () => {
    const deployment = writeDeployment({ 'jobs/hourly.ts': "export default { cron: '5 * * * *', run() {} }" })
    const { db, org } = await openOrg({ deployment, settings: { watch: 'true' } })
    const kept = () => db.query(sql`select key from ${sql.id(`jobs_of_${org.schemaName}`, 'schedule')}`)
    assert.equal((await kept()).length, 1)
    unlinkSync(join(deployment, 'jobs', 'hourly.ts'))
    await until(async () => (await kept()).length === 0)
  })
})

describe('an occurrence of a schedule', () => {
  const JOB = `export default { cron: '0 6 * * 1', async run(payload, org, { queuedAt }) {
    await org.create('Account', [{ Name: 'nightly', Description: String(payload) }])
  } }`
  const location = useScheduledServer({ 'jobs/nightly.ts': JOB })

  test('is one run in every org, however often it is queued, as the administrator', async () => {
    const { engine, queue, orgs, runsIn } = location()
    const job = { name: 'nightly' } as JobFile
    const report = (occurrence: string) =>
      queueOccurrence({ db: engine.db, queue, clock: systemClock }, job, occurrence)
    await Promise.all([report('nightly 1'), report('nightly 1')])
    await report('nightly 1')
    for (const org of orgs) {
      const [first, ...others] = await until(async () => {
        const runs = await runsIn(org)
        return runs.every(({ status }) => status === 'Done') && runs
      })
      assert.deepEqual(others, [])
      const administrator = await findAdministrator(engine.db, org)
      assert.deepEqual(first, { occurrence: 'nightly 1', status: 'Done', userId: administrator!.id })
    }
    await report('nightly 2')
    assert.equal((await runsIn(orgs[0]!)).length, 2)
  })

  test('makes its schedule a CronTrigger that counts the runs', async () => {
    const { engine, orgs } = location()
    const schema = makeSnapshot(0, new Date(0), STANDARD_OBJECTS)
    const of = (name: string, alias: string) => records(orgs[0]!, requireObject(schema, name), alias)
    const [trigger] = await engine.db.query(
      sql`select detail.name, timestriggered as runs, state from ${of('CronTrigger', 't')}
          join ${of('CronJobDetail', 'detail')} on detail.id = t.cronjobdetailid`,
    )
    assert.deepEqual(trigger, { name: 'nightly', runs: 2, state: 'WAITING' })
  })

  test('is queued in the other orgs when it cannot be in one', async () => {
    const { engine, queue, orgs, runsIn } = location()
    const [first, second] = orgs as [Org, Org]
    const log = sql.id(first.schemaName, 'backgroundjob')
    await engine.db.query(sql`alter table ${log} rename to away`)
    const reporting = queueOccurrence(
      { db: engine.db, queue, clock: systemClock },
      { name: 'nightly' } as JobFile,
      'nightly 3',
    )
    await assert.rejects(reporting, { message: /^The job nightly is not queued in Objectry: / })
    await engine.db.query(sql`alter table ${sql.id(first.schemaName, 'away')} rename to backgroundjob`)
    const occurrences = (await runsIn(second)).map(({ occurrence }) => occurrence)
    assert.ok(occurrences.includes('nightly 3'))
  })

  test('of a job that is gone is nothing', async () => {
    const { engine, queue, orgs, runsIn } = location()
    const before = await runsIn(orgs[0]!)
    await queueOccurrence({ db: engine.db, queue, clock: systemClock }, undefined, 'nightly 4')
    assert.equal((await runsIn(orgs[0]!)).length, before.length)
  })
})
