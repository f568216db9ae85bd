import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cluster, makeCluster } from '../support/cluster.ts'
import { runCommand } from '../support/run-command.ts'
import {
  credentialsIn,
  fetchToken,
  makeDataFolder,
  SECRET_KEY,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts'

/*
 * Moves orgs between the workers of a Citus cluster while all of them are written; in the middle of it one worker goes down, and later
 * the other one freezes:
 *
 *   TEST_CITUS_URL=postgres://postgres@127.0.0.1:5433/postgres TEST_CITUS_WORKERS=127.0.0.1:5434,127.0.0.1:5435 npm run soak -- moves-of-orgs
 *
 * Each org has a client that creates, changes and reads records, and writes pairs of them together. At the end everything is read back.
 * Ends with 1 when an acknowledged write is lost, a pair is torn, a value is neither the last acknowledged one nor a later one, or an
 * answer is anything that a move or a fault does not excuse: 503 is excused, and of an org of the other worker only within a move of it.
 */
const { values } = parseArgs({
  options: {
    orgs: { type: 'string', default: '12' },
    moves: { type: 'string', default: '20' },
    'fault-seconds': { type: 'string', default: '8' },
  },
})
const numbers = {
  orgs: Number(values.orgs),
  moves: Number(values.moves),
  faultMs: Number(values['fault-seconds']) * 1000,
}

const ROOT = '/services/data/v64.0'
/** A call takes as long as a statement, a connection and a lock may at most. */
const HANG_MS = 60_000

/** The writes of one client, and those that were acknowledged. */
class Ledger {
  readonly acknowledged = new Set<string>()
  readonly tried = new Set<string>()
  readonly pairs = new Set<string>()
  count = 0
  acknowledgedCount = 0
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** An org, and the client that writes into it. */
class OrgClient {
  readonly name: string
  readonly ledger = new Ledger()
  readonly wrong: string[] = []
  readonly statuses = new Map<string, number>()
  node = ''
  /** True while 503 is no wonder. */
  isExcused = false
  longestMs = 0
  readonly #address: string
  readonly #token: string
  #counter = ''

  constructor(name: string, address: string, token: string) {
    this.name = name
    this.#address = address
    this.#token = token
  }

  async open(): Promise<void> {
    const { body } = await this.#call('POST', '/sobjects/Account', { Name: 'counter', NumberOfEmployees: 0 })
    this.#counter = (body as { id: string }).id
  }

  /** One round of calls. */
  async work(): Promise<void> {
    const { ledger } = this
    const number = ledger.tried.size
    const name = `single ${number}`
    ledger.tried.add(name)
    if ((await this.#send('create', 'POST', '/sobjects/Account', { Name: name })) < 300)
      ledger.acknowledged.add(name)

    const pair = `pair ${number}`
    const records = [1, 2].map(() => ({ attributes: { type: 'Account' }, Name: pair }))
    const status = await this.#send('pair', 'POST', '/composite/sobjects', { allOrNone: true, records })
    if (status < 300) ledger.pairs.add(pair)

    ledger.count++
    const changed = await this.#send('change', 'PATCH', `/sobjects/Account/${this.#counter}`, {
      NumberOfEmployees: ledger.count,
    })
    if (changed < 300) ledger.acknowledgedCount = ledger.count

    const { status: read, body } = await this.#call(
      'GET',
      `/sobjects/Account/${this.#counter}?fields=NumberOfEmployees`,
    )
    this.#note('read', read)
    if (read === 200) this.#checkCount((body as { NumberOfEmployees: number }).NumberOfEmployees)
  }

  async check(): Promise<void> {
    const singles = await this.#findNames("Name LIKE 'single %'")
    for (const name of this.ledger.acknowledged)
      if (singles.get(name) !== 1)
        this.wrong.push(`${this.name}: ${name} is there ${singles.get(name) ?? 0} times`)
    const pairs = await this.#findNames("Name LIKE 'pair %'")
    for (const [name, found] of pairs)
      if (found !== 2) this.wrong.push(`${this.name}: ${name} is torn: ${found}`)
    for (const name of this.ledger.pairs)
      if (!pairs.has(name)) this.wrong.push(`${this.name}: ${name} is lost`)
    const { body } = await this.#call('GET', `/sobjects/Account/${this.#counter}?fields=NumberOfEmployees`)
    this.#checkCount((body as { NumberOfEmployees: number }).NumberOfEmployees)
  }

  #checkCount(found: number): void {
    const { acknowledgedCount, count } = this.ledger
    if (found < acknowledgedCount || found > count)
      this.wrong.push(`${this.name}: the count is ${found}, not ${acknowledgedCount} to ${count}`)
  }

  /** How often each name is there. */
  async #findNames(condition: string): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    let path: string | undefined =
      `/query?q=${encodeURIComponent(`SELECT Name FROM Account WHERE ${condition}`)}`
    while (path !== undefined) {
      const { status, body } = await this.#call('GET', path)
      if (status !== 200) throw new Error(`${this.name}: ${status} ${JSON.stringify(body)}`)
      const page = body as { records: { Name: string }[]; nextRecordsUrl?: string }
      for (const { Name } of page.records) found.set(Name, (found.get(Name) ?? 0) + 1)
      path = page.nextRecordsUrl?.slice(ROOT.length)
    }
    return found
  }

  async #send(kind: string, method: string, path: string, body: object): Promise<number> {
    const { status, body: answer } = await this.#call(method, path, body)
    this.#note(kind, status, answer)
    return status
  }

  #note(kind: string, status: number, answer?: unknown): void {
    const key = `${kind} ${status}`
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1)
    if (status < 300 || (status === 503 && this.isExcused)) return
    this.wrong.push(`${this.name} on ${this.node}: ${key} ${JSON.stringify(answer ?? '').slice(0, 200)}`)
  }

  async #call(method: string, path: string, body?: object): Promise<Answer> {
    const began = performance.now()
    const response = await fetch(this.#address + ROOT + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body) ?? null,
      signal: AbortSignal.timeout(HANG_MS),
    })
    const text = await response.text()
    this.longestMs = Math.max(this.longestMs, performance.now() - began)
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

const say = (text: string) => process.stdout.write(`${text}\n`)

async function runMoves(
  cluster: Cluster,
  server: ServerProcess,
  settings: Record<string, string>,
): Promise<string[]> {
  const run = async (...args: string[]) => {
    const { code, out, error } = await runCommand(args, settings)
    return { code, out, error }
  }
  const clients: OrgClient[] = []
  for (let at = 0; at < numbers.orgs; at++) {
    const name = `org ${at}`
    const { out } = await run('org', 'create', name)
    const client = new OrgClient(name, server.address, await fetchToken(server.address, credentialsIn(out)!))
    await client.open()
    clients.push(client)
  }
  const place = async () => {
    const listed: { name: string; node: string }[] = JSON.parse((await run('org', 'list', '--json')).out)
    for (const client of clients) client.node = listed.find(({ name }) => name === client.name)!.node
  }
  await place()
  say(`${clients.length} orgs on ${new Set(clients.map(({ node }) => node)).size} workers`)

  let isOver = false
  const writing = clients.map(async (client) => {
    while (!isOver) await client.work()
  })

  /** Something befalls a worker while it lasts, and what its orgs are told then is excused. */
  const strike = async (what: string, at: number, begin: () => void, end: () => void) => {
    // The server has noticed the last move.
    await sleep(12_000)
    const { name } = cluster.workers[at]!
    const struck = clients.filter(({ node }) => node === name)
    for (const client of struck) client.isExcused = true
    say(`${name} ${what} for ${numbers.faultMs / 1000} s, with ${struck.length} orgs`)
    begin()
    await sleep(numbers.faultMs)
    end()
    // Its calls end, and the worker is found again.
    await sleep(10_000)
    for (const client of struck) client.isExcused = false
  }

  let moved = 0
  for (let move = 0; move < numbers.moves; move++) {
    const [first, second] = cluster.workers
    if (move === Math.floor(numbers.moves / 3)) {
      await strike(
        'is down',
        0,
        () => first!.proxy.refuse(),
        () => first!.proxy.heal(),
      )
    }
    if (move === Math.floor((numbers.moves * 2) / 3)) {
      await strike(
        'is frozen',
        1,
        () => second!.proxy.pause(),
        () => second!.proxy.resume(),
      )
    }
    const client = clients[move % clients.length]!
    const to = cluster.workers.find(({ name }) => name !== client.node)!.name
    client.isExcused = true
    const began = performance.now()
    const { code, error } = await run('org', 'move', client.name, '--to', to)
    client.isExcused = false
    if (code === 0) moved++
    say(
      `${client.name} to ${to}: ${code === 0 ? 'moved' : error.trim()}, ${((performance.now() - began) / 1000).toFixed(1)} s`,
    )
    await place()
  }
  isOver = true
  await Promise.all(writing)
  for (const client of clients) await client.check()

  const statuses = new Map<string, number>()
  for (const client of clients)
    for (const [key, count] of client.statuses) statuses.set(key, (statuses.get(key) ?? 0) + count)
  say(
    [...statuses]
      .sort()
      .map(([key, count]) => `${key} ×${count}`)
      .join(', '),
  )
  say(
    `longest call ${(Math.max(...clients.map(({ longestMs }) => longestMs)) / 1000).toFixed(1)} s, ${moved} of ${numbers.moves} moves`,
  )
  return [
    ...clients.flatMap(({ wrong }) => wrong),
    ...(moved === numbers.moves ? [] : ['not all orgs were moved']),
  ]
}

const folder = makeDataFolder()
const cluster = await makeCluster('soak')
let server: ServerProcess | undefined
let wrong: string[] = ['it did not end']
try {
  const settings = { DATABASE_URL: cluster.url, OBJECTRY_DATA: folder.data, ...SECRET_KEY }
  server = await startServer(settings)
  wrong = await runMoves(cluster, server, settings)
} finally {
  await server?.end('SIGTERM')
  await cluster.drop()
  folder.remove()
}
say(wrong.length === 0 ? 'nothing wrong' : `WRONG ${wrong.length}:\n${wrong.slice(0, 20).join('\n')}`)
process.exit(wrong.length === 0 ? 0 : 1)
