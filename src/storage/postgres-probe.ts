import pg from 'pg'
import type { Readiness } from './db.ts'
import { healthSql } from './health.sql.ts'
import { APPLICATION } from './moment.sql.ts'
import type { ReadinessProbe } from './readiness-check.ts'

/** How long a connection may take to be opened, in milliseconds. */
const CONNECT_TIMEOUT_MS = 1000

/** Asks on a connection of its own, so that a pool without a free connection does not count as a failure. */
export class PostgresProbe implements ReadinessProbe {
  readonly #url: string
  #client: pg.Client | undefined

  constructor(url: string) {
    this.#url = url
  }

  async ask(): Promise<Readiness> {
    const client = this.#client ?? (await this.#connect())
    try {
      const { rows } = await client.query(healthSql.isReadOnly.text)
      return rows[0].isReadOnly ? 'the database is read-only' : 'ready'
    } catch (error) {
      this.#drop(client)
      throw error
    }
  }

  cancel(): void {
    if (this.#client !== undefined) this.#drop(this.#client)
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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
