import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Fault } from './fault.ts'
import { connectDirectly, sendDirectly } from './fault-client.ts'
import { faultSql } from './statements.sql.ts'

/** Between two rounds of what is done again and again, in milliseconds. */
const AGAIN_MS = 300

/** Does something again and again until the fault ends. */
function repeated(name: string, work: () => Promise<void>, afterwards: () => Promise<void>): Fault {
  let isOver = false
  let rounds: Promise<void> | undefined
  const keepWorking = async () => {
    while (!isOver) {
      await work()
      await sleep(AGAIN_MS)
    }
  }
  return {
    name,
    async begin() {
      isOver = false
      rounds = keepWorking()
    },
    async end() {
      isOver = true
      await rounds
      await afterwards()
    },
  }
}

const nothing = async () => {}

/** All connections of the server are ended, again and again. */
export const terminate = (adminUrl: string): Fault =>
  repeated('terminate', async () => void (await sendDirectly(adminUrl, [faultSql.terminateOthers])), nothing)

/** Half of the processes that serve the server stand still. */
export function stopBackends(adminUrl: string): Fault {
  let stopped: number[] = []
  return {
    name: 'stop-backends',
    leavesDatabase: true,
    async begin() {
      const [result] = await sendDirectly(adminUrl, [faultSql.backendsOfOthers])
      stopped = result!.rows.map(({ pid }) => pid).filter((_, index) => index % 2 === 0)
      for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    },
    async end() {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    },
  }
}

/**
 * Another client takes every connection that the server's role may have, those of the server too.
 * @param url of the database, in the name of that role
 */
export function takeConnections(adminUrl: string, url: string): Fault {
  let taken: pg.Client[] = []
  const takeAll = async () => {
    await sendDirectly(adminUrl, [faultSql.terminateOthers])
    try {
      for (;;) taken.push(await connectDirectly(url))
    } catch {
      // None is left.
    }
  }
  return repeated('max-connections', takeAll, async () => {
    await Promise.all(taken.map((client) => client.end()))
    taken = []
  })
}

/** Nobody gets at one table for a while. */
export function lockTable(adminUrl: string): Fault {
  let holder: pg.Client | undefined
  return {
    name: 'table-lock',
    leavesDatabase: true,
    async begin() {
      holder = await connectDirectly(adminUrl)
      await holder.query(faultSql.lockLoad)
    },
    async end() {
      await holder!.query(faultSql.unlock)
      await holder!.end()
    },
  }
}

/** @param setReadOnly statements that make it so, and take it back */
export const readOnly = (adminUrl: string, setReadOnly: (isReadOnly: boolean) => string[]): Fault => ({
  name: 'read-only',
  begin: async () => void (await sendDirectly(adminUrl, setReadOnly(true))),
  end: async () => void (await sendDirectly(adminUrl, setReadOnly(false))),
})
