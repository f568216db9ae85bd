import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

let org: TestOrg

before(async () => {
  org = await openOrg({ settings: { versions: '60-66' } })
})

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return makeAnswer(
    await org.server.inject({
      method: 'GET',
      url: path,
      headers: { host: 'records.example.com', ...headers },
    }),
  )
}

const bearer = () => ({ authorization: `Bearer ${org.token}` })
const path = () => `/id/${org.org.id}/${org.userId}`

describe('the identity of a token', () => {
  test('has every member of the contract', async () => {
    const { status, body } = await get(path(), bearer())
    assert.equal(status, 200)
    const { last_modified_date, urls, photos, ...rest } = body
    assert.deepEqual(rest, {
      id: `http://records.example.com/id/${org.org.id}/${org.userId}`,
      asserted_user: true,
      user_id: org.userId,
      organization_id: org.org.id,
      username: 'admin@objectry.test',
      nick_name: 'admin',
      display_name: 'Administrator',
      email: 'admin@objectry.test',
      email_verified: true,
      first_name: null,
      last_name: 'Administrator',
      timezone: 'GMT',
      addr_street: null,
      addr_city: null,
      addr_state: null,
      addr_country: null,
      addr_zip: null,
      mobile_phone: null,
      mobile_phone_verified: false,
      is_lightning_login_user: false,
      status: { created_date: null, body: null },
      active: true,
      user_type: 'STANDARD',
      language: 'en_US',
      locale: 'en_US',
      utcOffset: 0,
      is_app_installed: true,
    })
    assert.match(last_modified_date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+0000$/)
    assert.deepEqual(Object.keys(photos), ['picture', 'thumbnail'])
    assert.equal(urls.sobjects, 'http://records.example.com/services/data/v{version}/sobjects/')
  })

  test('comes for both schemes, for a token in the query, and for ids of 15 characters', async () => {
    const short = `/id/${org.org.id.slice(0, 15)}/${org.userId.slice(0, 15)}/`
    for (const [url, headers] of [
      [path(), { authorization: `OAuth ${org.token}` }],
      [`${path()}?format=json&oauth_token=${encodeURIComponent(org.token)}`, {}],
      [short, bearer()],
      [`/${path()}`, bearer()],
    ] as const) {
      const { status, body } = await get(url, headers)
      assert.equal(status, 200, url)
      assert.equal(body.user_id, org.userId)
    }
  })

  test('has addresses of the newest version with version=latest', async () => {
    const { body } = await get(`${path()}?version=latest`, bearer())
    assert.equal(body.urls.query, 'http://records.example.com/services/data/v66.0/query/')
  })

  test('is where the resource map says', async () => {
    const { body } = await get('/services/data/v64.0', bearer())
    assert.equal(body.identity, `http://records.example.com${path()}`)
  })

  test('knows the offset of a time zone', async () => {
    await org.call('PATCH', `/sobjects/User/${org.userId}`, { body: { TimeZoneSidKey: 'Asia/Kolkata' } })
    assert.equal((await get(path(), bearer())).body.utcOffset, 19_800_000)
  })
})

describe('the identity is refused with 403 and one word', () => {
  const refusals = (): [string, string, Record<string, string>][] => [
    ['Missing_OAuth_Token', path(), {}],
    ['Missing_OAuth_Token', path(), { authorization: 'Basic abc' }],
    ['Bad_OAuth_Token', path(), { authorization: 'Bearer nonsense' }],
    ['Bad_OAuth_Token', `${path()}?oauth_token=%00`, {}],
    ['Wrong_Org', `/id/00D000000000001AAA/${org.userId}`, bearer()],
    ['Wrong_Org', `/id/x/${org.userId}`, bearer()],
    ['Bad_Id', `/id/${org.org.id}/005000000000001AAA`, bearer()],
    ['Bad_Id', `/id/${org.org.id}/${org.org.id}`, bearer()],
  ]

  test('as plain text', async () => {
    for (const [word, url, headers] of refusals()) {
      const answer = await get(url, headers)
      assert.deepEqual([answer.status, answer.text], [403, word], url)
      assert.equal(answer.headers['content-type'], 'text/plain;charset=UTF-8')
    }
  })
})
