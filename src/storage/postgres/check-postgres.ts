import type { Db } from '../database/db.ts'
import { checkPostgresSql } from './backends.sql.ts'

const MIN_MAJOR_VERSION = 15

interface Properties {
  readonly version: number
  readonly versionText: string
  readonly name: string
  readonly encoding: string
  readonly ctype: string | null
  /** True if an Objectry server was started on it before. */
  readonly isInUse: boolean
}

/**
 * @param number the server's `server_version_num`
 * @throws Error when the server is too old
 */
export function checkPostgresVersion(number: number, text: string): void {
  if (Math.floor(number / 10_000) >= MIN_MAJOR_VERSION) return
  throw new Error(
    `The PostgreSQL server of DATABASE_URL has version ${text}, and Objectry needs ${MIN_MAJOR_VERSION} or newer. Upgrade it, or set DATABASE_URL to a newer server.`,
  )
}

/** A problem with how the database stores text; undefined if there is none. */
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
 * @returns a warning about a database that is in use but should be replaced; undefined if there is none
 * @throws Error with a message for the operator
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
