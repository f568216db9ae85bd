import assert from 'node:assert/strict'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sign, verify } from '@octokit/webhooks-methods'
import fc, { property, string, uint8Array } from 'fast-check'
import { fetchNames, fetchRecords, fetchResult } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { createUser } from '../support/create-user.ts'
import { deploy as deploySchema } from '../support/deploying.ts'
import { loadDeployed } from '../support/load-deployed.ts'
import { whileTableIsLocked } from '../support/locked-table.sql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { ADMIN_USERNAME } from '../support/template.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'
import {
  deliver,
  EVENT_OBJECT,
  fetchDeliveries,
  makeSignature,
  SECRET,
  untilStatus,
} from '../support/webhooks.ts'

// docs/reference/api/custom-resources.md#webhooks

const hook = (path: string, rest = '') => `
import { webhook } from 'objectry'
export default webhook({ path: '/${path}', secret: ${JSON.stringify(SECRET)}, object: 'Event_Log__c', ${rest} })`

const WITH_ID = "eventId: 'id',"

const DEPLOYMENT = {
  'resources/plain.ts': hook('plain', `${WITH_ID} record: (event) => ({ Kind__c: event.kind })`),
  'resources/nested.ts': hook('nested', "eventId: 'delivery.id'"),
  'resources/by-header.ts': hook('by-header', "eventId: (_event, { headers }) => headers['x-delivery']"),
  'resources/anonymous.ts': hook('anonymous'),
  'resources/tasks.ts': hook(
    'tasks',
    `${WITH_ID} async process(event, org, delivery) {
      await org.create('Account', [{ Name: event.id, Description: delivery.headers['x-kind'] }])
    }`,
  ),
  'resources/two-secrets.ts': hook('two-secrets', WITH_ID).replace(
    /secret: [^,]*/,
    "secret: ['new one', 'old one']",
  ),
  'resources/small.ts': hook('small', `${WITH_ID} maxBytes: 20`),
  'resources/slow-rate.ts': hook('slow-rate', `${WITH_ID} perSecond: 2`),
  'resources/stripe.ts': hook('stripe', `${WITH_ID} signature: 'stripe'`),
  'resources/standard.ts': hook('standard', `${WITH_ID} signature: 'standard'`),
  'resources/flaky.ts': hook(
    'flaky',
    `${WITH_ID} retries: [0, 0, 0], async process(event, org, { attempts }) {
      await org.create('Account', [{ Name: event.id }])
      if (attempts < 2) throw new Error('not yet')
    }`,
  ),
  'resources/hopeless.ts': hook(
    'hopeless',
    `${WITH_ID} retries: [0, 0], process() { throw new Error('never') }`,
  ),
  'resources/hanging.ts': hook(
    'hanging',
    `${WITH_ID} seconds: 0.2, retries: [0], async process(event, org) {
      await org.create('Account', [{ Name: event.id }])
      await new Promise(() => {})
    }`,
  ),
  'resources/slow.ts': hook(
    'slow',
    `${WITH_ID} process: () => new Promise((done) => setTimeout(done, 1500))`,
  ),
  'resources/nowhere.ts': hook('nowhere', `${WITH_ID} retries: []`).replace('Event_Log__c', 'Nothing__c'),
  'resources/keyless.ts': hook('keyless', `${WITH_ID} retries: []`).replace('Event_Log__c', 'Account'),
  'resources/waiting.ts': hook(
    'waiting',
    `${WITH_ID} retries: [3600], process() { throw new Error('later') }`,
  ),
}

describe('a receiver of signed deliveries', () => {
  let o: TestOrg
  const events = (id: string) =>
    fetchRecords(o, `SELECT Id, Kind__c FROM Event_Log__c WHERE Event_Id__c = '${id}'`)
  const count = async () => (await fetchResult(o, 'SELECT COUNT() FROM WebhookDelivery')).totalSize

  before(async () => {
    o = await openOrg({ deployment: writeDeployment(DEPLOYMENT) })
    await o.deploy([EVENT_OBJECT])
  })

  test('accepts the published vector, although its body is no JSON, which becomes a dead delivery', async () => {
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const answer = await deliver(o, 'plain', 'Hello, World!', { 'x-hub-signature-256': signature })
    assert.equal(answer.status, 200)
    const delivery = await untilStatus(o, answer.body.id, 'Dead')
    assert.match(delivery.LastError as string, /^The body is no JSON: /)
    assert.equal(delivery.Attempts, 1)
  })

  test('accepts what another implementation signs, and signs as it does', async () => {
    const event = JSON.stringify({ id: 'octokit-1', kind: 'push', text: 'ünïcode 🎉' })
    const signature = await sign(SECRET, event)
    assert.equal(signature, makeSignature(event))
    assert.equal(await verify(SECRET, event, signature), true)
    const { status, body } = await deliver(o, 'plain', event, { 'x-hub-signature-256': signature })
    assert.equal(status, 200)
    const { EventId, Outcome, EventRecordId } = await untilStatus(o, body.id, 'Done')
    const [record] = await events('octokit-1')
    assert.deepEqual([EventId, Outcome, EventRecordId], ['octokit-1', 'Created', record!.Id])
    assert.equal(record!.Kind__c, 'push')
  })

  test('signs the bytes as they came: any type, any bytes, compressed ones too, none at all', async () => {
    const packed = gzipSync('{"id":"packed"}')
    const SENT = [
      ['{"id":"bom"}'.padStart(13, '\uFEFF'), {}],
      [Buffer.from([0, 255, 254, 13, 10]), { 'content-type': 'application/octet-stream' }],
      [packed, { 'content-encoding': 'gzip' }],
      [Buffer.alloc(0), {}],
      ['{"id":"odd type"}', { 'content-type': 'x/y; charset=none' }],
    ] as const
    for (const [body, headers] of SENT) assert.equal((await deliver(o, 'plain', body, headers)).status, 200)
    await until(async () => (await events('packed')).length === 1)
  })

  const MALFORMED = {
    'is absent': undefined,
    'is empty': '',
    'lacks its prefix': makeSignature('{"id":"x"}').slice(7),
    'has another prefix': makeSignature('{"id":"x"}').replace('sha256=', 'sha1='),
    'has its prefix in capitals': makeSignature('{"id":"x"}').replace('sha256', 'SHA256'),
    'is a digit short': makeSignature('{"id":"x"}').slice(0, -1),
    'is a digit long': `${makeSignature('{"id":"x"}')}0`,
    'has a digit that is none': `${makeSignature('{"id":"x"}').slice(0, -1)}g`,
    'has a blank in front': ` =${makeSignature('{"id":"x"}')}`,
    'is that of another body': makeSignature('{"id": "x"}'),
    'is that of the body and a line end': makeSignature('{"id":"x"}\n'),
    'was made with another secret': makeSignature('{"id":"x"}', 'another'),
    'is there twice': `${makeSignature('{"id":"x"}')}, ${makeSignature('{"id":"x"}')}`,
    'is all zeros': `sha256=${'0'.repeat(64)}`,
  }

  for (const [how, signature] of Object.entries(MALFORMED)) {
    test(`answers 401 and keeps nothing when the signature ${how}`, async () => {
      const before = await count()
      const answer = await o.call('POST', '/services/customrest/plain', {
        text: '{"id":"x"}',
        headers: signature === undefined ? {} : { 'x-hub-signature-256': signature },
      })
      assert.deepEqual(
        [answer.status, answer.body],
        [401, { error: 'The signature is absent, malformed or not that of the body' }],
      )
      assert.equal(await count(), before)
      assert.deepEqual(await events('x'), [])
    })
  }

  test('answers 401 and keeps nothing whatever else the signature is', async () => {
    const before = await count()
    const header = string({ unit: fc.constantFrom(...'sha256=0123456789abcdefABCDEFg ,=') })
    await fc.assert(
      fc.asyncProperty(header, uint8Array({ maxLength: 50 }), async (text, bytes) => {
        fc.pre(text !== makeSignature(Buffer.from(bytes)))
        const answer = await deliver(o, 'plain', Buffer.from(bytes), { 'x-hub-signature-256': text })
        assert.equal(answer.status, 401)
      }),
      { numRuns: runs(100) },
    )
    const flipped = property(fc.nat(63), fc.nat(15), (at, digit) => {
      const right = makeSignature('{}').slice(7)
      fc.pre(right[at] !== digit.toString(16))
      return `${right.slice(0, at)}${digit.toString(16)}${right.slice(at + 1)}` !== right
    })
    fc.assert(flipped)
    for (let at = 0; at < 64; at += 7) {
      const right = makeSignature('{}')
      const wrong = `${right.slice(0, 7 + at)}${right[7 + at] === '0' ? '1' : '0'}${right.slice(8 + at)}`
      assert.equal((await deliver(o, 'plain', '{}', { 'x-hub-signature-256': wrong })).status, 401)
    }
    assert.equal(await count(), before)
  })

  test('takes hexadecimal digits in capitals', async () => {
    const signature = `sha256=${makeSignature('{"id":"capitals"}').slice(7).toUpperCase()}`
    assert.equal(
      (await deliver(o, 'plain', '{"id":"capitals"}', { 'x-hub-signature-256': signature })).status,
      200,
    )
  })

  test('takes either of two secrets, and no third', async () => {
    const body = '{"id":"rotation"}'
    const status = async (secret: string) =>
      (await deliver(o, 'two-secrets', body, { 'x-hub-signature-256': makeSignature(body, secret) })).status
    assert.deepEqual(
      [await status('new one'), await status('old one'), await status(SECRET)],
      [200, 200, 401],
    )
  })

  test('has POST alone', async () => {
    const message = "HTTP Method 'GET' not allowed. Allowed are POST"
    assertRefused(await o.call('GET', '/services/customrest/plain'), 405, 'METHOD_NOT_ALLOWED', message)
  })

  test('finds the id of an event where it is said to be, else takes a hash of the body', async () => {
    const deliverForId = async (receiver: string, event: unknown, headers = {}) => {
      const { body } = await deliver(o, receiver, event, headers)
      return (await untilStatus(o, body.id, 'Done', 'Dead')).EventId
    }
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    assert.equal(await deliverForId('nested', { delivery: { id: 7 } }), '7')
    assert.equal(await deliverForId('nested', { delivery: {} }), hash('{"delivery":{}}'))
    assert.equal(await deliverForId('nested', ['delivery']), hash('["delivery"]'))
    assert.equal(
      await deliverForId('by-header', { a: 1 }, { 'x-delivery': 'from the header' }),
      'from the header',
    )
    assert.equal(await deliverForId('by-header', { a: 2 }), hash('{"a":2}'))
    assert.equal(await deliverForId('anonymous', { a: 3 }), hash('{"a":3}'))
    assert.equal(await deliverForId('plain', { id: 'x'.repeat(300) }), hash('x'.repeat(300)))
    assert.equal(await deliverForId('plain', { id: 'Case' }), 'Case')
    assert.equal(await deliverForId('plain', { id: 'case' }), 'case')
    assert.equal((await events('Case')).length, 1)
  })

  test('processes an event once: a delivery that comes again updates its record', async () => {
    const send = async () => (await deliver(o, 'tasks', { id: 'twice' }, { 'x-kind': 'push' })).body.id
    const first = await untilStatus(o, await send(), 'Done')
    const second = await untilStatus(o, await send(), 'Done')
    assert.deepEqual([first.Outcome, second.Outcome], ['Created', 'Updated'])
    assert.equal(first.EventRecordId, second.EventRecordId)
    assert.equal((await events('twice')).length, 1)
    const accounts = await fetchRecords(o, "SELECT Description FROM Account WHERE Name = 'twice'")
    assert.deepEqual(accounts, [{ Description: 'push' }])
  })

  test('processes an event once when its deliveries come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(o, 'tasks', { id: 'at once' })))
    const done = await Promise.all(answers.map(({ body }) => untilStatus(o, body.id, 'Done', 'Dead')))
    assert.equal(done.filter(({ Outcome }) => Outcome === 'Created').length, 1)
    assert.equal(done.filter(({ Outcome }) => Outcome === 'Updated').length, 7)
    assert.equal((await events('at once')).length, 1)
    assert.equal((await fetchNames(o, "Account WHERE Name = 'at once'")).length, 1)
  })

  test('answers before it processes', async () => {
    const { status, body } = await deliver(o, 'slow', { id: 'slow' })
    assert.equal(status, 200)
    assert.equal((await fetchDeliveries(o, `WHERE Id = '${body.id}'`))[0]!.Status, 'Queued')
    await untilStatus(o, body.id, 'Done')
  })

  test('answers 503 when a delivery cannot be stored in five seconds, so that its sender sends it again', async () => {
    const answer = await whileTableIsLocked(o, 'webhookdelivery', () => deliver(o, 'plain', { id: 'late' }))
    assertRefused(answer, 503, 'SERVER_UNAVAILABLE', 'Server Too Busy')
    const again = await deliver(o, 'plain', { id: 'late' })
    assert.equal(again.status, 200)
    await untilStatus(o, again.body.id, 'Done')
    assert.equal((await events('late')).length, 1)
  })

  test('tries again what fails, and nothing of a failed attempt stays', async () => {
    const { body } = await deliver(o, 'flaky', { id: 'flaky' })
    const { Attempts, LastError } = await untilStatus(o, body.id, 'Done')
    assert.deepEqual([Attempts, LastError], [3, null])
    assert.equal((await fetchNames(o, "Account WHERE Name = 'flaky'")).length, 1)
  })

  test('keeps what always fails as dead, with the error and its line', async () => {
    const { body } = await deliver(o, 'hopeless', { id: 'hopeless' })
    const { Attempts, LastError, NextAttemptDate } = await untilStatus(o, body.id, 'Dead')
    assert.equal(Attempts, 3)
    assert.equal(NextAttemptDate, null)
    assert.match(LastError as string, /^Error: never\n\nhopeless: line 3, column \d+$/)
    assert.deepEqual(await events('hopeless'), [])
  })

  test('keeps the id of the event of a delivery that failed in the log', async () => {
    for (const receiver of ['hopeless', 'nowhere', 'keyless']) {
      const id = randomUUID()
      const { body } = await deliver(o, receiver, { id })
      const { EventId, Outcome } = await untilStatus(o, body.id, 'Dead')
      assert.deepEqual([EventId, Outcome], [id, null], receiver)
    }
  })

  test('stops what hangs, and nothing of it stays', async () => {
    const { body } = await deliver(o, 'hanging', { id: 'hanging' })
    const { Attempts, LastError } = await untilStatus(o, body.id, 'Dead')
    assert.deepEqual([Attempts, LastError], [2, 'it took longer than 0.2 seconds'])
    assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'hanging'"), [])
  })

  test('waits longer after each attempt', async () => {
    const { body } = await deliver(o, 'waiting', { id: 'waiting' })
    const { NextAttemptDate, Attempts } = await untilStatus(o, body.id, 'Retrying')
    const seconds = (Date.parse(NextAttemptDate as string) - Date.now()) / 1000
    assert.equal(Attempts, 1)
    assert.ok(seconds > 3500 && seconds <= 3600, String(seconds))
  })

  test('says what is wrong with its object', async () => {
    const deliverForError = async (receiver: string) => {
      const { body } = await deliver(o, receiver, { id: randomUUID() })
      return (await untilStatus(o, body.id, 'Dead')).LastError
    }
    assert.equal(
      await deliverForError('nowhere'),
      "INVALID_TYPE: sObject type 'Nothing__c' is not supported.",
    )
    assert.match(
      (await deliverForError('keyless')) as string,
      /^Account must have one external id field for the event id/,
    )
  })

  test('refuses a body that is too large before anything else', async () => {
    assertRefused(
      await deliver(o, 'small', '"123456789012345678901"'),
      413,
      'REQUEST_BODY_TOO_LARGE',
      'The request body is larger than 20 bytes.',
    )
  })

  test('accepts no more in a second than it may, and what is not signed does not count', async () => {
    const unsigned = () => deliver(o, 'slow-rate', {}, { 'x-hub-signature-256': '' })
    await Promise.all([unsigned(), unsigned(), unsigned()])
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_, i) => deliver(o, 'slow-rate', { id: `rate ${i}` })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 3, String(refused.length))
    assert.deepEqual(refused[0]!.body, { error: 'More than 2 deliveries in a second' })
    assert.equal(refused[0]!.headers['retry-after'], '1')
  })

  test('reads the signatures of other senders: a time and the body, recent ones only', async () => {
    const now = () => Math.floor(Date.now() / 1000)
    const mac = (text: string, encoding: 'hex' | 'base64') =>
      createHmac('sha256', SECRET).update(text).digest(encoding)
    const body = '{"id":"evt_1"}'
    const stripe = async (header: string) =>
      (await deliver(o, 'stripe', body, { 'stripe-signature': header })).status
    const at = (time: number) => `t=${time},v1=${mac(`${time}.${body}`, 'hex')},v0=abc`
    assert.equal(await stripe(at(now())), 200)
    assert.equal(await stripe(`t=${now()},v1=${'0'.repeat(64)},v1=${mac(`${now()}.${body}`, 'hex')}`), 200)
    assert.equal(await stripe(at(now() - 600)), 401)
    assert.equal(await stripe(at(now() + 600)), 401)
    assert.equal(await stripe(`t=${now()},v1=${mac(body, 'hex')}`), 401)
    assert.equal(await stripe(`v1=${mac(body, 'hex')}`), 401)
    assert.equal(await stripe(`t=1,${at(now())}`), 401)
    assert.equal(await stripe(''), 401)

    const standard = async (time: number, signature: string, id = 'msg_1') =>
      (
        await deliver(o, 'standard', body, {
          'webhook-id': id,
          'webhook-timestamp': String(time),
          'webhook-signature': signature,
        })
      ).status
    const sent = now()
    const right = `v1,${mac(`msg_1.${sent}.${body}`, 'base64')}`
    assert.equal(await standard(sent, right), 200)
    assert.equal(await standard(sent, `v1a,zzz ${right}`), 200)
    assert.equal(await standard(sent, right, 'msg_2'), 401)
    assert.equal(await standard(now() - 600, `v1,${mac(`msg_1.${now() - 600}.${body}`, 'base64')}`), 401)
    assert.equal(await standard(now(), ''), 401)
  })
})

describe('a file with a receiver', () => {
  const REFUSED = [
    [hook('a').replace(/secret: [^,]*/, 'secret: process.env.NOT_SET'), /has no secret; is the variable/],
    [hook('a').replace(/secret: [^,]*/, "secret: ['a', 'b', 'c']"), /has more than two secrets/],
    [hook('a').replace(/secret: [^,]*/, 'secret: 3'), /has a secret that is no text/],
    [hook('a').replace(/object: [^,]*,/, ''), /does not say its object; write: object: 'GitHub_Event__c'/],
    [hook('a', "signature: 'md5'"), /has the signature md5, which is none of hub, stripe, standard/],
    [hook('a', 'retries: [-1]'), /has retries that are not at most 50 numbers/],
    [hook('a', 'procces() {}'), /has procces, which is none of secret, eventId/],
    [hook('a', 'GET() {}'), /has GET, which is none of/],
  ] as const
  for (const [text, message] of REFUSED) {
    test(`is refused: ${message.source}`, async () => {
      await assert.rejects(loadDeployed({ 'resources/wrong.ts': text }), { message })
    })
  }
})

describe('a user whom background work runs as and who is not there', () => {
  test('is told at the start and at each deployment', async () => {
    const ofNobody = (path: string, username: string) => hook(path, `${WITH_ID} runAs: '${username}'`)
    const o = await openOrg({
      deployment: writeDeployment({
        'resources/lost.ts': ofNobody('lost', 'nobody@example.com'),
        'resources/found.ts': ofNobody('found', ADMIN_USERNAME),
        'jobs/nightly.ts': "export default { run() {}, runAs: 'nobody@example.com' }",
      }),
    })
    const line =
      /^There is no active user nobody@example\.com in the org \S+, so the job nightly, the receiver lost will fail\./
    assert.ok(
      o.said.some((text) => line.test(text)),
      o.said.join('\n'),
    )
    assert.ok(!o.said.some((text) => text.includes(ADMIN_USERNAME)))
    const { body } = await deploySchema(o, {}, { mode: 'keep', planOnly: true })
    assert.equal(body.warnings.length, 1)
    assert.match(body.warnings[0], line)
    await createUser(o, 'nobody', { Username: 'nobody@example.com' })
    const after = await deploySchema(o, {}, { mode: 'keep', planOnly: true })
    assert.equal(after.body.warnings, undefined)
  })
})
