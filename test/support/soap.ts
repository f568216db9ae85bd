import assert from 'node:assert/strict'
import { type Answer, makeAnswer, type TestOrg } from './org.ts'

type SoapLetter = 'u' | 'c' | 'm' | 's'

const NAMESPACES = {
  u: 'urn:partner.soap.sforce.com',
  c: 'urn:enterprise.soap.sforce.com',
  m: 'http://soap.sforce.com/2006/04/metadata',
  s: 'http://soap.sforce.com/2006/08/apex',
} as const

interface SoapOptions {
  readonly letter?: SoapLetter
  readonly version?: string
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Further blocks of the envelope's header, as XML. */
  readonly blocks?: string
  /** Behind the version; default the id of the org. */
  readonly behind?: string
}

export const makeEnvelope = (call: string, { letter = 'u', token, blocks = '' }: SoapOptions = {}) =>
  `<?xml version="1.0" encoding="utf-8"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns="${NAMESPACES[letter]}"><e:Header>${token === undefined ? '' : `<SessionHeader><sessionId>${token}</sessionId></SessionHeader>`}${blocks}</e:Header><e:Body>${call}</e:Body></e:Envelope>`

/** Sends bytes to a SOAP API. */
export async function postSoap(
  o: Pick<TestOrg, 'server' | 'org'>,
  payload: string | Buffer,
  { letter = 'u', version = '64.0', headers = {}, behind = `/${o.org.id.slice(0, 15)}` }: SoapOptions = {},
): Promise<Answer> {
  return makeAnswer(
    await o.server.inject({
      method: 'POST',
      url: `/services/Soap/${letter}/${version}${behind}`,
      headers: { 'content-type': 'text/xml; charset=UTF-8', soapaction: '""', ...headers },
      payload,
    }),
  )
}

/** Makes a call; its element as XML: `<getUserInfo/>`. */
export const callSoap = (o: Pick<TestOrg, 'server' | 'org'>, call: string, options: SoapOptions = {}) =>
  postSoap(o, makeEnvelope(call, options), options)

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export const logInBySoap = (
  o: Pick<TestOrg, 'server' | 'org'>,
  username: string,
  password: string,
  options: SoapOptions = {},
) =>
  callSoap(
    o,
    `<login><username>${escapeXml(username)}</username><password>${escapeXml(password)}</password></login>`,
    options,
  )

/** The text of the first element of that name, whatever its prefix. */
export const textOf = ({ text }: Answer, name: string): string | undefined =>
  new RegExp(`<(?:\\w+:)?${name}(?: [^>]*)?>([^<]*)<`).exec(text)?.[1]

/** The token of a log-in that must succeed. */
export async function fetchSession(o: TestOrg, username: string, password: string): Promise<string> {
  const answer = await logInBySoap(o, username, password)
  assert.equal(answer.status, 200, answer.text)
  return textOf(answer, 'sessionId')!
}

/** Checks that an answer is a fault, with its text where clients look for it. */
export function assertFault(answer: Answer, code: string, message?: string | RegExp, status = 500): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers['content-type'], 'text/xml; charset=UTF-8')
  assert.match(answer.text, /<soapenv:Body><soapenv:Fault><faultcode>/)
  assert.match(answer.text, /<detail><sf:\w+ xsi:type="sf:\w+"><sf:exceptionCode>/)
  assert.equal(textOf(answer, 'exceptionCode'), code, answer.text)
  const isOfClient = textOf(answer, 'faultcode') === 'soapenv:Client'
  const said = textOf(answer, 'exceptionMessage')!
  if (!isOfClient) assert.equal(textOf(answer, 'faultcode'), `sf:${code}`)
  assert.equal(textOf(answer, 'faultstring'), isOfClient ? said : `${code}: ${said}`)
  if (message instanceof RegExp) assert.match(said, message)
  else if (message !== undefined) assert.equal(said, message)
}
