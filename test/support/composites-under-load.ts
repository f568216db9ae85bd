import { setTimeout as sleep } from 'node:timers/promises'
import { V64 } from './composite.ts'
import {
  credentialsIn,
  fetchToken,
  type ServerProcess,
  startServer,
  type Variables,
} from './server-process.ts'

/** The outcome of the atomic composites that ran until the server was killed. */
export interface Round {
  readonly acknowledged: number
  /** Sent and not answered: they are there as a whole or not at all. */
  readonly cutWhole: number
  readonly cutAbsent: number
  /** Tokens of composites of which a part is there, or that were acknowledged and are not there as a whole. */
  readonly torn: readonly string[]
}

const CLIENTS = 8
const CONTACTS = 9

/** An account and its contacts, all with one token. */
function makeComposite(token: string) {
  const account = {
    method: 'POST',
    url: `${V64}/sobjects/Account`,
    referenceId: 'account',
    body: { Name: token, Site: token },
  }
  const contacts = Array.from({ length: CONTACTS }, (_, i) => ({
    method: 'POST',
    url: `${V64}/sobjects/Contact`,
    referenceId: `contact${i}`,
    body: { LastName: `${token} ${i}`, Department: token, AccountId: '@{account.id}' },
  }))
  return { allOrNone: true, compositeRequest: [account, ...contacts] }
}

/** Sends one composite after the other until the server is gone. */
async function sendUntilGone(
  address: string,
  token: string,
  prefix: string,
  sent: Map<string, 'sent' | 'acknowledged'>,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let i = 0; ; i++) {
    const name = `${prefix}-${i}`
    try {
      sent.set(name, 'sent')
      const body = JSON.stringify(makeComposite(name))
      const response = await fetch(`${address}${V64}/composite`, { method: 'POST', headers, body })
      const text = await response.text()
      const statuses = [...text.matchAll(/"httpStatusCode":(\d+)/g)].map(([, status]) => status)
      if (response.status !== 200 || statuses.some((status) => status !== '201')) {
        throw new Error(`${response.status} ${text}`)
      }
    } catch (error) {
      // The connection broke before the answer was complete; any other answer is none that may come.
      if (error instanceof TypeError) return
      throw error
    }
    sent.set(name, 'acknowledged')
  }
}

/** How many accounts and contacts there are by token, of those that begin with a text. */
async function countByToken(address: string, token: string, prefix: string): Promise<Map<string, number[]>> {
  const counts = new Map<string, number[]>()
  for (const [location, object, field] of [
    [0, 'Account', 'Site'],
    [1, 'Contact', 'Department'],
  ] as const) {
    const soql = `SELECT ${field} FROM ${object} WHERE ${field} LIKE '${prefix}%'`
    let path: string | undefined = `${V64}/query?q=${encodeURIComponent(soql)}`
    while (path !== undefined) {
      const response: Response = await fetch(address + path, {
        headers: { authorization: `Bearer ${token}` },
      })
      const page = (await response.json()) as { records: Record<string, string>[]; nextRecordsUrl?: string }
      for (const record of page.records) {
        const count = counts.get(record[field]!) ?? [0, 0]
        count[location]!++
        counts.set(record[field]!, count)
      }
      path = page.nextRecordsUrl
    }
  }
  return counts
}

function judge(sent: ReadonlyMap<string, 'sent' | 'acknowledged'>, there: Map<string, number[]>): Round {
  const tokens = [...sent.keys()]
  const isAbsent = (token: string) => !there.has(token)
  const isWhole = (token: string) => there.get(token)?.join() === `1,${CONTACTS}`
  const cut = tokens.filter((token) => sent.get(token) === 'sent')
  return {
    acknowledged: tokens.length - cut.length,
    cutWhole: cut.filter(isWhole).length,
    cutAbsent: cut.filter(isAbsent).length,
    torn: tokens.filter(
      (token) => !isWhole(token) && (sent.get(token) === 'acknowledged' || !isAbsent(token)),
    ),
  }
}

/**
 * Starts a server, lets clients send atomic composites, kills it with -9 after a random time, starts it again and looks
 * whether each is there as a whole or not at all; as often as asked for, on the same data.
 */
export async function* killDuringComposites(variables: Variables, rounds: number): AsyncGenerator<Round> {
  let server: ServerProcess = await startServer(variables)
  try {
    const credentials = credentialsIn(server.greeting)!
    for (let round = 0; round < rounds; round++) {
      const prefix = `r${round}c`
      const sent = new Map<string, 'sent' | 'acknowledged'>()
      const { address } = server
      const token = await fetchToken(address, credentials)
      const clients = Array.from({ length: CLIENTS }, (_, i) =>
        sendUntilGone(address, token, `${prefix}${i}`, sent),
      )
      await sleep(100 + Math.random() * 700)
      await server.end('SIGKILL')
      await Promise.all(clients)
      server = await startServer(variables)
      const fresh = await fetchToken(server.address, credentials)
      yield judge(sent, await countByToken(server.address, fresh, prefix))
    }
  } finally {
    await server.end('SIGTERM')
  }
}
