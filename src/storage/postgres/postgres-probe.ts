import pg from 'pg'
import type { Sql } from '../../base/sql.ts'
import type { Readiness } from '../database/db.ts'
import { healthSql } from '../database/health.sql.ts'
import { isDiskFull, isOverLimit, markDatabaseError } from '../database/pg-error.ts'
import type { ReadinessProbe } from '../database/readiness-check.ts'
import { APPLICATION } from '../database/timestamp.sql.ts'
import { clusterSql, type OrgPlace } from '../orgs/cluster.sql.ts'
import { backendSql } from './backends.sql.ts'

/** Time limit of opening a connection, and of a query on it, in milliseconds. */
const TIMEOUT_MS = 1000

/** The smallest working memory; what exceeds it is written to the disk of the database. */
const SESSION = { work_mem: '64kB', temp_tablespaces: '', 'citus.node_connection_timeout': '1s' }

/** Queries the state of PostgreSQL on a separate connection, whatever state those of calls are in. */
export class PostgresProbe implements ReadinessProbe {
  readonly #url: string
  readonly #timeoutMs: number
  #client: pg.Client | undefined

  constructor(url: string, timeoutMs = TIMEOUT_MS) {
    this.#url = url
    this.#timeoutMs = timeoutMs
  }

  async query(): Promise<Readiness> {
    const [row] = await this.#query<{ isReadOnly: boolean }>(healthSql.isReadOnly)
    if (row!.isReadOnly) return 'the database is read-only'
    return (await this.#hasSpace()) ? 'ready' : 'the disk of the database is full'
  }

  /** Those of the connections that are idle in PostgreSQL, by process id. */
  async findIdle(processIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.#query<{ processId: number }>(backendSql.findIdle(processIds))
    return new Set(rows.map(({ processId }) => processId))
  }

  async terminate(processIds: readonly number[]): Promise<void> {
    await this.#query(backendSql.terminate(processIds))
  }

  /** Names of the nodes of a cluster that do not answer. */
  async findSilentNodes(): Promise<readonly string[]> {
    const rows = await this.#query<{ node: string }>(clusterSql.silentNodes)
    return rows.map(({ node }) => node)
  }

  /** The node of each org in a cluster. */
  loadPlaces(): Promise<readonly OrgPlace[]> {
    return this.#query<OrgPlace>(clusterSql.places)
  }

  cancel(): void {
    if (this.#client !== undefined) this.#drop(this.#client)
  }

  async #hasSpace(): Promise<boolean> {
    try {
      await this.#query(healthSql.takeSpace)
      return true
    } catch (error) {
      if (isDiskFull(error)) return false
      // An administrator may forbid temporary files.
      if (isOverLimit(error)) return true
      throw error
    }
  }

  async #query<Row>({ text, values }: Sql): Promise<Row[]> {
    const client = this.#client ?? (await this.#connect())
    try {
      return (await client.query(text, values as unknown[])).rows
    } catch (thrown) {
      const error = markDatabaseError(thrown as Error)
      if (!isDiskFull(error)) this.#drop(client)
      throw error
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: this.#timeoutMs,
      application_name: APPLICATION,
    })
    this.#client = client
    client.on('error', () => this.#drop(client))
    try {
      await client.connect()
      const { text, values } = backendSql.setup(SESSION)
      await client.query(text, values as unknown[])
    } catch (error) {
      this.#drop(client)
      throw error
    }
    return client
  }

  /** Closes without the protocol's farewell, which needs a database that answers. */
  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
}
