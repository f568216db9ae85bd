import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { before, describe, test } from 'node:test'
import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { assertRefused } from '../support/assert-refused.ts'
import { makeAnswer, openOrg, type Sent, type TestOrg } from '../support/org.ts'

const LIMIT = 100_000

let org: TestOrg

before(async () => {
  org = await openOrg({ settings: { bodyLimit: String(LIMIT) } })
})

const post = (sent: Sent) => org.call('POST', '/sobjects/Account', sent)
const ACME = '{"Name":"Acme"}'
const packed = (text: Buffer, encoding: string) => post({ text, headers: { 'content-encoding': encoding } })

describe('the content type of a request', () => {
  test('is JSON, with any parameters, or left out', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=UTF-8',
      'APPLICATION/JSON;charset=utf-8',
      'application/json ; charset=iso-8859-1; x=y',
    ]) {
      assert.equal((await post({ text: ACME, headers: { 'content-type': type } })).status, 201, type)
    }
    const headers = { authorization: `Bearer ${org.token}` }
    const bare = await org.server.inject({
      method: 'POST',
      url: '/services/data/v64.0/sobjects/Account',
      headers,
      payload: ACME,
    })
    assert.equal(bare.statusCode, 201)
  })

  test('that is anything else is refused with 415', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/jsonx',
      'application/x-www-form-urlencoded',
    ]) {
      const answer = await post({ text: ACME, headers: { 'content-type': type } })
      assertRefused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', `Content type ${type} is not supported`)
    }
    for (const type of ['nonsense', ';;', '/']) {
      const answer = await post({ text: ACME, headers: { 'content-type': type } })
      assertRefused(
        answer,
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        /^(Content type .* is not supported|The content type is not one that can be read)$/,
      )
    }
  })

  test('is looked at before the body is read, and so is its encoding', async () => {
    const types = { 'content-type': 'text/plain' }
    const encodings = { 'content-type': 'application/json', 'content-encoding': 'br' }
    for (const url of ['/services/data/v64.0/sobjects/Account', '/setup/orgs/current/schema']) {
      for (const [headers, message] of [
        [types, 'Content type text/plain is not supported'],
        [encodings, 'Content encoding br is not supported'],
      ] as const) {
        const payload = new PassThrough()
        payload.write('{"Name":')
        const answer = await org.server.inject({
          method: 'PUT',
          url,
          headers: { authorization: `Bearer ${org.token}`, 'content-length': '1000', ...headers },
          payload,
        })
        assertRefused(makeAnswer(answer), 415, 'UNSUPPORTED_MEDIA_TYPE', message)
      }
    }
  })

  test('does not matter where no body is read', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    for (const type of ['application/json', 'text/plain', 'nonsense']) {
      const headers = { 'content-type': type, 'content-length': '0' }
      assert.equal((await org.call('GET', `/sobjects/Account/${id}`, { headers })).status, 200)
    }
    const headers = { 'content-type': 'application/json', 'content-length': '0' }
    assert.equal((await org.call('DELETE', `/sobjects/Account/${id}`, { headers })).status, 204)
  })
})

describe('the text of a request', () => {
  test('may begin with a byte order mark', async () => {
    assert.equal((await post({ text: `\ufeff${ACME}` })).status, 201)
  })

  test('larger than the limit is refused with 413', async () => {
    const exact = `{"Name":"Acme"${' '.repeat(LIMIT - ACME.length)}}`
    assert.equal((await post({ text: exact })).status, 201)
    const message = `The request body is larger than ${LIMIT} bytes.`
    assertRefused(await post({ text: `${exact} ` }), 413, 'REQUEST_BODY_TOO_LARGE', message)
  })
})

describe('a packed request', () => {
  test('is unpacked from gzip and deflate', async () => {
    for (const encoding of ['gzip', 'GZIP', ' x-gzip']) {
      assert.equal((await packed(gzipSync(ACME), encoding)).status, 201)
    }
    assert.equal((await packed(deflateSync(ACME), 'deflate')).status, 201)
    assert.equal((await packed(Buffer.from(ACME), 'identity')).status, 201)
  })

  test('is never unpacked to more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20))
    assert.ok(bomb.length < LIMIT)
    const message = `The request body is larger than ${LIMIT} bytes.`
    assertRefused(await packed(bomb, 'gzip'), 413, 'REQUEST_BODY_TOO_LARGE', message)
  })

  test('that is damaged or of another kind is refused', async () => {
    for (const bytes of [Buffer.from(ACME), gzipSync(ACME).subarray(0, 20)]) {
      assertRefused(
        await packed(bytes, 'gzip'),
        400,
        'JSON_PARSER_ERROR',
        'The request body is not gzip data',
      )
    }
    for (const encoding of ['br', 'gzip, gzip', 'constructor', '__proto__', 'valueof']) {
      const message = `Content encoding ${encoding} is not supported`
      assertRefused(await packed(gzipSync(ACME), encoding), 415, 'UNSUPPORTED_MEDIA_TYPE', message)
    }
  })
})

describe('an answer', () => {
  const raw = (accept: string, path = '/sobjects') =>
    org.server.inject({
      url: `/services/data/v64.0${path}`,
      headers: { authorization: `Bearer ${org.token}`, 'accept-encoding': accept },
    })

  test('is packed only if the client takes it', async () => {
    const plain = (await raw('')).body
    assert.ok(plain.length > 1024)
    const gzip = await raw('deflate, gzip;q=0.5')
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.equal(gzip.headers.vary, 'Accept-Encoding')
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain)
    const deflate = await raw('deflate')
    assert.equal(deflate.headers['content-encoding'], 'deflate')
    assert.equal(inflateSync(deflate.rawPayload).toString(), plain)
    for (const accept of ['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0']) {
      const answer = await raw(accept)
      assert.equal(answer.headers['content-encoding'], undefined, accept)
      assert.equal(answer.body, plain)
    }
  })

  test('that is short is not packed', async () => {
    assert.equal((await raw('gzip', '/sobjects/Nothing__c')).headers['content-encoding'], undefined)
  })
})

describe('what is no request', () => {
  /** Returns the answer to bytes on a connection of their own. */
  async function exchange(bytes: string): Promise<{ head: string; body: string }> {
    const { port } = org.server.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.end(bytes)
    let text = ''
    for await (const chunk of socket) text += chunk
    const [head, body] = text.split('\r\n\r\n') as [string, string]
    return { head, body }
  }

  test('is answered all the same, and the connection is closed', async () => {
    await org.server.listen({ host: '127.0.0.1', port: 0 })
    try {
      const garbage = await exchange('hello\r\n\r\n')
      assert.match(garbage.head, /^HTTP\/1\.1 400 Bad Request\r\n/)
      assert.match(garbage.head, /\r\nContent-Type: application\/json;charset=UTF-8\r\n/)
      const [error] = JSON.parse(garbage.body)
      assert.deepEqual(error, {
        message: 'The request is not HTTP.',
        errorCode: 'JSON_PARSER_ERROR',
        fields: [],
      })

      const headers = await exchange(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(300_000)}\r\n\r\n`)
      assert.match(headers.head, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
      assert.match(headers.body, /reason: Request Header Fields Too Large/)
    } finally {
      await org.server.close()
    }
  })
})
