import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fetchSteps } from '../support/deploying.ts'
import { openSfClient, SF_NEEDED, type SfClient } from '../support/sf.ts'

/* The StreamingClient of @salesforce/core, with which the sf command follows events, unmodified: `npm run test:sf`. */

const FOLLOW = `
const { AuthInfo, Connection, Org, StreamingClient } = fromCommand('@salesforce/core')
async function follow(channel, replayId, act) {
  const authInfo = await AuthInfo.create({ username: token, accessTokenOptions: { accessToken: token, instanceUrl } })
  const connection = await Connection.create({ authInfo })
  const org = await Org.create({ connection })
  const options = new StreamingClient.DefaultOptions(org, channel, (message) => ({ completed: true, payload: message }))
  const client = await StreamingClient.create(options)
  if (replayId !== undefined) client.replay(replayId)
  const state = await client.handshake()
  return { state, message: await client.subscribe(() => act?.(connection)) }
}
const print = (work) => work.then((value) => console.log(JSON.stringify(value)), (error) => console.log(JSON.stringify({ error: error.message })))
`

let o: SfClient['o']
let sf: SfClient['sf']
let close: SfClient['close']

describe('the StreamingClient of @salesforce/core', SF_NEEDED, () => {
  before(async () => {
    ;({ o, sf, close } = await openSfClient())
    const Number__c = { type: 'string', length: 20 } as const
    const objects = { Account: { changeEvents: true }, Shipped__e: { fields: { Number__c } } }
    await fetchSteps(o, objects, { mode: 'keep' })
  })
  after(() => close())

  // biome-ignore lint/suspicious/noExplicitAny: messages of several channels
  async function follow(text: string): Promise<any> {
    const { out, error } = await sf.script(`${FOLLOW}print(${text})`)
    assert.notEqual(out, '', error)
    return JSON.parse(out)
  }

  test('is told of a change that is made once it has subscribed', async () => {
    const act = "async (connection) => { await connection.sobject('Account').create({ Name: 'Acme' }) }"
    const { state, message } = await follow(`follow('/data/AccountChangeEvent', undefined, ${act})`)
    const { ChangeEventHeader: header, Name } = message.payload
    assert.deepEqual([state, header.changeType, Name], [0, 'CREATE', 'Acme'])
  })

  test('gets what was published before by its replay', async () => {
    await o.create('Shipped__e', { Number__c: 'S-1' })
    const { message } = await follow("follow('/event/Shipped__e', -2)")
    assert.equal(message.payload.Number__c, 'S-1')
  })

  test('is refused a channel that is not there', async () => {
    const { error } = await follow("follow('/data/NothingChangeEvent')")
    assert.match(
      error,
      /The channel you requested to subscribe to does not exist \{\/data\/NothingChangeEvent\}/,
    )
  })
})
