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

/* Where the orgs of a cluster are, and their moves, as people run the commands. */

interface ListedOrg {
  readonly name: string
  readonly node: string
  readonly bytes: number
}

interface Status {
  readonly nodes: readonly {
    readonly node: string
    readonly answers: boolean
    readonly takesOrgs: boolean
    readonly orgs: number
    readonly bytes: number
  }[]
}

describe('the orgs of a cluster', ON_CLUSTER, () => {
  const folder = makeDataFolder()
  let cluster: Cluster
  let server: ServerProcess
  const tokens = new Map<string, string>()

  const run = (...args: string[]) =>
    runCommand(args, { DATABASE_URL: cluster.url, OBJECTRY_DATA: folder.data, ...SECRET_KEY })

  /** Runs a command that must succeed. */
  async function succeed(...args: string[]): Promise<string> {
    const { code, out, error } = await run(...args)
    assert.equal(code, 0, error)
    return out
  }

  const list = async (): Promise<ListedOrg[]> => JSON.parse(await succeed('org', 'list', '--json'))
  const placeOf = async (named: string) => (await list()).find(({ name }) => name === named)!
  const status = async (): Promise<Status> => JSON.parse(await succeed('cluster', 'status', '--json'))
  const otherThan = (node: string) => cluster.workers.find(({ name }) => name !== node)!.name

  async function call(org: string, method: string, path: string, body?: unknown) {
    const headers = { authorization: `Bearer ${tokens.get(org)}`, 'content-type': 'application/json' }
    const url = `${server.address}/services/data/v64.0${path}`
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) ?? null })
    return { status: response.status, body: await response.json() }
  }

  async function countAccounts(org: string): Promise<number> {
    const { body } = await call(org, 'GET', '/query?q=SELECT+COUNT()+FROM+Account')
    return (body as { totalSize: number }).totalSize
  }

  before(async () => {
    cluster = await makeCluster('moves')
    server = await startServer({ DATABASE_URL: cluster.url, OBJECTRY_DATA: folder.data })
    for (const name of ['one', 'two', 'three']) {
      const made = await succeed('org', 'create', name)
      tokens.set(name, await fetchToken(server.address, credentialsIn(made)!))
    }
  })
  after(async () => {
    await server?.end('SIGTERM')
    await cluster?.drop()
    folder.remove()
  })

  test('org list says which node each org is on, and its bytes', async () => {
    const orgs = await list()
    const names = cluster.workers.map(({ name }) => name)
    assert.deepEqual(new Set(orgs.map(({ node }) => node)), new Set(names))
    for (const { bytes } of orgs) assert.ok(bytes > 100_000, String(bytes))
    const [titles] = (await succeed('org', 'list')).split('\n')
    assert.deepEqual(titles!.split(/ {2,}/), ['name', 'id', 'upgrade', 'node', 'bytes'])
  })

  test('cluster status counts the orgs and bytes of each node', async () => {
    const orgs = await list()
    const { nodes } = await status()
    assert.equal(nodes.length, 3)
    for (const { node, answers, orgs: count, bytes } of nodes) {
      const here = orgs.filter((org) => org.node === node)
      assert.deepEqual([answers, count], [true, here.length])
      assert.equal(bytes > 0, count > 0)
    }
  })

  test('an org moves while it is written, and has every record that was acknowledged', async () => {
    const { node } = await placeOf('one')
    // Its table is there: none can be made in an org while it moves.
    await call('one', 'POST', '/sobjects/Account', { Name: 'before the move' })
    let isOver = false
    const write = async () => {
      let created = 0
      while (!isOver) {
        const { status, body } = await call('one', 'POST', '/sobjects/Account', { Name: 'during the move' })
        assert.equal(status, 201, JSON.stringify(body))
        created++
      }
      return created
    }
    const writing = [write(), write()]
    const out = await succeed('org', 'move', 'one', '--to', otherThan(node))
    isOver = true
    const created = await Promise.all(writing)
    assert.equal(out, `Moved one to ${otherThan(node)}.\n`)
    assert.equal((await placeOf('one')).node, otherThan(node))
    assert.equal(
      await countAccounts('one'),
      created.reduce((sum, count) => sum + count, 1),
    )
  })

  test('a snapshot moves with its org, and puts it back on the other node', async () => {
    const { node } = await placeOf('two')
    await call('two', 'POST', '/sobjects/Account', { Name: 'kept' })
    await succeed('snapshot', 'save', '--org', 'two')
    await call('two', 'POST', '/sobjects/Account', { Name: 'later' })
    await succeed('org', 'move', 'two', '--to', otherThan(node))
    await call('two', 'POST', '/sobjects/Account', { Name: 'later still' })
    assert.equal(await countAccounts('two'), 3)
    await succeed('snapshot', 'restore', '--org', 'two')
    assert.equal(await countAccounts('two'), 1)
  })

  test('tables that logical replication does not carry by itself are moved with the others', async () => {
    const { node } = await placeOf('three')
    const [org] = await cluster.query<{ schema: string }>(
      `select schema_name as schema from objectry.org where name = 'three'`,
    )
    // As databases of older versions have them.
    await cluster.query(`create table ${org!.schema}.keyless (id integer)`)
    await cluster.query(`create unlogged table ${org!.schema}.unlogged (id integer primary key)`)
    await cluster.query(`insert into ${org!.schema}.unlogged values (1)`)
    await succeed('org', 'move', 'three', '--to', otherThan(node))
    assert.deepEqual(await cluster.query(`select id from ${org!.schema}.unlogged`), [{ id: 1 }])
  })

  test('a move that cannot be is refused with the reason', async () => {
    const { node } = await placeOf('one')
    const { nodes } = await status()
    const coordinator = nodes.find(({ takesOrgs }) => !takesOrgs)!.node
    for (const [args, message] of [
      [['one', '--to', node], `INVALID_INPUT: Org "one" is already on ${node}\n`],
      [
        ['one', '--to', 'nowhere:5432'],
        `INVALID_INPUT: The cluster has no node nowhere:5432. It has ${nodes.map((one) => one.node).join(', ')}\n`,
      ],
      [
        ['one', '--to', coordinator],
        `INVALID_OPERATION: ${coordinator} takes no orgs. Let it: select citus_set_node_property('${coordinator.replace(':', "', ")}, 'shouldhaveshards', true)\n`,
      ],
      [['nobody', '--to', node], 'NOT_FOUND: The token is for another org, or there is none of that name\n'],
    ] as const) {
      assert.deepEqual(await run('org', 'move', ...args), { code: 1, out: '', error: message })
    }
  })

  test('a drained node has no orgs and takes none, until it may; a rebalance gives it some again', async () => {
    const [drained, other] = cluster.workers.map(({ name }) => name)
    const before = (await status()).nodes.find(({ node }) => node === drained)!.orgs
    const out = await succeed('cluster', 'drain', drained!)
    assert.equal(out, before === 1 ? '1 of 1 org moved.\n' : `${before} of ${before} orgs moved.\n`)
    assert.deepEqual(new Set((await list()).map(({ node }) => node)), new Set([other]))
    await succeed('org', 'create', 'four')
    assert.equal((await placeOf('four')).node, other)
    assert.equal((await run('cluster', 'drain', other!)).code, 1)

    await cluster.query(
      `select citus_set_node_property('${drained!.replace(':', "', ")}, 'shouldhaveshards', true)`,
    )
    await succeed('cluster', 'rebalance')
    assert.deepEqual(new Set((await list()).map(({ node }) => node)), new Set([drained, other]))
    assert.equal(await succeed('cluster', 'rebalance'), 'Nothing to move.\n')
    assert.ok((await countAccounts('one')) > 0)
  })
})
