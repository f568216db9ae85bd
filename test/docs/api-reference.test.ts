import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { openOrg, type TestOrg } from '../support/org.ts'
import { parsePage, readPage } from './read-page.ts'
import { runExamples } from './run-examples.ts'

const FOLDER = resolve(import.meta.dirname, '../../docs/reference/api')
const PAGES = globSync(join(FOLDER, '*.md')).sort()

describe('the examples of a page of the API reference are answered as it says:', () => {
  for (const path of PAGES) {
    test(basename(path), async () => {
      const problems = await runExamples(readPage(path).blocks)
      assert.ok(problems.length === 0, `docs/reference/api/${basename(path)}\n${problems.join('\n')}`)
    })
  }
})

test('every link and anchor of the API reference leads to a page and a heading that are there', () => {
  const dead = PAGES.flatMap((path) =>
    readPage(path)
      .links.filter(({ target }) => !/^https?:/.test(target))
      .filter(({ target }) => {
        const [file = '', anchor] = target.split('#')
        const page = file === '' ? path : resolve(dirname(path), file)
        return !existsSync(page) || (anchor !== undefined && !readPage(page).anchors.has(anchor))
      })
      .map(({ target, line }) => `${relative(FOLDER, path)}:${line} ${target}`),
  )
  assert.deepEqual(dead, [])
})

test('the index of the API reference names every page', () => {
  const named = new Set(readPage(join(FOLDER, 'README.md')).links.map(({ target }) => target.split('#')[0]))
  assert.deepEqual(
    PAGES.map((path) => basename(path)).filter((name) => name !== 'README.md' && !named.has(name)),
    [],
  )
})

const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`
const CREATE = 'POST /services/data/v64.0/sobjects/Account\n\n{"Name": "Acme"}'
const CREATED = 'HTTP/1.1 201 Created\n\n{"id": "001OB00000000WGYAY", "success": true, "errors": []}'

/** Pages whose examples are wrong, with what the test says about them. */
const WRONG: Readonly<Record<string, readonly [string, RegExp]>> = {
  'another status': [
    fence('http', CREATE) + fence('http', CREATED.replace('201 Created', '200 OK')),
    /the status is 201/,
  ],
  'another value': [
    fence('http', CREATE) + fence('http', CREATED.replace('true', 'false')),
    /body\.success is true/,
  ],
  'a member that is not in the answer': [
    fence('http', CREATE) + fence('http', CREATED.replace('{', '{"x": 1, ')),
    /body\.x is missing/,
  ],
  'not all members of the answer': [
    fence('http', CREATE) + fence('http', CREATED.replace('"success": true, ', '')),
    /body\.success is not on the page/,
  ],
  'another header': [
    fence('http', CREATE) + fence('http', CREATED.replace('\n', '\nLocation: /nowhere\n')),
    /header location is "\/services/,
  ],
  'a request without an answer': [fence('http', CREATE), /the request has no answer/],
  'an answer without a request': [fence('http', CREATED), /the answer has no request/],
  'a query that is refused': [fence('soql', 'SELECT Nothing FROM Account'), /the status is 400/],
  'a document without an answer': [
    fence('graphql', '{ uiapi { query { Account { totalCount } } } }'),
    /the document has no answer/,
  ],
  'no example': ['Nothing.\n', /the page has no example/],
  'one id for two records': [
    fence('http', CREATE) + fence('http', CREATED) + fence('http', CREATE) + fence('http', CREATED),
    /body\.id is "001/,
  ],
}

describe('a page fails that has', () => {
  // Making one takes longest of all, and none of these pages depends on what the others leave behind.
  let org: TestOrg

  before(async () => {
    org = await openOrg()
  })

  for (const [wrong, [markdown, problem]] of Object.entries(WRONG)) {
    test(wrong, async () => {
      assert.match((await runExamples(parsePage(markdown).blocks, org)).join('\n'), problem)
    })
  }
})

test('a generated text of a page stands for one value in all of its requests and answers', async () => {
  const read = 'GET /services/data/v64.0/sobjects/Account/001OB00000000WG?fields=Name'
  const account = JSON.stringify({ attributes: { '…': '…' }, Name: 'A…', Id: '001OB00000000WGYAY' })
  const markdown =
    fence('http', CREATE) +
    fence('http', CREATED) +
    fence('http', read) +
    fence('http', `HTTP/1.1 200 OK\n\n${account}`)
  assert.deepEqual(await runExamples(parsePage(markdown).blocks), [])
})

test('a name in angle brackets stands for what the first answer with it has', async () => {
  const app = '{"name": "Page", "runAs": "admin@objectry.test"}'
  const made = { id: '0H4OB000000096XAAQ', name: 'Page', clientId: '<id>', clientSecret: '<secret>' }
  const form = 'grant_type=client_credentials&client_id=<id>&client_secret=<secret>'
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const markdown =
    fence('http', `POST /setup/orgs/current/apps\n\n${app}`) +
    fence('http', `HTTP/1.1 201 Created\n\n${JSON.stringify(made)}`) +
    fence('http', `POST /services/oauth2/token\nAuthorization: none\n${type}\n\n${form}`) +
    fence('http', 'HTTP/1.1 200 OK\n\n{"access_token": "<token>", "…": "…"}') +
    fence('http', 'GET /services/data/v66.0/recent\nAuthorization: Bearer <token>') +
    fence('http', 'HTTP/1.1 200 OK\n\n[]')
  assert.deepEqual(await runExamples(parsePage(markdown).blocks), [])
})

test('a block with a file name is part of the deployment of its page', async () => {
  const file = "export default { path: '/hello', GET: () => ({ hello: 'world' }) }"
  const markdown =
    `<!-- file: resources/hello.ts -->\n${fence('ts', file)}` +
    fence('http', 'GET /services/customrest/hello') +
    fence('http', 'HTTP/1.1 200 OK\n\n{"hello": "world"}')
  assert.deepEqual(await runExamples(parsePage(markdown).blocks), [])
})
