import { setTimeout as sleep } from 'node:timers/promises'
import {
  credentialsIn,
  fetchToken,
  type ServerProcess,
  startServer,
  type Variables,
} from './server-process.ts'

/** The outcome of the creates that ran until the server ended. */
export interface Round {
  readonly acknowledged: number
  /** Ids of records that were acknowledged and are not there after the restart. */
  readonly lost: readonly string[]
  /** How the server ended; null if it was killed. */
  readonly code: number | null
}

const CLIENTS = 8

/** Creates one account after the other until the server is gone; puts the ids of the acknowledged ones into a list. */
async function createUntilGone(address: string, token: string, acknowledged: string[]): Promise<void> {
  const url = `${address}/services/data/v64.0/sobjects/Account`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (;;) {
    let answer: { readonly id: string }
    try {
      const body = JSON.stringify({ Name: `Account ${acknowledged.length}`, Site: 'x'.repeat(80) })
      const response = await fetch(url, { method: 'POST', headers, body })
      answer = (await response.json()) as { id: string }
      if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
    } catch (error) {
      // The connection broke, so nothing was acknowledged; any answer but 201 is none that may come.
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
    acknowledged.push(answer.id)
  }
}

async function fetchIds(address: string, token: string): Promise<Set<string>> {
  const ids = new Set<string>()
  let path: string | undefined = '/services/data/v64.0/query?q=SELECT+Id+FROM+Account'
  while (path !== undefined) {
    const response: Response = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } })
    const page = (await response.json()) as { records: { Id: string }[]; nextRecordsUrl?: string }
    for (const { Id } of page.records) ids.add(Id)
    path = page.nextRecordsUrl
  }
  return ids
}

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
  let server: ServerProcess = await startServer(variables)
  try {
    const credentials = credentialsIn(server.greeting)!
    const all: string[] = []
    for (let round = 0; round < rounds; round++) {
      const { address } = server
      const token = await fetchToken(address, credentials)
      const acknowledged: string[] = []
      const clients = Array.from({ length: CLIENTS }, () => createUntilGone(address, token, acknowledged))
      await untilFirst(acknowledged)
      await sleep(Math.random() * 1500)
      const { code } = await server.end(signal)
      await Promise.all(clients)
      all.push(...acknowledged)
      server = await startServer(variables)
      const there = await fetchIds(server.address, await fetchToken(server.address, credentials))
      yield { acknowledged: acknowledged.length, lost: all.filter((id) => !there.has(id)), code }
    }
  } finally {
    await server.end('SIGTERM')
  }
}
