import { setTimeout as sleep } from 'node:timers/promises'
import { KilledServer } from './killed-server.ts'
import type { Variables } from './server-process.ts'

/** The outcome of the creates that ran until the server ended. */
export interface Round {
  readonly acknowledged: number
  /** Ids of records that were acknowledged and are not there after the restart. */
  readonly lost: readonly string[]
  /** How the server ended; null if it was killed. */
  readonly code: number | null
}

const CLIENTS = 8

/** A busy machine may take seconds for the first record after a start. */
async function untilFirst(acknowledged: readonly string[]): Promise<void> {
  const until = performance.now() + 30_000
  while (acknowledged.length === 0 && performance.now() < until) await sleep(10)
}

/**
 * Starts a server, lets clients create records, ends it with a signal after a random time, starts it again and looks for
 * every record that was acknowledged; as often as asked for, on the same data.
 */
export async function* killDuringCreates(
  variables: Variables,
  rounds: number,
  signal: NodeJS.Signals = 'SIGKILL',
): AsyncGenerator<Round> {
  const server = await KilledServer.start(variables)
  try {
    const all: string[] = []
    for (let round = 0; round < rounds; round++) {
      const acknowledged: string[] = []
      const { code } = await server.killUnder({
        clients: CLIENTS,
        async work() {
          const fields = { Name: `Account ${acknowledged.length}`, Site: 'x'.repeat(80) }
          acknowledged.push(await server.create('Account', fields))
        },
        async untilKill() {
          await untilFirst(acknowledged)
          await sleep(Math.random() * 1500)
        },
        signal,
      })
      all.push(...acknowledged)
      const there = new Set((await server.query('SELECT Id FROM Account')).map(({ Id }) => Id))
      yield { acknowledged: acknowledged.length, lost: all.filter((id) => !there.has(id)), code }
    }
  } finally {
    await server.end()
  }
}
