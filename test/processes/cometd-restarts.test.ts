import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../support/bayeux-client.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { fetchToken, makeDataFolder, startServer } from '../support/server-process.ts'

/* A CometD client goes on with a server that was stopped or killed, and started again. */

const APP = { clientId: 'tests', clientSecret: 'secret of the tests' }
const ACCOUNTS = '/data/AccountChangeEvent'

for (const [signal, what] of [
  ['SIGTERM', 'stopped: it answers the connects that it holds'],
  ['SIGKILL', 'killed'],
] as const) {
  test(`a client misses nothing when the server is ${what}`, ON_EMBEDDED, async () => {
    const { data, remove } = makeDataFolder()
    const settings = {
      OBJECTRY_DATA: data,
      OBJECTRY_CLIENT_ID: APP.clientId,
      OBJECTRY_CLIENT_SECRET: APP.clientSecret,
    }
    let server = await startServer(settings)
    try {
      const token = await fetchToken(server.address, APP)
      const send = async (method: string, path: string, body: unknown) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const response = await fetch(`${server.address}${path}`, {
          method,
          headers,
          body: JSON.stringify(body),
        })
        return response.json()
      }
      const exchange = async (message: Record<string, unknown>) =>
        (await send('POST', '/cometd/64.0', [message])) as Reply[]
      const create = (name: string) => send('POST', '/services/data/v64.0/sobjects/Account', { Name: name })

      const objects = { Account: { changeEvents: true } }
      await send('PUT', '/setup/orgs/current/schema', { mode: 'keep', objects })
      const [greeting] = await exchange({ channel: '/meta/handshake' })
      const client = { clientId: greeting!.clientId }
      const [subscribed] = await exchange({ ...client, channel: '/meta/subscribe', subscription: ACCOUNTS })
      assert.equal(subscribed!.successful, true)
      const connect = (id: string) =>
        exchange({ ...client, id, channel: '/meta/connect', connectionType: 'long-polling' })
      const namesOf = (replies: readonly Reply[]) =>
        replies.flatMap(({ data }) => (data === undefined ? [] : [data.payload.Name]))

      await create('before')
      assert.deepEqual(namesOf(await connect('1')), ['before'])
      const held = connect('2').catch(() => undefined)
      // What is answered before the connect is not held yet; the next answer shows that the server goes on meanwhile.
      await send('POST', '/cometd/64.0', [])
      await server.end(signal)
      const replies = await held
      if (signal === 'SIGTERM') assert.equal(replies?.at(-1)?.successful, true)

      server = await startServer(settings)
      await create('after')
      assert.deepEqual(namesOf(await connect('3')), ['after'])
      await create('last')
      await connect('4')
      await server.end('SIGKILL')

      server = await startServer(settings)
      // Its answer may have been lost, as the client sees it.
      assert.deepEqual(namesOf(await connect('4')), ['last'])
    } finally {
      await server.end('SIGKILL')
      remove()
    }
  })
}
