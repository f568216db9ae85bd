import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ROUTES } from '../../src/resources/routes.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy(PROJECT_SCHEMA)
})

test('every address that the describe of an object names answers', async () => {
  const { sobjects } = (await o.call('GET', '/sobjects')).body
  assert.ok(sobjects.length > 30)
  for (const { name, urls } of sobjects as { name: string; urls: Record<string, string> }[]) {
    const whole = (await o.call('GET', urls.describe!)).body
    const layouts = whole.recordTypeInfos.map((info: { urls: { layout: string } }) => info.urls.layout)
    const named = Object.values({ ...urls, ...whole.urls }) as string[]
    const addresses = [...named, ...layouts]
    // Of a record, and of the pages of a console.
    const data = addresses.filter((address) => address.startsWith('/services/') && !address.includes('{ID}'))
    assert.ok(data.length >= 7, name)
    for (const address of data) {
      const answer = await o.call('GET', address)
      assert.equal(answer.status, 200, `${address}: ${answer.text}`)
    }
  }
})

test('every entry of the resource map is the address of something', async () => {
  const { body } = await o.call('GET', '/')
  for (const [name, address] of Object.entries(body as Record<string, string>)) {
    const { pathname } = new URL(address, 'http://localhost')
    const headers = { authorization: `Bearer ${o.token}` }
    const { statusCode } = await o.server.inject({ url: pathname, headers })
    assert.ok(statusCode < 500 && statusCode !== 404, `${name}: ${statusCode}`)
  }
})

test('the resource map has every resource that there is', async () => {
  const { body } = await o.call('GET', '/')
  const first = new Set(ROUTES.map(({ path }) => path.split('/')[1]!).filter((name) => name !== ''))
  // Layouts of no object, the schemas of events and deployments stand below names that are no resources by themselves.
  for (const name of ['describe', 'event', 'metadata']) first.delete(name)
  assert.deepEqual(new Set(Object.keys(body).filter((name) => name !== 'identity')), first)
})
