import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

let org: TestOrg

before(async () => {
  org = await openOrg({ settings: { versions: '28-31,42,64-66', retiredVersions: '7-30' } })
})

const anonymous = async (url: string, method = 'GET') =>
  makeAnswer(await org.server.inject({ method: method as 'GET', url }))

describe('the version list', () => {
  test('has the living versions, oldest first, and needs no token', async () => {
    for (const path of ['/services/data', '/services/data/', '//services//data/']) {
      const { status, body } = await anonymous(path)
      assert.equal(status, 200)
      assert.deepEqual(body, [
        { label: "Summer '14", url: '/services/data/v31.0', version: '31.0' },
        { label: "Spring '18", url: '/services/data/v42.0', version: '42.0' },
        { label: "Summer '25", url: '/services/data/v64.0', version: '64.0' },
        { label: "Winter '26", url: '/services/data/v65.0', version: '65.0' },
        { label: "Spring '26", url: '/services/data/v66.0', version: '66.0' },
      ])
    }
  })

  test('is read only', async () => {
    assert.deepEqual(
      [(await anonymous('/services/data', 'HEAD')).status, (await anonymous('/services/data', 'HEAD')).text],
      [200, ''],
    )
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const answer = await anonymous('/services/data', method)
      const message = `HTTP Method '${method}' not allowed. Allowed are GET,HEAD`
      assertRefused(answer, 405, 'METHOD_NOT_ALLOWED', message)
      assert.equal(answer.headers.allow, 'GET, HEAD')
    }
  })
})

describe('the resource map of a version', () => {
  test('is flat, every value is an address as text, and identity is an absolute one', async () => {
    for (const path of ['/services/data/v64.0', '/services/data/v64.0/']) {
      const { status, body } = await org.call('GET', path)
      assert.equal(status, 200)
      for (const value of Object.values(body)) assert.equal(typeof value, 'string')
      assert.equal(body.sobjects, '/services/data/v64.0/sobjects')
      assert.equal(body.query, '/services/data/v64.0/query')
      assert.match(body.identity, new RegExp(`^https?://.+/id/${org.org.id}/${org.userId}$`))
    }
  })

  test('lists only what there is', async () => {
    const { body } = await org.call('GET', '/services/data/v64.0')
    const { identity, ...resources } = body
    for (const path of Object.values(resources)) {
      const answer = await org.call('GET', String(path))
      assert.notEqual(answer.status, 404, String(path))
    }
  })
})

describe('the version in a path', () => {
  const read = (version: string) =>
    org.call('GET', `/services/data/${version}/sobjects/User/${org.userId}?fields=Id`)

  test('is any that is served, or latest for the newest, whose number is in the addresses', async () => {
    for (const [requested, answered] of [
      ['v31.0', 'v31.0'],
      ['v42.0', 'v42.0'],
      ['v66.0', 'v66.0'],
      ['latest', 'v66.0'],
    ] as const) {
      const { status, body } = await read(requested)
      assert.equal(status, 200)
      assert.equal(body.attributes.url, `/services/data/${answered}/sobjects/User/${org.userId}`)
    }
    assert.equal((await org.call('GET', '/services/data/latest')).body.query, '/services/data/v66.0/query')
  })

  test('that is retired answers 410 GONE, even if it is among the served ones', async () => {
    for (const number of [7, 28, 30]) {
      const message = `The requested API version is retired: v${number}.0`
      assertRefused(await read(`v${number}.0`), 410, 'GONE', message)
      assertRefused(await anonymous(`/services/data/v${number}.0/anything`), 410, 'GONE', message)
    }
  })

  test('that never was, is not served or is malformed answers 404', async () => {
    for (const version of [
      'v999.0',
      'v67.0',
      'v41.0',
      'v6.0',
      '64',
      '64.0',
      'v64',
      'v64.1',
      'v064.0',
      'v64.0x',
      'vABC',
      'v-1.0',
      'V64.0',
      'Latest',
    ]) {
      assertRefused(await read(version), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })
})
