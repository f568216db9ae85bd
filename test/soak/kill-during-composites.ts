import { setTimeout as sleep } from 'node:timers/promises'
import { V64 } from '../support/composite.ts'
import { KilledServer } from '../support/killed-server.ts'
import { runKillSoak } from './kills/run-kill-soak.ts'

/*
 * Kills the server with -9 in the middle of atomic composites, restarts it and looks whether each of them is there as a
 * whole or not at all:
 *
 *   npm run soak -- kill-during-composites            on the embedded engine, in a temporary folder
 *   npm run soak -- kill-during-composites --rounds 50 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when a
 * composite is there in part, or was acknowledged and is gone.
 */

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

/** Returns the numbers of accounts and contacts by token, of those that begin with a text. */
async function countByToken(server: KilledServer, prefix: string): Promise<Map<string, number[]>> {
  const counts = new Map<string, number[]>()
  for (const [location, object, field] of [
    [0, 'Account', 'Site'],
    [1, 'Contact', 'Department'],
  ] as const) {
    for (const record of await server.query(
      `SELECT ${field} FROM ${object} WHERE ${field} LIKE '${prefix}%'`,
    )) {
      const count = counts.get(record[field]!) ?? [0, 0]
      count[location]!++
      counts.set(record[field]!, count)
    }
  }
  return counts
}

function judge(sent: ReadonlyMap<string, 'sent' | 'acknowledged'>, there: Map<string, number[]>) {
  const tokens = [...sent.keys()]
  const isAbsent = (token: string) => !there.has(token)
  const isWhole = (token: string) => there.get(token)?.join() === `1,${CONTACTS}`
  const cut = tokens.filter((token) => sent.get(token) === 'sent')
  const whole = cut.filter(isWhole).length
  const absent = cut.filter(isAbsent).length
  return {
    summary: `${tokens.length - cut.length} acknowledged, ${cut.length} cut off (${whole} whole, ${absent} absent)`,
    wrong: tokens.filter(
      (token) => !isWhole(token) && (sent.get(token) === 'acknowledged' || !isAbsent(token)),
    ),
  }
}

await runKillSoak({
  numbers: { rounds: 10 },
  well: 'none torn',
  async *rounds(variables, { rounds }) {
    const server = await KilledServer.start(variables)
    try {
      for (let round = 0; round < rounds; round++) {
        const prefix = `r${round}-`
        const sent = new Map<string, 'sent' | 'acknowledged'>()
        await server.killUnder({
          clients: CLIENTS,
          async work() {
            const token = `${prefix}${sent.size}`
            sent.set(token, 'sent')
            const text = await server.call('POST', '/composite', makeComposite(token))
            const statuses = [...text.matchAll(/"httpStatusCode":(\d+)/g)].map(([, status]) => status)
            if (statuses.some((status) => status !== '201')) throw new Error(text)
            sent.set(token, 'acknowledged')
          },
          untilKill: () => sleep(100 + Math.random() * 700),
        })
        yield judge(sent, await countByToken(server, prefix))
      }
    } finally {
      await server.end()
    }
  },
})
