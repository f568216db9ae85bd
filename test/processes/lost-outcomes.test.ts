import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { onPostgres } from '../support/engine.ts'
import { makeOwnDatabase, type OwnDatabase } from '../support/own-database.ts'
import { openProxy, type PausableProxy } from '../support/pausable-proxy.ts'
import { SECRET_KEY } from '../support/server-process.ts'

/* The connections of a server are cut at the answer to each statement of an operation in turn: at the first, at the second, and so on. */

/** Of an operation with more statements, only the last ones are tried: those before them are of one transaction. */
const MAX_LAST = 8

/** An operation that leaves something with this name. */
interface Operation {
  readonly prepare?: () => Promise<unknown>
  send(name: string): Promise<Response>
  isDone(name: string): Promise<boolean>
}

describe('when connections to the database are cut', { skip: !onPostgres }, () => {
  let database: OwnDatabase
  let proxy: PausableProxy
  let objectry: Objectry
  let token: string

  before(async () => {
    database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'outcomes')
    proxy = await openProxy(database.url)
    const settings = { port: '0', sitePort: '0', logLevel: 'silent', databaseUrl: proxy.url }
    objectry = await start(readConfig(SECRET_KEY, settings))
    token = await objectry.issueToken()
    await read('PUT', '/setup/orgs/current/snapshots/start')
  })
  after(async () => {
    await objectry.stop()
    proxy.close()
    await database.drop()
  })

  const call = (method: string, path: string, body?: object) =>
    fetch(objectry.address + (path.startsWith('/setup') ? path : `/services/data/v64.0${path}`), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })

  /** The answer of a server whose connections work again. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every format
  async function read(method: string, path: string, body?: object): Promise<any> {
    for (;;) {
      const answer = await call(method, path, body)
      const text = await answer.text()
      if (answer.status < 300) return text === '' ? undefined : JSON.parse(text)
      assert.equal(answer.status, 503, text)
    }
  }

  const query = (soql: string) => read('GET', `/query?q=${encodeURIComponent(soql)}`)
  const exists = async (soql: string) => (await query(soql)).totalSize > 0

  const OPERATIONS: Readonly<Record<string, Operation>> = {
    'a deployment': {
      send: (name) =>
        call('PUT', '/setup/orgs/current/schema', {
          objects: {
            Account: {
              fields: {
                [`${name}__c`]: { type: 'string', length: 20 },
                // Who could see it without seeing the other one is looked for at the end.
                [`${name}_Shown__c`]: { type: 'string', formula: `${name}__c` },
              },
            },
          },
          mode: 'keep',
        }),
      isDone: async (name) => {
        const { fields } = await read('GET', '/sobjects/Account/describe')
        return fields.some((field: { name: string }) => field.name === `${name}__c`)
      },
    },
    'a fork': {
      send: (name) => call('POST', '/setup/orgs', { name, copyOf: 'current' }),
      isDone: async (name) =>
        (await read('GET', '/setup/orgs')).some((org: { name: string }) => org.name === name),
    },
    'a restore': {
      prepare: () => read('POST', '/sobjects/Account', { Name: 'later' }),
      send: () => call('POST', '/setup/orgs/current/restore', { snapshot: 'start' }),
      isDone: async () => !(await exists("SELECT Id FROM Account WHERE Name = 'later'")),
    },
    'a reset': {
      prepare: () => read('POST', '/sobjects/Account', { Name: 'before' }),
      send: () => call('POST', '/setup/orgs/current/reset'),
      isDone: async () => !(await exists("SELECT Id FROM Account WHERE Name = 'before'")),
    },
    'the end of an org': {
      prepare: async () => {
        const orgs: readonly { name: string }[] = await read('GET', '/setup/orgs')
        if (!orgs.some(({ name }) => name === 'short')) await read('POST', '/setup/orgs', { name: 'short' })
      },
      send: () => call('DELETE', '/setup/orgs/short'),
      isDone: async () =>
        !(await read('GET', '/setup/orgs')).some((org: { name: string }) => org.name === 'short'),
    },
    'a new user': {
      send: (name) =>
        call('POST', '/setup/orgs/current/users', {
          username: `${name}@example.com`,
          lastName: name,
          email: 'a@example.com',
          profile: 'Standard User',
        }),
      isDone: (name) => exists(`SELECT Id FROM User WHERE Username = '${name}@example.com'`),
    },
    'a new app': {
      send: (name) => call('POST', '/setup/orgs/current/apps', { name }),
      isDone: (name) => exists(`SELECT Id FROM ConnectedApplication WHERE Name = '${name}'`),
    },
    'a new record': {
      send: (name) => call('POST', '/sobjects/Account', { Name: name }),
      isDone: (name) => exists(`SELECT Id FROM Account WHERE Name = '${name}'`),
    },
  }

  /** Sends a request again and again, and cuts the connections at another answer each time. */
  async function sendCutting(
    send: (question: number) => Promise<Response>,
    check: (answer: Response, text: string, question: number) => Promise<void> | void,
    prepare?: () => Promise<unknown>,
  ): Promise<void> {
    const run = async (question: number) => {
      await prepare?.()
      const cut = proxy.cutAtAnswer(question)
      const answer = await send(question)
      const text = await answer.text()
      proxy.heal()
      if (answer.status !== 503) assert.ok(answer.status < 300, text)
      await check(answer, text, question)
      return cut
    }
    // The first time, more has to be asked than later.
    await run(Number.POSITIVE_INFINITY)
    const { questions } = await run(Number.MAX_SAFE_INTEGER)
    let question = Math.max(1, questions - MAX_LAST)
    while ((await run(question)).hasHappened) question++
  }

  for (const [title, { prepare, send, isDone }] of Object.entries(OPERATIONS)) {
    test(`${title} that was carried out is not answered as not carried out`, async () => {
      const nameFor = (question: number) => `${title.replaceAll(' ', '')}${question}`
      await sendCutting(
        (question) => send(nameFor(question)),
        async ({ status, headers }, text, question) => {
          if (status === 503 && !headers.has('retry-after')) assert.match(text, /its outcome is unknown/)
          else assert.equal(await isDone(nameFor(question)), status < 300, text)
        },
        prepare,
      )
    })
  }

  test('a read may always be sent again', async () => {
    const mayRepeat = ({ status, headers }: Response, text: string) =>
      assert.ok(status < 300 || headers.has('retry-after'), text)
    for (const path of [
      '/query?q=SELECT+Id+FROM+Account',
      '/setup/orgs',
      '/setup/orgs/current/schema',
      '/setup/orgs/current/snapshots',
      '/setup/orgs/current/users',
    ]) {
      await sendCutting(() => call('GET', path), mayRepeat)
    }
    await sendCutting(
      () => call('POST', '/setup/orgs/current/plan', { query: 'SELECT Id FROM Account' }),
      mayRepeat,
    )
    const reads = ['Account', 'Contact'].map((object) => ({
      method: 'GET',
      url: `/services/data/v64.0/query?q=SELECT+Id+FROM+${object}`,
      referenceId: object,
    }))
    await sendCutting(
      () => call('POST', '/composite', { allOrNone: true, compositeRequest: reads }),
      mayRepeat,
    )
    await sendCutting(
      () => call('POST', '/composite/graph', { graphs: [{ graphId: 'reads', compositeRequest: reads }] }),
      mayRepeat,
    )
  })
})
