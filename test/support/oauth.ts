import assert from 'node:assert/strict'
import { type Answer, makeAnswer, type TestOrg } from './org.ts'

export const FORM = 'application/x-www-form-urlencoded'

/** The host name of this server in tests. */
export const HOST = 'records.example.com'
export const ORIGIN = `http://${HOST}`

export type Parameters = Readonly<Record<string, string | undefined>>

const makeForm = (parameters: Parameters) =>
  new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString()

/** Sends a form to an OAuth endpoint: `token`, `revoke`, `introspect`. */
export async function postForm(
  { server }: Pick<TestOrg, 'server'>,
  endpoint: string,
  parameters: Parameters | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await server.inject({
    method: 'POST',
    url: `/services/oauth2/${endpoint}`,
    headers: { 'content-type': FORM, host: HOST, ...headers },
    payload: typeof parameters === 'string' ? parameters : makeForm(parameters),
  })
  return makeAnswer(response)
}

export const askToken = (org: Pick<TestOrg, 'server'>, parameters: Parameters) =>
  postForm(org, 'token', parameters)

/** The body of a token request that must succeed. */
export async function fetchTokens(
  org: Pick<TestOrg, 'server'>,
  parameters: Parameters,
): Promise<Answer['body']> {
  const answer = await askToken(org, parameters)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export function assertOAuthError(answer: Answer, error: string, description?: string): void {
  assert.equal(answer.status, 400, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['error', 'error_description'])
  assert.equal(answer.body.error, error, answer.text)
  if (description !== undefined) assert.equal(answer.body.error_description, description)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['www-authenticate'], undefined)
}

/** The status of a data call with a token. */
export async function statusWith(org: TestOrg, token: string): Promise<number> {
  const { status } = await org.call('GET', `/sobjects/User/${org.userId}?fields=Id`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return status
}
