import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openOrg, type TestOrg } from '../support/org.ts'
import { assertFault, callSoap, makeEnvelope, postSoap, textOf } from '../support/soap.ts'

/* Bodies that nobody sends by mistake: each is refused within its bounds, and none is a failure of the server. */

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/'
const PARTNER = 'urn:partner.soap.sforce.com'
const CALL = '<getServerTimestamp/>'

/** As large as a body may be. */
const fill = (text: string, bytes = 60_000) => text.repeat(Math.floor(bytes / text.length))

const BOMB = `<!DOCTYPE lolz [<!ENTITY a "${fill('a', 1000)}">${['b', 'c', 'd', 'e']
  .map((name, n) => `<!ENTITY ${name} "${fill(`&${'abcd'[n]};`, 100)}">`)
  .join('')}]>`

let o: TestOrg

before(async () => {
  o = await openOrg({ settings: { allowSoapLogin: 'true' } })
})

const XML: Readonly<Record<string, string>> = {
  nothing: '',
  'no XML': 'hello',
  JSON: '{"a":1}',
  'an entity bomb': `${BOMB}<a>&e;</a>`,
  'an external entity': `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`,
  'a doctype in small letters': '<!doctype a><a/>',
  'a doctype alone': '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a/>',
  'a doctype inside of an element': '<a><!DOCTYPE b></a>',
  'an entity that nothing defines': makeEnvelope('<login><username>&x;</username></login>'),
  'an ampersand alone': makeEnvelope('<login><username>a & b</username></login>'),
  'a reference to NUL': makeEnvelope('<login><username>&#0;</username></login>'),
  'a reference to a surrogate': makeEnvelope('<login><username>&#xd800;</username></login>'),
  'a reference beyond Unicode': makeEnvelope('<login><username>&#x110000;</username></login>'),
  'deep nesting': fill('<a>'),
  'deep nesting in a call': makeEnvelope(fill('<a>', 3000) + fill('</a>', 4000)),
  'many elements': `<a>${fill('<b/>')}</a>`,
  'many elements in little space': makeEnvelope(fill('<b/>', 20_000)),
  'many attributes': `<a ${Array.from({ length: 5000 }, (_, n) => `x${n}="1"`).join(' ')}/>`,
  'many namespaces': `<a ${Array.from({ length: 2500 }, (_, n) => `xmlns:x${n}="u"`).join(' ')}/>`,
  'a huge attribute': `<a x="${fill('y')}"/>`,
  'a huge name': `<${fill('a')}/>`,
  colons: `<${fill('a:')}/>`,
  'a repeated attribute': '<a x="1" x="2"/>',
  'an attribute without a value': '<a x/>',
  'open brackets': fill('<'),
  'an element that stays open': makeEnvelope(CALL).replace('</e:Envelope>', ''),
  'another end': '<a></b>',
  'two outermost elements': makeEnvelope(CALL) + makeEnvelope(CALL).replace(/<\?.*\?>/, ''),
  'text behind the end': `${makeEnvelope(CALL)}more`,
  'comments that stay open': fill('<!--'),
  'sections that stay open': `<a>${fill('<![CDATA[')}</a>`,
  instructions: fill('<?x '),
  'the name of a prototype': '<__proto__><constructor/></__proto__>',
  'a prefix that is not declared': makeEnvelope('<x:getServerTimestamp/>'),
  'an envelope of SOAP 1.2': makeEnvelope(CALL).replace(ENVELOPE, 'http://www.w3.org/2003/05/soap-envelope'),
  'an envelope in no namespace': '<Envelope><Body/></Envelope>',
  'no Body': `<e:Envelope xmlns:e="${ENVELOPE}"/>`,
  'no call': makeEnvelope(''),
  'two calls': makeEnvelope(CALL + CALL),
}

describe('a SOAP body is refused that has', () => {
  for (const [what, text] of Object.entries(XML)) {
    test(what, async () => {
      const began = performance.now()
      assertFault(await postSoap(o, text), 'XML_PARSER_ERROR')
      assert.ok(performance.now() - began < 2000)
    })
  }

  test('more bytes than a body may have, before or behind its end', async () => {
    for (const padding of [`<!--${fill(' ', 70_000)}-->`, fill(' ', 70_000)]) {
      assertFault(
        await postSoap(o, makeEnvelope(CALL + padding)),
        'REQUEST_BODY_TOO_LARGE',
        /larger than 65536 bytes/,
        413,
      )
    }
  })

  test('another encoding, whoever says so', async () => {
    const text = makeEnvelope(CALL)
    const ofType = (type: string) => ({ headers: { 'content-type': type } })
    for (const [body, options] of [
      [Buffer.from(text, 'utf16le'), undefined],
      [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]), undefined],
      [Buffer.from(text.replace(CALL, '<a>\u00e9</a>'), 'latin1'), undefined],
      [text.replace('utf-8', 'ISO-8859-1'), undefined],
      [text.replace('utf-8', 'UTF-7'), undefined],
      [text, ofType('text/xml; charset=utf-16')],
      [text, ofType('text/xml; charset="ISO-8859-1"')],
    ] as const) {
      assertFault(await postSoap(o, body, options), 'UNSUPPORTED_MEDIA_TYPE', /UTF-8/, 415)
    }
  })

  test('another content type', async () => {
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'application/soap+xml',
      'text/xmlish',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await postSoap(o, makeEnvelope(CALL), { headers: { 'content-type': type } })
      assertFault(answer, 'UNSUPPORTED_MEDIA_TYPE', /Send text\/xml/, 415)
    }
  })

  test('another method', async () => {
    const answer = await o.server.inject({ method: 'GET', url: '/services/Soap/u/64.0' })
    assert.deepEqual([answer.statusCode, answer.headers.allow], [405, 'POST'])
    assert.match(answer.body, /<faultcode>soapenv:Client</)
  })
})

describe('a SOAP body is taken with', () => {
  test('any prefixes, comments, a byte order mark and characters by their numbers', async () => {
    const [head, tail] = [o.token.slice(0, 20), o.token.slice(20)]
    const text = `\ufeff<?xml version='1.0' encoding='UTF-8'?>
      <!-- fine -->
      <S:Envelope xmlns:S="${ENVELOPE}">
        <S:Header><p:SessionHeader xmlns:p="${PARTNER}"><p:sessionId>
          ${head}<!-- half -->&#${tail.charCodeAt(0)};<![CDATA[${tail.slice(1)}]]>
        </p:sessionId></p:SessionHeader></S:Header>
        <S:Body><q:getServerTimestamp xmlns:q="urn&#x3a;partner.soap.sforce.com" q:other="1"/></S:Body>
      </S:Envelope>`
    const answer = await postSoap(o, text)
    assert.equal(answer.status, 200, answer.text)
    assert.ok(textOf(answer, 'timestamp'))
  })

  test('application/xml, or no type', async () => {
    const text = makeEnvelope(CALL, { token: o.token })
    for (const type of ['application/xml', 'TEXT/XML;charset=utf-8']) {
      assert.equal((await postSoap(o, text, { headers: { 'content-type': type } })).status, 200)
    }
  })

  test('nothing of it in an answer that is not escaped', async () => {
    const answer = await callSoap(o, '<x xmlns="&lt;/faultstring&gt;&quot;"/>')
    assertFault(answer, 'XML_PARSER_ERROR', /\{&lt;\/faultstring&gt;&quot;\}x/)
  })
})
