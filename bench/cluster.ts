import { parseArgs } from 'node:util'
import pg from 'pg'
import { Cleanup, makeSide, placeSettings, say, seed } from './environment.ts'
import { type Measure, measure } from './load.ts'
import { median } from './median.ts'
import { ROOT, startOurs } from './server.ts'
import { WORKLOADS } from './workloads.ts'

/*
 * `BENCH_CITUS=127.0.0.1:5433,127.0.0.1:5434,127.0.0.1:5435 node bench/cluster.ts`: one server whose org is on a worker of a Citus
 * cluster, against one whose org is in a plain database of that worker. The first address is the coordinator's, the others are workers;
 * each has citus in shared_preload_libraries. Printed are the medians of the rounds. Options: --accounts 20000, --concurrency 1,8,
 * --only read,create,page,composite, --rounds 3, --seconds 3.
 */
const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '1,8' },
    only: { type: 'string', default: 'read,create,update,filter,page,composite' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
  },
})

const nodes = (process.env.BENCH_CITUS ?? '').split(',')
if (nodes.length < 2) throw new Error('set BENCH_CITUS to host:port of a coordinator and its workers')

const urlOf = (node: string, database: string) => `postgres://postgres@${node}/${database}`

async function run(node: string, database: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(node, database) })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const cleanup = new Cleanup()

async function makeDatabase(node: string, name: string): Promise<void> {
  await run(node, 'postgres', `create database ${name}`)
  cleanup.add(() => run(node, 'postgres', `drop database ${name} with (force)`))
}

/** @returns the address of a database whose orgs are on the workers */
async function makeCluster(): Promise<string> {
  const name = `objectry_bench_${process.pid}_cluster`
  const [coordinator, ...workers] = nodes as [string, ...string[]]
  for (const node of nodes) {
    await makeDatabase(node, name)
    await run(node, name, 'create extension citus')
  }
  const [host, port] = coordinator.split(':')
  const adds = workers.map(
    (worker) => `select citus_add_node('${worker.split(':')[0]}', ${worker.split(':')[1]})`,
  )
  await run(coordinator, name, `select citus_set_coordinator_host('${host}', ${port})`, ...adds)
  return urlOf(coordinator, name)
}

async function makePlain(): Promise<string> {
  const name = `objectry_bench_${process.pid}_plain`
  await makeDatabase(nodes[1]!, name)
  return urlOf(nodes[1]!, name)
}

async function prepare(name: 'cluster' | 'ours', url: string) {
  const accounts = Number(options.accounts)
  say(`Filling ${accounts} accounts (${name})`)
  const { ids, token } = await seed(ROOT, { url }, { engine: 'postgres', accounts, contacts: accounts / 5 })
  const client = { ids, headers: { authorization: `Bearer ${token}` } }
  return makeSide(name, { url }, await startOurs(placeSettings({ url })), client, cleanup)
}

async function main(): Promise<void> {
  const plain = await prepare('ours', await makePlain())
  const cluster = await prepare('cluster', await makeCluster())
  console.log(
    '| work | at once | cluster/s | plain/s | cluster / plain | cluster p50, p99 ms |\n|---|---|---|---|---|---|',
  )
  for (const name of options.only.split(',')) {
    const workload = { name, ...WORKLOADS[name]! }
    for (const connections of options.concurrency.split(',').map(Number)) {
      const measured: { cluster: Measure; plain: Measure }[] = []
      for (const side of [plain, cluster]) await measure(side, workload, connections, 1)
      for (let round = 0; round < Number(options.rounds); round++) {
        const run = (side: typeof plain) => measure(side, workload, connections, Number(options.seconds))
        const first = round % 2 === 0 ? await run(plain) : undefined
        const own = await run(cluster)
        measured.push({ cluster: own, plain: first ?? (await run(plain)) })
      }
      const middle = (pick: (one: (typeof measured)[0]) => number) => median(measured.map(pick))
      const cells = [
        workload.title,
        connections,
        middle((one) => one.cluster.rate).toFixed(0),
        middle((one) => one.plain.rate).toFixed(0),
        middle((one) => one.cluster.rate / one.plain.rate).toFixed(2),
        `${middle((one) => one.cluster.p50).toFixed(1)}, ${middle((one) => one.cluster.p99).toFixed(1)}`,
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
}

try {
  await main()
} finally {
  await cleanup.run()
}
