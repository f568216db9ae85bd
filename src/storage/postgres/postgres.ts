import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { AdmissionFilter, CHARACTERS_PER_TEXT } from '../../base/admission-filter.ts'
import type { Sql } from '../../base/sql.ts'
import { AbsentTables, withTables } from '../database/absent-tables.ts'
import { Coalescer } from '../database/coalescer.ts'
import type { Engine, Row } from '../database/db.ts'
import { databaseFault, isOutdatedPlan, isTakenBack, OutcomeUnknown } from '../database/pg-error.ts'
import { ReadinessCheck } from '../database/readiness-check.ts'
import { APPLICATION } from '../database/timestamp.sql.ts'
import {
  type Connection,
  type Driver,
  makeDb,
  TransactionWork,
  transactionSql,
} from '../database/transaction.sql.ts'
import { throwIfOver, type Watch } from '../database/watch.ts'
import { watched } from '../database/watched-connection.ts'
import { backendSql } from './backends.sql.ts'
import { checkSessions } from './check-sessions.ts'
import { ConnectionPool, type Connections } from './connection-pool.ts'
import type { HeldClient } from './held-client.ts'
import { HeldClients, rollback } from './held-clients.ts'
import { LostAnswers } from './lost-answers.ts'
import { NodePools } from './node-pools.ts'
import { OrgNodes } from './org-nodes.ts'
import { openPostgresMaintenance } from './postgres-maintenance.ts'
import { PostgresProbe } from './postgres-probe.ts'
import { type Statement, type StatementResult, send } from './statement-query.ts'

/** Maximum number of statement texts that have a name at a time; the one whose last use is longest ago loses it. */
const MAX_NAMES = 1000

/** The schema of an org, in a statement. */
const ORG_SCHEMA = /"org_\d+"/

/**
 * Gives each repeated statement text a name in this process, so that every connection prepares it once. A name is given once: a
 * connection may have prepared it.
 */
class PreparedNames {
  readonly #names = new LRUCache<string, string>({
    max: MAX_NAMES,
    maxSize: MAX_NAMES * CHARACTERS_PER_TEXT,
    sizeCalculation: (_, text) => text.length + 1,
  })
  readonly #seen = new AdmissionFilter(MAX_NAMES)
  #given = 0

  of(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || !this.#seen.check(text)) return known
    this.#names.set(text, `o${this.#given++}`)
    return this.#names.get(text)
  }

  /** Renames the texts of the org that a text is of: its tables have changed, and connections hold statements prepared for the old ones. */
  renew(text: string): void {
    const org = ORG_SCHEMA.exec(text)?.[0]
    for (const known of [...this.#names.keys()])
      if (org === undefined || known.includes(org)) this.#names.delete(known)
  }
}

/** Executes statements. */
interface Queryable {
  query(statement: Statement): Promise<StatementResult>
}

function makeConnection(target: Queryable, names: PreparedNames): Connection {
  const run = (statement: Sql, rowMode?: 'array') => {
    const { text, values, isReplanned, isForNode, isLong } = statement
    const name = isReplanned ? undefined : names.of(text)
    return target.query({ name, text, values, rowMode, isForNode, isLong }).catch((error) => {
      if (isOutdatedPlan(error)) names.renew(text)
      throw error
    })
  }
  return {
    query: async <R>(statement: Sql) => (await run(statement)).rows as R[],
    rows: async (statement) => (await run(statement, 'array')).rows as Row[],
    script: async (text) => void (await target.query({ text, isScript: true })),
  }
}

/** Does not wait for the `begin`: it is pipelined with the next statement, which fails if it does. */
function begin(sent: Promise<unknown>): Promise<unknown> {
  sent.catch(() => {})
  return sent
}

/** @param hasWritten whether the transaction may have written: if not, nothing is unknown about a lost commit */
async function commit(target: Queryable, hasWritten: boolean): Promise<void> {
  const { command } = await target.query({ text: transactionSql.commit }).catch((error) => {
    const isUnknown = databaseFault(error)?.kind === 'unreachable' && !isTakenBack(error)
    throw hasWritten && isUnknown ? new OutcomeUnknown(error) : error
  })
  // PostgreSQL rolls back a transaction with a failed statement without an error.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its end')
}

/** Runs work that ends when its time is up, whatever it waits for. A commit in progress is completed. */
function makeDriver(
  connections: Connections,
  names: PreparedNames,
  isCluster: boolean,
  watch?: Watch,
): Driver {
  const clients = new HeldClients(connections, watch)
  const makeDriverConnection = (target: Queryable) => {
    const connection = makeConnection(target, names)
    return watch === undefined ? connection : watched(connection, watch)
  }
  return {
    isCluster,
    connection: makeDriverConnection(clients),
    async transaction(work) {
      const held = await clients.take()
      let broken: Error | undefined
      try {
        const begun = begin(held.begin({ text: transactionSql.begin }))
        const running = new TransactionWork()
        const result = await running.run(work, makeDriverConnection(held))
        await begun
        if (watch !== undefined) throwIfOver(watch)
        clients.spare(held)
        await commit(held, running.hasWritten)
        return result
      } catch (error) {
        await clients.spare(held)
        broken = await rollback(held)
        throw error
      } finally {
        held.release(broken)
      }
    },
  }
}

/** Limits on resources and waits, in seconds. */
interface PoolLimits {
  /** Maximum number of connections for calls. */
  readonly poolSize: number
  /** Time limit of a statement in PostgreSQL; undefined: none. */
  readonly statementSeconds?: number | undefined
  /** Maximum wait of a call for a connection, including the time to open one. */
  readonly connectionSeconds?: number | undefined
  /** Maximum wait of a statement for a lock. */
  readonly lockSeconds?: number | undefined
}

const CONNECTION_SECONDS = 10
const LOCK_SECONDS = 10

/** A run for several calls is ended after this time, in milliseconds: one of them may wait for a lock. */
const MAX_RUN_MS = 250

/** How much longer than PostgreSQL's limits the driver waits for an answer. */
const READ_MARGIN_SECONDS = 5

/** Silence after which the operating system probes the peer, in milliseconds. */
const KEEP_ALIVE_MS = 10_000

/**
 * Limits of the reserved connections, for short statements that must not wait behind calls. A server that stands still in the middle
 * of a transaction loses it before the others, which wait for its locks, give up.
 */
const RESERVED = { connections: 4, statementSeconds: 5, lockSeconds: 3, idleSeconds: 2 }

/**
 * Session settings, whatever the database's defaults are: the format of dates, and that statements are not compiled to machine code.
 * That takes half a second, and few statements of calls take as long.
 */
const SESSION = {
  timezone: 'UTC',
  datestyle: 'ISO',
  jit: 'off',
  // In a cluster: how long the coordinator tries to connect to another node.
  'citus.node_connection_timeout': '3s',
}

/** Settings of the connections of a pool. */
const makePoolConfig = (
  statementSeconds: number | undefined,
  lockSeconds: number,
  /** How long a transaction may be idle: it holds locks. */
  idleSeconds = statementSeconds,
) =>
  ({
    // `begin` and `savepoint` are pipelined with the next statement instead of costing a round trip.
    pipeline: true,
    application_name: APPLICATION,
    // A fallback: the server ends the statement earlier.
    query_timeout:
      statementSeconds === undefined ? undefined : (statementSeconds + READ_MARGIN_SECONDS) * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    onConnect: async (client: pg.ClientBase) => {
      const { text, values } = backendSql.setup({
        ...SESSION,
        statement_timeout: String((statementSeconds ?? 0) * 1000),
        lock_timeout: `${lockSeconds}s`,
        idle_in_transaction_session_timeout: `${idleSeconds ?? 0}s`,
      })
      await client.query(text, values as unknown[])
    },
  }) as pg.PoolConfig

/** Time limit of a query to all nodes of a cluster, in milliseconds: a node has one second. */
const NODES_MS = 3000

async function findCluster(held: HeldClient): Promise<boolean> {
  const { rows } = await held.query({ text: backendSql.isCluster.text, values: [] })
  return (rows[0] as { isCluster: boolean }).isCluster
}

/** PostgreSQL 15 or newer over the network. */
export async function openPostgres(
  url: string,
  {
    poolSize,
    statementSeconds,
    connectionSeconds = CONNECTION_SECONDS,
    lockSeconds = LOCK_SECONDS,
  }: PoolLimits,
): Promise<Engine> {
  const probe = new PostgresProbe(url)
  const nodes = new OrgNodes(new PostgresProbe(url, NODES_MS))
  const lost = new LostAnswers(probe, nodes)
  const waitMs = connectionSeconds * 1000
  const forCalls = {
    connections: poolSize,
    waitMs,
    url,
    config: makePoolConfig(statementSeconds, lockSeconds),
  }
  const pool = new ConnectionPool(forCalls, lost, nodes)
  const pools = new NodePools(pool, forCalls, nodes)
  const forReserved = {
    connections: RESERVED.connections,
    waitMs: Math.min(waitMs, RESERVED.statementSeconds * 1000),
    url,
    config: makePoolConfig(
      RESERVED.statementSeconds,
      Math.min(lockSeconds, RESERVED.lockSeconds),
      RESERVED.idleSeconds,
    ),
  }
  const reserved = new ConnectionPool(forReserved, lost, nodes)
  const names = new PreparedNames()
  const tables = new AbsentTables()
  const first = await pool.take()
  let isCluster: boolean
  try {
    const second = await reserved.take()
    await checkSessions(first, second).finally(() => second.release())
    await lost.open(first)
    isCluster = await findCluster(first)
    if (isCluster) await nodes.open()
  } finally {
    first.release()
  }
  const beside = makeDriver(reserved, names, isCluster)
  const makeOn = (target: Connections, watch?: Watch) =>
    withTables(makeDriver(target, names, isCluster, watch), tables, beside)
  const readiness = new ReadinessCheck(probe)
  const db = makeDb(makeOn(pools))
  const coalescer = new Coalescer((watch) => makeDb(makeOn(pools, watch)), MAX_RUN_MS)
  // Its short statements wait for no locks: alone they would only wait for each other.
  const reservedCoalescer = new Coalescer((watch) => makeDb(makeOn(reserved, watch)))
  return {
    kind: 'postgres',
    db,
    openMaintenance: () =>
      openPostgresMaintenance({
        url,
        complete: (driver) => withTables(driver, tables, beside),
        makeConnection: (client) =>
          makeConnection({ query: (statement) => send(client, statement) }, new PreparedNames()),
        others: db,
      }),
    watched: (watch) => makeDb(makeOn(pools, watch), coalescer, watch),
    reserved: (watch) => makeDb(makeOn(reserved, watch), reservedCoalescer, watch),
    async checkReadiness(orgId) {
      const state = await readiness.get()
      if (state !== 'ready' || orgId === undefined) return state
      return (await nodes.answers(orgId)) ? 'ready' : 'the database server of the org does not answer'
    },
    async close() {
      probe.cancel()
      lost.close()
      nodes.close()
      await Promise.all([pool.end(), reserved.end(), pools.close()])
    },
  }
}
