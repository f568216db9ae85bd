import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { assemble } from '../../src/server/assemble.ts'
import { start } from '../../src/server/main.ts'
import { besideCalls } from '../../src/storage/database/connection-guard.ts'
import { databaseFault, markDatabaseError } from '../../src/storage/database/pg-error.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { onPostgres, sharedDatabaseUrl } from '../support/engine.ts'
import { whileAccountIsLocked } from '../support/locked-account.sql.ts'
import { setReadOnly, terminateOthers, whileTableIsLocked } from '../support/locked-table.sql.ts'
import { makeApp } from '../support/make-app.ts'
import { tableSql } from '../support/numbered-statements.sql.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { openProxy } from '../support/pausable-proxy.ts'
import { SECRETS } from '../support/secrets.ts'
import { SECRET_KEY } from '../support/server-process.ts'
import { triggersFrom, writeDeployment } from '../support/trigger-files.ts'

/* Answers of a server whose database is in trouble: soon, and such that the client knows what it can do. */

interface OwnServer {
  /** With the token of its org. */
  call(method: string, path: string, body?: object): Promise<Answer>
  callAs(token: string, method: string, path: string, body?: object): Promise<Answer>
  askToken(form: Readonly<Record<string, string>>): Promise<Answer>
  close(): Promise<void>
}

/** A server of its own on the suite's database, with its own pool and bounds. */
async function openServer(o: TestOrg, settings: Record<string, string>, url?: string): Promise<OwnServer> {
  const databaseUrl = url ?? (await sharedDatabaseUrl())
  const config = readConfig({}, { logLevel: 'silent', ...settings, databaseUrl })
  const engine = await openEngine(config)
  const { server, services } = assemble(engine, config, systemClock, SECRETS)
  const callAs: OwnServer['callAs'] = async (token, method, path, body) =>
    makeAnswer(
      await server.inject({
        method: method as 'GET',
        url: path.startsWith('/services') ? path : `/services/data/v64.0${path}`,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      }),
    )
  return {
    call: (method, path, body) => callAs(o.token, method, path, body),
    callAs,
    askToken: async (form) =>
      makeAnswer(
        await server.inject({
          method: 'POST',
          url: '/services/oauth2/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams(form).toString(),
        }),
      ),
    async close() {
      await services.queue.close()
      await services.quotaStore.close().catch(() => {})
      await server.close()
      await engine.close()
    },
  }
}

describe('while another transaction holds a table', {
  skip: !onPostgres && 'the embedded engine carries out one transaction at a time',
}, () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('a call that needs it is refused with UNABLE_TO_LOCK_ROW after a while', async () => {
    const server = await openServer(o, { lockSeconds: '1' })
    const answer = await whileTableIsLocked(o, 'account', () =>
      server.call('POST', '/sobjects/Account', { Name: 'waits' }),
    )
    assertRefused(answer, 400, 'UNABLE_TO_LOCK_ROW', /^unable to obtain exclusive access/)
    assert.equal((await server.call('POST', '/sobjects/Account', { Name: 'goes on' })).status, 201)
    await server.close()
  })

  test('a call that needs one of its records names it, as clients that look for the record expect', async () => {
    const server = await openServer(o, { lockSeconds: '1' })
    const id = await o.create('Account', { Name: 'held' })
    await whileAccountIsLocked(o, id, async () => {
      const message = `unable to obtain exclusive access to this record or 1 records: ${id}`
      const path = `/sobjects/Account/${id}`
      const contact = { LastName: 'child', AccountId: id }
      for (const call of [
        () => server.call('PATCH', path, { Name: 'waits' }),
        () => server.call('DELETE', path),
        () => server.call('POST', '/sobjects/Contact', contact),
      ]) {
        assertRefused(await call(), 400, 'UNABLE_TO_LOCK_ROW', message)
      }
    })
    await server.close()
  })

  test('calls that get no connection are refused with 503 and Retry-After; other objects are served', async () => {
    const server = await openServer(o, { lockSeconds: '4', connectionSeconds: '1', poolSize: '3' })
    const query = () => server.call('GET', '/query?q=SELECT+Id+FROM+Contact')
    assert.equal((await query()).status, 200)
    await whileTableIsLocked(o, 'account', async () => {
      // Of three connections an org may have two, and one object one of them.
      const waiting = server.call('POST', '/sobjects/Account', { Name: 'waits' })
      await sleep(200)
      const refused = server.call('POST', '/sobjects/Account', { Name: 'gets no connection' })
      assert.equal((await query()).status, 200)
      const answer = await refused
      assertRefused(answer, 503, 'SERVER_UNAVAILABLE', 'Server Too Busy')
      assert.equal(answer.headers['retry-after'], '1')
      await waiting
    })
    await server.close()
  })

  test('other orgs are served, and tokens are issued, whatever the calls of its org wait for', async () => {
    const settings = { lockSeconds: '4', connectionSeconds: '1', poolSize: '4' }
    const server = await openServer(o, settings)
    const elsewhere = await openOrg()
    const query = () => server.call('GET', '/query?q=SELECT+Id+FROM+Case')
    assert.deepEqual(
      [(await query()).status, (await server.callAs(elsewhere.token, 'GET', '/recent')).status],
      [200, 200],
    )
    await whileTableIsLocked(o, 'account', () =>
      whileTableIsLocked(o, 'contact', async () => {
        // Of four connections an org may have three, and an object two.
        const create = (object: string, name: string) =>
          server.call('POST', `/sobjects/${object}`, { [name]: 'waits' })
        const waiting = [create('Account', 'Name'), create('Account', 'Name'), create('Contact', 'LastName')]
        await sleep(200)
        const third = query()
        const other = await server.callAs(elsewhere.token, 'GET', '/query?q=SELECT+Id+FROM+Account')
        assert.equal(other.status, 200)
        assert.equal((await server.call('GET', '/services/oauth2/userinfo')).status, 200)
        assertRefused(await third, 503, 'SERVER_UNAVAILABLE', 'Server Too Busy')
        await Promise.all(waiting)
      }),
    )
    await server.close()
  })

  test('a read-only database is 503 with Retry-After for writes, and serves reads', async () => {
    const name = new URL(await sharedDatabaseUrl()).pathname.slice(1)
    await o.db.script([setReadOnly(name, true)])
    try {
      const server = await openServer(o, {})
      const answer = await server.call('POST', '/sobjects/Account', { Name: 'not now' })
      assertRefused(answer, 503, 'SERVER_UNAVAILABLE', 'The database is read-only: nothing was written.')
      assert.equal(answer.headers['retry-after'], '1')
      await server.close()
    } finally {
      await o.db.script([setReadOnly(name, false)])
    }
  })

  test('answers that the network has lost are given up soon after it is back, however long a statement may take', async () => {
    const proxy = await openProxy(await sharedDatabaseUrl())
    const server = await openServer(o, { poolSize: '4', statementSeconds: '600' }, proxy.url)
    const create = (n: number) => server.call('POST', '/sobjects/Account', { Name: `lost ${n}` })
    const read = () => server.call('GET', '/query?q=SELECT+Id+FROM+Account+LIMIT+1')
    await Promise.all([create(1), create(2), read()])
    proxy.swallow()
    const flying = [create(3), create(4), read(), read()]
    await sleep(1000)
    proxy.heal()
    // Statements that had not been sent yet may succeed on a new connection.
    for (const { status, headers, text } of await Promise.all(flying)) {
      const isUnknown = text.includes('its outcome is unknown')
      assert.ok(status < 300 || (status === 503 && headers['retry-after'] === (isUnknown ? undefined : '1')))
    }
    while ((await create(5)).status !== 201 || (await read()).status !== 200) await sleep(100)
    await server.close()
    proxy.close()
  })

  test('a transaction that stands still until the database ends it is 503 with Retry-After', async () => {
    const app = await makeApp(o, { enableClientCredentials: true, runAsUserId: o.userId })
    const proxy = await openProxy(await sharedDatabaseUrl())
    const server = await openServer(o, {}, proxy.url)
    const grant = { grant_type: 'client_credentials', client_id: app, client_secret: 's' }
    // Each is a transaction of several statements.
    const ask = () => server.askToken(grant)
    assert.equal((await ask()).status, 200)
    const asked = Array.from({ length: 40 }, ask)
    await Promise.race(asked)
    proxy.pause()
    // A transaction of tokens may be idle for two seconds.
    await sleep(3000)
    proxy.resume()
    for (const { status, headers, text } of await Promise.all(asked)) {
      if (status !== 200) assert.deepEqual([status, headers['retry-after']], [503, '1'], text)
    }
    assert.equal((await ask()).status, 200)
    await server.close()
    proxy.close()
  })

  test('a transaction whose commit did not arrive before the database ended it is known as not done', async () => {
    const database = await makeOwnDatabase(await sharedDatabaseUrl(), 'late_commit')
    const proxy = await openProxy(database.url)
    const engine = await openEngine(readConfig({}, { databaseUrl: proxy.url }))
    try {
      await migrate(engine.db)
      const db = engine.reserved({ reported: () => {} })
      const write = db.transaction(async (tx) => {
        for (const statement of tableSql.make('org_1')) await tx.query(statement)
        proxy.pause()
        setTimeout(() => proxy.resume(), 3000)
      })
      await assert.rejects(write, (error) => databaseFault(error)?.kind === 'unreachable')
      for (const statement of tableSql.make('org_1')) await db.query(statement)
    } finally {
      await engine.close()
      proxy.close()
      await database.drop()
    }
  })

  test('a statement that takes long to arrive over a slow network is waited for', async () => {
    const proxy = await openProxy(await sharedDatabaseUrl())
    const server = await openServer(o, {}, proxy.url)
    const parent = await server.call('POST', '/sobjects/Account', { Name: 'has a file' })
    proxy.throttle(500)
    const body = {
      Name: 'a.bin',
      ParentId: parent.body.id,
      Body: Buffer.alloc(3_000_000, 'x').toString('base64'),
    }
    const { status, text } = await server.call('POST', '/sobjects/Attachment', body)
    assert.equal(status, 201, text)
    await server.close()
    proxy.close()
  })

  test('a database that lets nobody in is 503 with Retry-After, whatever it says', async () => {
    const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'health_gone')
    const objectry = await start(
      readConfig(SECRET_KEY, { port: '0', sitePort: '0', logLevel: 'silent', databaseUrl: database.url }),
    )
    try {
      const authorization = `Bearer ${await objectry.issueToken()}`
      const url = `${objectry.address}/services/data/v64.0/query?q=SELECT+Id+FROM+Account`
      const read = () => fetch(url, { headers: { authorization } })
      assert.equal((await read()).status, 200)
      await database.drop()
      const answer = await read()
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
    } finally {
      await objectry.stop()
    }
  })

  test('connections that the database ends are replaced; calls in flight get 503 or their answer', async () => {
    const server = await openServer(o, { poolSize: '4' })
    const create = (n: number) => server.call('POST', '/sobjects/Account', { Name: `ended ${n}` })
    await Promise.all([1, 2, 3, 4].map(create))
    const flying = Array.from({ length: 20 }, (_, n) => create(n))
    await o.db.query(terminateOthers).catch(() => {})
    for (const { status, text } of await Promise.all(flying)) {
      assert.ok(status === 201 || status === 503, text)
    }
    // PostgreSQL ends its processes one by one; a call may still meet one that is about to end.
    let last = await create(99)
    while (last.status === 503) last = await create(99)
    assert.equal(last.status, 201, last.text)
    await server.close()
  })
})

describe('deployed code whose connection the database ends', { skip: !onPostgres }, () => {
  const UNAVAILABLE = /^(Server Too Busy$|The database failed while)/

  test('is no failure of the code: 503, and nothing is written', async () => {
    const triggers = await triggersFrom({
      'account.ts': `
        export default {
          object: 'Account',
          async afterInsert(changes: any[], org: any) {
            await (globalThis as any).endConnections?.()
            await org.query('SELECT Id FROM Account')
          },
        }`,
    })
    const org = await openOrg({ triggers })
    Object.assign(globalThis, {
      endConnections: () => besideCalls(() => org.db.query(terminateOthers).catch(() => {})),
    })
    const answer = await org.call('POST', '/sobjects/Account', { body: { Name: 'lost' } })
    assertRefused(answer, 503, 'SERVER_UNAVAILABLE', UNAVAILABLE)
    Object.assign(globalThis, { endConnections: undefined })
    // PostgreSQL ends its processes one by one; a call may still meet one that is about to end.
    while ((await org.call('GET', '/query?q=SELECT+Id+FROM+Account')).status === 503) await sleep(50)
    assert.deepEqual(await fetchRecords(org, 'SELECT Id FROM Account'), [])
    await org.create('Account', { Name: 'later' })
  })

  test('is none either where the code catches it and throws it again', async () => {
    const triggers = await triggersFrom({
      'account.ts': `
        export default {
          object: 'Account',
          async beforeInsert(changes: any[], org: any) {
            try {
              await (globalThis as any).endConnections?.()
              await org.query('SELECT Id FROM Account')
            } catch (error) {
              throw error
            }
          },
        }`,
    })
    const org = await openOrg({ triggers })
    Object.assign(globalThis, {
      endConnections: () => besideCalls(() => org.db.query(terminateOthers).catch(() => {})),
    })
    const answer = await org.call('POST', '/sobjects/Account', { body: { Name: 'lost' } })
    Object.assign(globalThis, { endConnections: undefined })
    assertRefused(answer, 503, 'SERVER_UNAVAILABLE', UNAVAILABLE)
  })

  test('in a resource is 503 too', async () => {
    const deployment = writeDeployment({
      'resources/lasting.ts': `
        export default {
          path: '/lasting',
          async GET(_request: any, org: any) {
            for (let round = 0; round < 200; round++) {
              await org.query('SELECT Id FROM Account')
              await new Promise((resolve) => setTimeout(resolve, 20))
            }
          },
        }`,
    })
    const org = await openOrg({ deployment })
    const calling = org.call('GET', '/services/customrest/lasting')
    await sleep(500)
    await org.db.query(terminateOthers).catch(() => {})
    assertRefused(await calling, 503, 'SERVER_UNAVAILABLE', UNAVAILABLE)
  })
})

describe('a failure of the database', () => {
  const failure = (code: string, message = 'x') =>
    markDatabaseError(Object.assign(new Error(message), { code }))

  test('that says nothing about the statement is transient, whatever its code', () => {
    const codes = [
      '53100',
      '53200',
      '53300',
      '57P01',
      '57P03',
      '08006',
      '25006',
      '25P03',
      '25P04',
      '58030',
      'ECONNRESET',
      'EPIPE',
    ]
    for (const code of codes) assert.equal(databaseFault(failure(code))?.kind, 'unreachable', code)
    for (const message of [
      'Client has encountered a connection error and is not queryable',
      'Connection terminated unexpectedly',
      'timeout exceeded when trying to connect',
      'Query read timeout',
    ]) {
      assert.equal(databaseFault(markDatabaseError(new Error(message)))?.kind, 'unreachable', message)
    }
  })

  test('of the statement itself is not', () => {
    for (const code of ['23505', '22003', '42601', '57014', 'XX000', '5']) {
      assert.notEqual(databaseFault(failure(code))?.kind, 'unreachable', code)
    }
  })
})
