import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { COMMAND, credentialsIn, ENVIRONMENT, makeDataFolder, SECRET_KEY } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* A server that tells everything it can on its standard output. */

describe('at the level debug a server logs', () => {
  test('no token, no secret, no code, and none of those that were wrong', async () => {
    const folder = makeDataFolder()
    const env = {
      ...ENVIRONMENT,
      ...{ PORT: '0', OBJECTRY_DATA: folder.data, OBJECTRY_LOG_LEVEL: 'debug', ...SECRET_KEY },
      OBJECTRY_DEPLOYMENT: writeDeployment({
        'objects/Safe__c.yaml': 'fields:\n  Pin__c: { type: encryptedstring, length: 50 }\n',
      }),
    }
    const child = spawn(process.execPath, [COMMAND, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    const ready = new Promise<string>((resolve, reject) => {
      child.once('close', () => reject(new Error(said)))
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text
          const address = /ready at (http:\/\/\S+) [\s\S]*TOKEN=/.exec(said)?.[1]
          if (address !== undefined) resolve(address)
        })
      }
    })
    const ended = once(child, 'close')
    const address = await ready
    const greeting = said
    const { clientId, clientSecret } = credentialsIn(greeting)!
    const send = async (
      path: string,
      form?: Record<string, string>,
      headers: Record<string, string> = {},
    ) => {
      const body = form && new URLSearchParams(form)
      const response = await fetch(address + path, {
        method: form ? 'POST' : 'GET',
        body: body ?? null,
        headers,
      })
      return response.text()
    }
    const TOKEN = '/services/oauth2/token'
    const client = { client_id: clientId, client_secret: clientSecret }
    const { access_token: token, id } = JSON.parse(
      await send(TOKEN, { grant_type: 'client_credentials', ...client }),
    )
    await send(TOKEN, {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: 'WRONG-SECRET',
    })
    await send(TOKEN, { grant_type: 'authorization_code', code: 'WRONG-CODE', redirect_uri: 'x', ...client })
    await send(TOKEN, { grant_type: 'refresh_token', refresh_token: 'WRONG-REFRESH', ...client })
    await send(TOKEN, { grant_type: 'password', username: 'x', password: 'WRONG-PASSWORD', ...client })
    await send('/services/data/v64.0/sobjects', undefined, { authorization: `Bearer ${token}` })
    await send(`/services/data/v64.0/sobjects?access_token=${token}`)
    const pin = await send('/services/data/v64.0/sobjects/Safe__c/Pin__c/WRONG-PIN', undefined, {
      authorization: `Bearer ${token}`,
    })
    assert.match(pin, /errorCode/)
    await send(`${new URL(id).pathname}?oauth_token=${token}`)
    await send(`/services/oauth2/introspect?client_secret=${clientSecret}`, { token, client_id: clientId })
    await send(`/services/oauth2/singleaccess?access_token=${token}&redirect_uri=WRONG-PLACE`)
    await send('/secur/frontdoor.jsp?otp=WRONG-CODE')
    await send('/services/oauth2/revoke?token=WRONG-TOKEN')
    await send(`/services/oauth2/revoke?token=${token}`)
    child.kill('SIGTERM')
    await ended
    folder.remove()
    const log = said.slice(greeting.length)
    assert.match(log, /"path":"\/services\/oauth2\/token"/)
    assert.match(log, /"level":20/)
    for (const secret of [token, token.split('!')[1], clientSecret, ...Object.values(SECRET_KEY)]) {
      assert.ok(!log.includes(secret))
    }
    assert.doesNotMatch(log, /WRONG-/)
  })
})
