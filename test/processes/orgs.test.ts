import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  credentialsIn,
  fetchToken,
  makeDataFolder,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts'

/* A server of its own: only the administrators of its first org look after orgs. */

const folder = makeDataFolder()
let server: ServerProcess
let home: string

before(async () => {
  server = await startServer({ OBJECTRY_DATA: folder.data })
  home = await fetchToken(server.address, credentialsIn(server.greeting)!)
})
after(async () => {
  await server.end('SIGTERM')
  folder.remove()
})

interface Sent {
  readonly token?: string
  readonly body?: unknown
  readonly host?: string
}

async function call(method: string, path: string, { token = home, body, host }: Sent = {}) {
  const { request } = await import('node:http')
  const { port } = new URL(server.address)
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const text = body === undefined ? '' : JSON.stringify(body)
  headers['content-length'] = String(Buffer.byteLength(text))
  if (host !== undefined) headers.host = `${host}:${port}`
  return new Promise<{ status: number; body: never }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let said = ''
      response.setEncoding('utf8').on('data', (piece) => {
        said += piece
      })
      response.on('end', () =>
        resolve({ status: response.statusCode!, body: said === '' ? undefined : JSON.parse(said) } as never),
      )
    })
    sent.on('error', reject).end(text)
  })
}

interface Made {
  readonly id: string
  readonly name: string
  readonly host: string | null
  readonly clientId: string
  readonly clientSecret: string
}

async function makeOrg(body: object): Promise<Made & { token: string }> {
  const { status, body: made } = await call('POST', '/setup/orgs', { body })
  assert.equal(status, 201, JSON.stringify(made))
  return { ...(made as Made), token: await fetchToken(server.address, made as Made) }
}

const DATA = '/services/data/v64.0'

const create = async (token: string, name: string) => {
  const { status, body } = await call('POST', `${DATA}/sobjects/Account`, { token, body: { Name: name } })
  assert.equal(status, 201)
  return (body as { id: string }).id
}

const fetchNames = async (token: string) => {
  const { body } = await call('GET', `${DATA}/query?q=SELECT+Name+FROM+Account+ORDER+BY+Name`, { token })
  return (body as { records: { Name: string }[] }).records.map(({ Name }) => Name)
}

describe('an org that is made', () => {
  test('has an administrator and an app of its own, and sees nothing of the others', async () => {
    const acme = await makeOrg({ name: 'Acme' })
    await create(home, 'at home')
    await create(acme.token, 'at Acme')
    assert.deepEqual([await fetchNames(acme.token), await fetchNames(home)], [['at Acme'], ['at home']])
  })

  test('is listed for the administrators of the first one, and for itself alone', async () => {
    const other = await makeOrg({ name: 'Other' })
    const names = async (token: string) =>
      ((await call('GET', '/setup/orgs', { token })).body as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(await names(home), ['Objectry', 'Acme', 'Other'])
    assert.deepEqual(await names(other.token), ['Other'])
  })

  test('cannot make, copy or remove orgs itself', async () => {
    const plain = await makeOrg({ name: 'Plain' })
    for (const [method, path] of [
      ['POST', '/setup/orgs'],
      ['DELETE', '/setup/orgs/Acme'],
    ] as const) {
      const { status } = await call(method, path, { token: plain.token, body: { name: 'Mine' } })
      assert.equal(status, 403)
    }
  })

  test('has a name that no other one has', async () => {
    for (const [body, status] of [
      [{ name: 'ACME' }, 400],
      [{ name: '' }, 400],
      [{ name: 'current' }, 400],
      [{ name: 'x'.repeat(81) }, 400],
      [{ name: 'a\0b' }, 400],
      [{}, 400],
      [{ name: 'New', host: 'a b' }, 400],
      [{ name: 'New', copyOf: 'Nobody' }, 404],
      [{ name: 'New', more: 1 }, 400],
    ] as const) {
      assert.equal((await call('POST', '/setup/orgs', { body })).status, status, JSON.stringify(body))
    }
  })

  test('is set up from the first one by its name', async () => {
    await makeOrg({ name: 'Remote' })
    assert.equal((await call('PUT', '/setup/orgs/remote/snapshots/a')).status, 200)
    const { status, body } = await call('POST', '/setup/orgs/remote/token')
    assert.equal(status, 201)
    const { token } = body as { token: string }
    await create(token, 'by the way')
    assert.equal((await call('POST', '/setup/orgs/remote/restore', { body: { snapshot: 'a' } })).status, 200)
    assert.deepEqual(await fetchNames(token), [])
    await create(token, 'again')
    assert.equal((await call('POST', '/setup/orgs/remote/reset')).status, 204)
    assert.deepEqual(await fetchNames(token), [])
  })

  test('is gone with its tokens when it is removed; the first one stays', async () => {
    const gone = await makeOrg({ name: 'Gone' })
    await create(gone.token, 'lost')
    assert.equal((await call('DELETE', '/setup/orgs/Gone')).status, 204)
    assert.equal((await call('GET', `${DATA}/sobjects`, { token: gone.token })).status, 401)
    assert.equal((await call('DELETE', '/setup/orgs/Gone')).status, 404)
    assert.equal((await call('DELETE', '/setup/orgs/current')).status, 400)
  })
})

test('an org that is removed while it gives tokens is gone at once, with all of them', async () => {
  const made = await makeOrg({ name: 'Giving' })
  const tokens = [made.token]
  let isGone = false
  const ask = async () => {
    while (!isGone) await fetchToken(server.address, made).then((token) => tokens.push(token), String)
  }
  const asking = Array.from({ length: 4 }, ask)
  while (tokens.length < 20) await sleep(5)
  assert.equal((await call('DELETE', '/setup/orgs/Giving')).status, 204)
  isGone = true
  await Promise.all(asking)
  for (const token of tokens) assert.equal((await call('GET', `${DATA}/sobjects`, { token })).status, 401)
})

describe('a copy of an org', () => {
  test('has its objects, users and records, and goes its own way', async () => {
    const source = await makeOrg({ name: 'Source' })
    const objects = {
      Box__c: { fields: { N__c: { type: 'autonumber' } } },
      Rule__mdt: { fields: { N__c: { type: 'int' } }, records: { One: { values: { N__c: 1 } } } },
    }
    const schema = { objects }
    assert.equal(
      (await call('PUT', '/setup/orgs/current/schema', { token: source.token, body: schema })).status,
      200,
    )
    const account = await create(source.token, 'shared')
    const box = async (token: string) => {
      const made = await call('POST', `${DATA}/sobjects/Box__c`, { token, body: {} })
      const { id } = made.body as { id: string }
      const { body } = await call('GET', `${DATA}/sobjects/Box__c/${id}`, { token })
      return body as { Id: string; N__c: string }
    }
    await box(source.token)
    const copy = await makeOrg({ name: 'Copy', copyOf: 'source' })
    assert.equal(
      (await call('GET', `${DATA}/sobjects/Account/${account}`, { token: copy.token })).status,
      200,
    )
    await create(copy.token, 'own')
    assert.deepEqual(
      [await fetchNames(source.token), await fetchNames(copy.token)],
      [['shared'], ['own', 'shared']],
    )
    const rules = async (token: string) =>
      (await call('GET', `${DATA}/query?q=SELECT+Id,DeveloperName,N__c+FROM+Rule__mdt`, { token })).body as {
        records: { DeveloperName: string; N__c: number }[]
      }
    assert.deepEqual(await rules(copy.token), await rules(source.token))
    assert.deepEqual(
      (await rules(copy.token)).records.map(({ DeveloperName, N__c }) => [DeveloperName, N__c]),
      [['One', 1]],
    )
    const [there, here] = [await box(source.token), await box(copy.token)]
    assert.deepEqual([there.N__c, here.N__c], ['2', '2'])
    const { body } = await call('GET', `${DATA}/query?q=SELECT+Id,Name+FROM+Organization`, {
      token: copy.token,
    })
    const [organization] = (body as { records: { Id: string; Name: string }[] }).records
    assert.deepEqual([organization!.Id, organization!.Name], [copy.id, 'Copy'])
  })
})

describe('an org with a host of its own', () => {
  test('is reached there, and no other org is', async () => {
    const { token } = await makeOrg({ name: 'Hosted', host: 'hosted.localhost' })
    const status = async (sent: Sent) => (await call('GET', `${DATA}/sobjects`, sent)).status
    assert.equal(await status({ token, host: 'hosted.localhost' }), 200)
    assert.equal(await status({ token }), 200)
    assert.equal(await status({ host: 'HOSTED.localhost' }), 401)
    assert.equal(await status({ host: 'elsewhere.localhost' }), 200)
  })

  test('tells it to clients with the token', async () => {
    const { clientId, clientSecret } = await makeOrg({ name: 'Told', host: 'told.localhost' })
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const response = await fetch(`${server.address}/services/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const { instance_url, id } = (await response.json()) as { instance_url: string; id: string }
    const { port } = new URL(server.address)
    assert.equal(instance_url, `http://told.localhost:${port}`)
    assert.ok(id.startsWith(`${instance_url}/id/`))
  })

  test('shares it with no other one', async () => {
    const { status } = await call('POST', '/setup/orgs', { body: { name: 'Second', host: 'Told.localhost' } })
    assert.equal(status, 400)
  })
})
