import pg from 'pg'
import { type Run, seedBaseline } from './baseline-data.ts'
import { ask } from './compare-answers.ts'
import { makeDatabase } from './database.ts'
import { makeChunks } from './dataset.ts'
import { type Cleanup, makeSide, type Scale, say } from './environment.ts'
import { installPackage } from './install-package.ts'
import type { Side } from './load.ts'
import { PARSE_WORKS, type PeerWork, type PeerWorks, POSTGRAPHILE_WORKS } from './peer-shots.ts'
import {
  PARSE_ACCOUNTS,
  PARSE_ANALYZE,
  PARSE_CONTACTS,
  PARSE_INDEXES,
  POSTGRAPHILE_FUNCTIONS,
} from './peers.sql.ts'
import { startPostgraphile } from './postgraphile.ts'
import { type BenchServer, startServer } from './server.ts'
import type { Shot } from './workloads.ts'

/** A product of others that ours is measured against, on the same records in tables of its own. */
interface Peer {
  readonly name: 'postgraphile' | 'parse'
  readonly works: PeerWorks
  readonly headers: Readonly<Record<string, string>>
  /** Starts it on an empty database and fills that, in the order that it needs. */
  readonly start: (url: string, run: Run, scale: Scale) => Promise<BenchServer>
}

const runAll = async (run: Run, statements: readonly string[]) => {
  for (const statement of statements) await run('', statement)
}

const PARSE = { appId: 'bench', masterKey: 'a key of the bench' }

async function startParse(url: string, run: Run, { accounts, contacts }: Scale): Promise<BenchServer> {
  // With a later router than its own lock file has, batches and functions fail: they find no parameters in a path.
  const folder = installPackage('parse-server', '9.9.0', ['router@2.2.0'])
  // It makes its tables when it starts.
  const server = await startServer('bench/parse-server.ts', [], {
    NODE_ENV: 'production',
    // What it logs before it reads its options would go to a folder here.
    PARSE_SERVER_LOGS_FOLDER: 'null',
    PARSE_FOLDER: folder,
    PARSE_DATABASE_URL: url,
    PARSE_APP_ID: PARSE.appId,
    PARSE_MASTER_KEY: PARSE.masterKey,
  })
  await runAll(run, PARSE_INDEXES)
  for (const { first, ids } of makeChunks('001', accounts, accounts)) {
    await run('', PARSE_ACCOUNTS, [first - 1, ids])
  }
  for (const { first, ids, accountIds } of makeChunks('003', contacts, accounts)) {
    await run('', PARSE_CONTACTS, [first - 1, ids, accountIds])
  }
  await runAll(run, PARSE_ANALYZE)
  return server
}

const PEERS: readonly Peer[] = [
  {
    name: 'postgraphile',
    works: POSTGRAPHILE_WORKS,
    headers: {},
    async start(url, run, { accounts, contacts }) {
      await seedBaseline(run, accounts, contacts)
      await runAll(run, POSTGRAPHILE_FUNCTIONS)
      return startPostgraphile(url, 'public')
    },
  },
  {
    name: 'parse',
    works: PARSE_WORKS,
    headers: { 'x-parse-application-id': PARSE.appId, 'x-parse-master-key': PARSE.masterKey },
    start: startParse,
  },
]

/** The peers with their data, started. */
export async function preparePeers(
  ids: readonly string[],
  scale: Scale,
  cleanup: Cleanup,
): Promise<readonly Side[]> {
  const sides: Side[] = []
  for (const { name, works, headers, start } of PEERS) {
    say(`Filling ${scale.accounts} accounts and ${scale.contacts} contacts (${name})`)
    const { url, drop } = await makeDatabase(name)
    cleanup.add(drop)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const run: Run = async (_name, text, values = []) => (await client.query({ text, values })).rows
    const server = await start(url, run, scale).finally(() => client.end())
    sides.push({ ...(await makeSide(name, { url }, server, { ids, headers }, cleanup)), works })
  }
  return sides
}

/** How many requests of each workload are checked. */
const CHECKED = 4

/** An answer and something of each of its records. */
async function collectRows(side: Side, { rows }: PeerWork, shot: Shot) {
  const { text } = await ask(side, shot.path, shot)
  const answer = JSON.parse(text)
  try {
    if (answer.errors !== undefined || answer.error !== undefined) throw new Error('it has an error')
    const found = rows(answer)
    if (found.some((value) => value === undefined || value === null)) throw new Error('a record is missing')
    return { count: found.length, text }
  } catch (error) {
    const asked = `${shot.method} ${shot.path} ${JSON.stringify(shot.body ?? '').slice(0, 500)}`
    throw new Error(`${side.name} answers ${asked} wrongly: ${error}: ${text.slice(0, 1000)}`)
  }
}

/**
 * Asks a peer for the first requests of its work.
 * @throws Error if an answer has an error or another number of records than it should have
 */
export async function checkPeer(side: Side, title: string, work: PeerWork, scale: Scale): Promise<void> {
  const expect = (found: number, n: number) => {
    const expected = work.expected(n, scale)
    if (found !== expected) throw new Error(`${title}: ${side.name} has ${found} records, not ${expected}`)
  }
  if (work.pages !== undefined) {
    const pages = work.pages()
    let count = 0
    for (let next = pages.next(); !next.done; ) {
      const answer = await collectRows(side, work, next.value)
      count += answer.count
      next = pages.next(answer.text)
    }
    return expect(count, 0)
  }
  for (let n = 0; n < CHECKED; n++) {
    const { count } = await collectRows(side, work, work.shot(n, side.ids))
    expect(count, n)
  }
}
