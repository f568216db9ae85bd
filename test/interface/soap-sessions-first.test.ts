import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { before, describe, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { assertFault, makeEnvelope, postSoap } from '../support/soap.ts'

/* The token of a large call is looked at before the rest of it is received. */

const ILLEGAL = 'Invalid Session ID found in SessionHeader: Illegal Session'
const LARGE = 40 * 1024 * 1024

let o: TestOrg
let url: string

before(async () => {
  o = await openOrg({ settings: { allowSoapLogin: 'true' } })
  url = `${await o.server.listen({ host: '127.0.0.1', port: 0 })}/services/Soap/m/64.0`
})

const deploy = (token: string | undefined, bytes: number) =>
  makeEnvelope(`<deploy><ZipFile>${'QUJD'.repeat(bytes / 4)}</ZipFile></deploy>`, { letter: 'm', token })

/** Sends only the start of a body that is announced as larger. */
async function sendStart(text: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'text/xml', ...headers } })
  sent.on('error', () => {})
  sent.write(text)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  sent.destroy()
  const said = Buffer.concat(chunks).toString()
  return { status: answer.statusCode!, headers: answer.headers, text: said, body: undefined }
}

const wrong = () => `${o.token.slice(0, -3)}zzz`

describe('a large SOAP call', () => {
  test('without a valid token is refused while it comes, whatever it says about its length', async () => {
    for (const token of [undefined, '', wrong()]) {
      for (const headers of [{ 'content-length': String(LARGE) }, {}]) {
        const start = deploy(token, LARGE).slice(0, 100_000)
        assertFault(await sendStart(start, headers), 'INVALID_SESSION_ID', ILLEGAL)
      }
    }
  })

  test('is refused in the same way where it is packed', async () => {
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
    ] as const) {
      const headers = { 'content-encoding': encoding }
      for (const level of [0, 6]) {
        const body = pack(deploy(wrong(), 200_000), { level })
        assertFault(await postSoap(o, body, { letter: 'm', headers }), 'INVALID_SESSION_ID', ILLEGAL)
        const valid = pack(deploy(o.token, 200_000), { level })
        assertFault(await postSoap(o, valid, { letter: 'm', headers }), 'INVALID_INPUT')
      }
    }
  })

  test('tells a client that sends all of it', async () => {
    const body = deploy(wrong(), LARGE)
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'text/xml' }, body })
    assert.equal(answer.status, 500)
    assert.match(await answer.text(), /<faultcode>sf:INVALID_SESSION_ID<\/faultcode>/)
  })

  test('is received where its token is valid, however it is written', async () => {
    const [head, tail] = [o.token.slice(0, 20), o.token.slice(20)]
    const forms = [
      deploy(o.token, 200_000),
      deploy(`<!-- x -->${head}&#${tail.charCodeAt(0)};<![CDATA[${tail.slice(1)}]]>`, 200_000),
      deploy(o.token, 200_000)
        .replaceAll('sessionId', 'm:sessionId')
        .replaceAll('SessionHeader', 'm:SessionHeader')
        .replace('<e:Header>', '<e:Header xmlns:m="http://soap.sforce.com/2006/04/metadata">'),
    ]
    for (const body of forms) assertFault(await postSoap(o, body, { letter: 'm' }), 'INVALID_INPUT', /zip/i)
  })

  test('is refused by the rules of envelopes where the start says something else than the header', async () => {
    const body = deploy(wrong(), 200_000).replace(
      '<e:Header>',
      `<!-- <sessionId>${o.token}</sessionId> --><e:Header>`,
    )
    assertFault(await postSoap(o, body, { letter: 'm' }), 'INVALID_SESSION_ID', ILLEGAL)
  })
})
