import pg from 'pg'
import { onCitus, workers, workerUrls } from './citus.ts'
import { openProxy, type PausableProxy } from './pausable-proxy.ts'

/* A cluster of several nodes. A worker is reached by way of a proxy, so that a test can freeze it, or take it away. */

/** Of tests; a soak has the other variable only. */
const coordinator = (onCitus ? process.env.TEST_DATABASE_URL : undefined) ?? process.env.TEST_CITUS_URL

/** Options of suites that need such a cluster. */
export const ON_CLUSTER = {
  skip:
    (coordinator === undefined || workers.length < 2) &&
    'needs TEST_CITUS_URL, and two servers in TEST_CITUS_WORKERS',
}

interface Worker {
  /** The address of the cluster's database on it. */
  readonly url: string
  /** As the cluster names it: `host:port`. */
  readonly name: string
  readonly proxy: PausableProxy
}

export interface Cluster {
  readonly url: string
  readonly workers: readonly Worker[]
  /** Sends a statement to the coordinator. */
  query<Row extends object>(text: string): Promise<Row[]>
  drop(): Promise<void>
}

export async function ask<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

const inDatabase = (url: string, name: string) => {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

/** Moves in several databases of the same servers are in each other's way: what Citus makes for them has the same names. */
async function takeTurn(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: coordinator! })
  await client.connect()
  await client.query('select pg_advisory_lock(720260150)')
  return client
}

/** Makes an empty database of the cluster, once others are dropped. The coordinator has no orgs. */
export async function makeCluster(purpose: string): Promise<Cluster> {
  const turn = await takeTurn()
  const name = `objectry_${purpose}_${process.pid}`
  const proxiedUrls = workerUrls(coordinator!)
  const servers = [coordinator!, ...proxiedUrls]
  for (const server of servers) {
    await ask(server, `drop database if exists ${name} with (force)`, `create database ${name}`)
    await ask(inDatabase(server, name), 'create extension citus')
  }
  const url = inDatabase(coordinator!, name)
  await ask(url, `select citus_set_coordinator_host('127.0.0.1', inet_server_port())`)
  const proxied: Worker[] = []
  for (const workerUrl of proxiedUrls) {
    const proxy = await openProxy(workerUrl)
    const { hostname, port, host } = new URL(proxy.url)
    await ask(url, `select citus_add_node('${hostname}', ${port})`)
    proxied.push({ url: inDatabase(workerUrl, name), name: host, proxy })
  }
  return {
    url,
    workers: proxied,
    query: (text) => ask(url, text),
    async drop() {
      for (const { proxy } of proxied) proxy.close()
      for (const server of servers) await ask(server, `drop database if exists ${name} with (force)`)
      await turn.end()
    },
  }
}
