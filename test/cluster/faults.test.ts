import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Cluster, makeCluster, ON_CLUSTER } from '../support/cluster.ts'
import { runCommand } from '../support/run-command.ts'
import {
  credentialsIn,
  fetchToken,
  makeDataFolder,
  SECRET_KEY,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'

/* A node that is down, or frozen, takes only its own orgs. */

describe('a cluster with a node that fails', ON_CLUSTER, () => {
  const folder = makeDataFolder()
  const deployment = writeDeployment({
    'resources/hello.ts': "export default { path: '/hello', GET: () => 'hello' }",
    'jobs/greet.ts': "export default { cron: '0 5 * * *', runAs: 'nobody@example.com', async run() {} }",
    'triggers/account.ts': "export default { object: 'Account', beforeInsert() {} }",
  })
  let cluster: Cluster
  let server: ServerProcess
  const tokens = new Map<string, string>()

  const settings = () => ({
    DATABASE_URL: cluster.url,
    OBJECTRY_DATA: folder.data,
    OBJECTRY_DEPLOYMENT: deployment,
    OBJECTRY_POOL_SIZE: '8',
    ...SECRET_KEY,
  })

  async function query(org: string) {
    const headers = { authorization: `Bearer ${tokens.get(org)}` }
    const path = '/services/data/v64.0/query?q=SELECT+Id,Name+FROM+Account'
    const response = await fetch(server.address + path, { headers })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    }
  }

  async function create(org: string) {
    const headers = { authorization: `Bearer ${tokens.get(org)}`, 'content-type': 'application/json' }
    const url = `${server.address}/services/data/v64.0/sobjects/Account`
    const response = await fetch(url, { method: 'POST', headers, body: '{"Name":"x"}' })
    await response.text()
    return response.status
  }

  before(async () => {
    cluster = await makeCluster('faults')
    const [first, second] = cluster.workers
    server = await startServer(settings())
    const run = async (...args: string[]) => {
      const { code, out, error } = await runCommand(args, settings())
      assert.equal(code, 0, error)
      return out
    }
    const orgs = ['Objectry', 'near', 'far', 'far too']
    for (const name of orgs.slice(1)) {
      const made = await run('org', 'create', name)
      tokens.set(name, await fetchToken(server.address, credentialsIn(made)!))
      assert.equal(await create(name), 201)
    }
    const listed: { name: string; node: string }[] = JSON.parse(await run('org', 'list', '--json'))
    for (const { name, node } of listed) {
      const wanted = name.startsWith('far') ? second!.name : first!.name
      if (node !== wanted) await run('org', 'move', name, '--to', wanted)
    }
    for (const name of tokens.keys()) assert.equal((await query(name)).status, 200)
  })
  after(async () => {
    await server?.end('SIGTERM')
    await cluster?.drop()
    folder.remove()
  })

  test('calls of an org on a node that is down are answered with 503, and those of others go on', async () => {
    const { proxy } = cluster.workers[1]!
    proxy.refuse()
    const { status, retryAfter, text } = await query('far')
    assert.deepEqual([status, retryAfter], [503, '1'])
    assert.match(text, /A server of the database cluster cannot be reached/)
    assert.equal(await create('far'), 503)
    assert.equal((await query('near')).status, 200)
    assert.equal(await create('near'), 201)
    proxy.heal()
    await until(async () => (await query('far')).status === 200)
    assert.equal(await create('far'), 201)
  })

  test('a server starts while a node is down, and serves the orgs of the others', async () => {
    for (const down of [cluster.workers[1]!, cluster.workers[0]!]) {
      await server.end('SIGTERM')
      down.proxy.refuse()
      server = await startServer(settings())
      const [up, gone] = down === cluster.workers[0] ? ['far', 'near'] : ['near', 'far']
      assert.equal((await query(up!)).status, 200)
      assert.equal(await create(up!), 201)
      assert.equal((await query(gone!)).status, 503)
      down.proxy.heal()
      await until(async () => (await query(gone!)).status === 200)
    }
  })

  test('a node that is frozen takes no connections from the orgs of the others, and its calls end', async () => {
    const { proxy } = cluster.workers[1]!
    const ready = async (path: string) => {
      const response = await fetch(`${server.address}${path}`)
      return [response.status, ((await response.json()) as { status: string }).status]
    }
    assert.deepEqual(await ready('/readyz?org=far'), [200, 'ready'])
    proxy.pause()
    const frozen = Array.from({ length: 12 }, () => ['far', 'far too'].map(query)).flat()
    for (let count = 0; count < 20; count++) {
      assert.equal((await query('near')).status, 200)
      assert.equal(await create('near'), 201)
    }
    for (const { status } of await Promise.all(frozen)) assert.equal(status, 503)
    // It is known by now.
    assert.equal((await query('far')).status, 503)
    assert.deepEqual(await ready('/readyz'), [200, 'ready'])
    assert.deepEqual(await ready('/readyz?org=near'), [200, 'ready'])
    assert.deepEqual(await ready('/readyz?org=far'), [503, 'the database server of the org does not answer'])
    assert.deepEqual(await ready('/readyz?org=nobody'), [200, 'ready'])
    proxy.resume()
    await until(async () => (await query('far')).status === 200)
    assert.equal(await create('far'), 201)
    await until(async () => (await ready('/readyz?org=far'))[0] === 200)
  })

  test('a server starts while a node is frozen, and serves the orgs of the others', async () => {
    const { proxy } = cluster.workers[1]!
    await server.end('SIGTERM')
    proxy.pause()
    server = await startServer(settings())
    assert.equal((await query('near')).status, 200)
    assert.equal((await query('far')).status, 503)
    proxy.resume()
    await until(async () => (await query('far')).status === 200)
  })
})
