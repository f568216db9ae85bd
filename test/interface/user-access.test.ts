import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { type BrowserClient, openBrowserClient } from '../support/browser-client.ts'
import { createUser } from '../support/create-user.ts'

/* Letting users in without a password. (docs/reference/api/admin-api.md#users) */

let o: BrowserClient

before(async () => {
  o = await openBrowserClient()
})

const letIn = (user: string, body?: object) =>
  o.call('POST', `/setup/orgs/current/users/${user}/access`, { body })

describe('an administrator lets a user in', () => {
  test('by a token, which has the rights of the user and no more', async () => {
    const id = await createUser(o, 'ann')
    const { status, body } = await letIn('ann@objectry.test')
    assert.deepEqual([status, body.id, body.username], [201, id, 'ann@objectry.test'])
    const headers = { authorization: `Bearer ${body.token}` }
    const me = await o.call('GET', '/services/oauth2/userinfo', { headers })
    assert.equal(me.body.preferred_username, 'ann@objectry.test')
  })

  test('by an address that begins a browser session once, at the console or where it is told to', async () => {
    for (const [startPath, location] of [
      [undefined, '/console/'],
      ['/console/query', '/console/query'],
    ] as const) {
      const { body } = await letIn('current', { startPath })
      const browser = o.open()
      const shown = await browser.get(body.path)
      assert.deepEqual([shown.status, shown.location], [303, location])
      assert.match((await browser.get('/login')).text, /admin@objectry\.test/)
      assert.equal((await o.open().get(body.path)).status, 400)
    }
  })

  test('never where the user could not log in, or to another server', async () => {
    await createUser(o, 'gone', { IsActive: false })
    assertRefused(await letIn('gone@objectry.test'), 400, 'INVALID_INPUT', /not active/)
    assertRefused(await letIn('nobody@objectry.test'), 404, 'NOT_FOUND', /no user/)
    for (const startPath of ['https://elsewhere.example', '//elsewhere.example', '/%5Celsewhere.example'])
      assertRefused(await letIn('current', { startPath }), 400, 'INVALID_INPUT', /path of this server/)
    assertRefused(await letIn('current', { startPath: 3 }), 400, 'JSON_PARSER_ERROR', /instance of string/)
  })

  test('not where the console is shut', async () => {
    await o.call('POST', '/setup/orgs/current/apps/ObjectryConsole/block')
    assertRefused(await letIn('current'), 400, 'INVALID_INPUT', /blocked/)
    await o.call('POST', '/setup/orgs/current/apps/ObjectryConsole/unblock')
    assert.equal((await letIn('current')).status, 201)
  })
})
