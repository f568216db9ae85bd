import pg from 'pg'
import type { Sql } from '../../base/sql.ts'
import type { Readiness } from '../database/db.ts'
import { healthSql } from '../database/health.sql.ts'
import type { ReadinessProbe } from '../database/readiness-check.ts'
import { APPLICATION } from '../database/timestamp.sql.ts'
import { backendSql } from './backends.sql.ts'

/** How long a connection may take to be opened, and a query on it, in milliseconds. */
const TIMEOUT_MS = 1000

/** Asks about PostgreSQL on a connection of its own, whatever state those of calls are in. */
export class PostgresProbe implements ReadinessProbe {
  readonly #url: string
  #client: pg.Client | undefined

  constructor(url: string) {
    this.#url = url
  }

  async ask(): Promise<Readiness> {
    const [row] = await this.#query<{ isReadOnly: boolean }>(healthSql.isReadOnly)
    return row!.isReadOnly ? 'the database is read-only' : 'ready'
  }

  /** Those of these connections that PostgreSQL has no work for, by their process ids. */
  async findAtRest(processIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.#query<{ processId: number }>(backendSql.atRest(processIds))
    return new Set(rows.map(({ processId }) => processId))
  }

  async terminate(processIds: readonly number[]): Promise<void> {
    await this.#query(backendSql.terminate(processIds))
  }

  cancel(): void {
    if (this.#client !== undefined) this.#drop(this.#client)
  }

  async #query<Row>({ text, values }: Sql): Promise<Row[]> {
    const client = this.#client ?? (await this.#connect())
    try {
      return (await client.query(text, values as unknown[])).rows
    } catch (error) {
      this.#drop(client)
      throw error
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      application_name: APPLICATION,
    })
    this.#client = client
    client.on('error', () => this.#drop(client))
    try {
      await client.connect()
    } catch (error) {
      this.#drop(client)
      throw error
    }
    return client
  }

  /** Without a farewell: a database that does not answer would not take one. */
  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
}
