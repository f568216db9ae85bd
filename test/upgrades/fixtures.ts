import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/*
 * SQL of databases that servers of earlier versions left: each was started with the folder `deployment` beside this file, and
 * filled by `make-fixture.ts`.
 */

/** The deployment folder that those servers had. */
export const DEPLOYMENT = join(import.meta.dirname, 'deployment')

export const FIXTURES = join(import.meta.dirname, 'fixtures')

/** A client of that server, with the secrets that it knows. */
interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

export interface Fixture extends Client {
  readonly name: string
  /** Statements that make the database again. */
  readonly sql: string
}

/** The fixtures, the oldest first. */
export const loadFixtures = (): Fixture[] =>
  readdirSync(FIXTURES)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.json'.length)
      const client: Client = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'))
      return { name, ...client, sql: gunzipSync(readFileSync(join(FIXTURES, `${name}.sql.gz`))).toString() }
    })
