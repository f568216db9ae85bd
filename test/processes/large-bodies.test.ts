import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { multipart } from '../support/multipart.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { openPort } from '../support/real-port.ts'

/* Bytes for which a process takes much memory: the embedded engine needs a gigabyte for a moment for the largest body. */

describe('the bytes of an attachment', () => {
  let o: TestOrg
  let account: string

  before(async () => {
    o = await openOrg()
    account = await o.create('Account', { Name: 'large' })
  })

  test('may be 50 MB in one text of JSON', async () => {
    const bytes = Buffer.alloc(37 * 1024 * 1024).toString('base64')
    const body = { Name: 'large.bin', ParentId: account, Body: bytes }
    const { status, text } = await o.call('POST', '/sobjects/Attachment', { body })
    assert.equal(status, 201, text)
  })

  test('that change while they are read end the connection early, and the server goes on', async () => {
    const { address, close } = await openPort()
    const headers = { authorization: `Bearer ${o.token}` }
    const record = { Name: 'a', ParentId: account }
    // More than all buffers between the two sides hold.
    const sent = await multipart({ a: record, Body: randomBytes(16_000_000) })
    const base = `${address}/services/data/v64.0/sobjects/Attachment`
    const created = await fetch(base, {
      method: 'POST',
      headers: { ...headers, ...sent.headers },
      body: sent.text as Uint8Array<ArrayBuffer>,
    })
    const { id } = (await created.json()) as { id: string }
    const answer = await fetch(`${base}/${id}/Body`, { headers })
    const reader = answer.body!.getReader()
    await reader.read()
    await o.call('PATCH', `/sobjects/Attachment/${id}`, { body: { Name: 'b' } })
    await assert.rejects(async () => {
      for (let done = false; !done; ) done = (await reader.read()).done
    })
    assert.equal((await fetch(`${base}/${id}?fields=Name`, { headers })).status, 200)
    await close()
  })
})
