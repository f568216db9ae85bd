import type { Db } from '../database/db.ts'
import { checkPostgresSql } from './check-postgres.sql.ts'

const OLDEST_MAJOR = 15

interface Properties {
  readonly version: number
  readonly versionText: string
  readonly name: string
  readonly encoding: string
  readonly ctype: string | null
  /** Whether an Objectry server was started on it before. */
  readonly isInUse: boolean
}

/**
 * @param number the server's `server_version_num`
 * @throws Error when the server is too old
 */
export function checkPostgresVersion(number: number, text: string): void {
  if (Math.floor(number / 10_000) >= OLDEST_MAJOR) return
  throw new Error(
    `The PostgreSQL server of DATABASE_URL has version ${text}, and Objectry needs ${OLDEST_MAJOR} or newer. Upgrade it, or set DATABASE_URL to a newer server.`,
  )
}

/** What is wrong with how the database stores text; undefined: nothing. */
async function findTextFault(db: Db, { name, encoding, ctype }: Properties): Promise<string | undefined> {
  if (encoding !== 'UTF8') {
    return `The database "${name}" of DATABASE_URL has the encoding ${encoding}, and Objectry needs UTF8`
  }
  const [row] = await db.query<{ folds: boolean }>(checkPostgresSql.foldsCase)
  if (row!.folds) return undefined
  return `The database "${name}" of DATABASE_URL has the locale ${ctype ?? 'C'} (LC_CTYPE), which treats "ä" and "Ä" as different letters when case is ignored`
}

const MAKE_ANOTHER = 'createdb --encoding UTF8 --locale C.UTF-8 --template template0 <name>'

/**
 * Checks that Objectry can work with a PostgreSQL database, before anything is written to it.
 * @returns a warning about a database that is in use and should be replaced; undefined: there is none
 * @throws Error with a message for the person at the terminal
 */
export async function checkPostgres(db: Db): Promise<string | undefined> {
  const [properties] = await db.query<Properties>(checkPostgresSql.properties)
  checkPostgresVersion(properties!.version, properties!.versionText)
  const fault = await findTextFault(db, properties!)
  if (fault === undefined) return undefined
  if (!properties!.isInUse) {
    throw new Error(`${fault}. Make another database and set DATABASE_URL to it: ${MAKE_ANOTHER}`)
  }
  return `${fault}. Move its data to another database: ${MAKE_ANOTHER}`
}
