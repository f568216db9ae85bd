import { getOrInsert } from '../../base/get-or-insert.ts'
import { absentTablesSql } from './absent-tables.sql.ts'
import type { Connection, Driver } from './transaction.sql.ts'

/*
 * Tables of an org that nobody has used yet: of its objects, and some that it has for itself, whose names begin with an underscore. They
 * are made right before the first statement that names them, so that an org has the tables that it uses.
 * (docs/adr/0048-tables-on-first-use.md)
 */

/** A table in a statement, except those that an org always has: they are there before its absent tables are noted. */
const TABLE =
  /"(org_\d+)"\."?(?!_(?:object|schema_version|access_version|user_secret|record_id_block)\b)([a-z_]\w*)/g

/** Goes back to before tables that were made. */
const ROLLBACK = /^rollback to /

/** Texts of statements whose tables are all known to be there, in this process. */
const MAX_TEXTS = 1000
/** Longer ones are rare. */
const MAX_CHARACTERS = 10_000

/** Orgs whose absent tables are known, in this process. */
const MAX_ORGS = 10_000

const NONE: ReadonlySet<string> = new Set()

/** The tables that a statement names, by schema. */
function findTables(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, schemaName, name] of text.matchAll(TABLE))
    getOrInsert(found, schemaName!, () => new Set<string>()).add(name!)
  return found
}

/** What this process knows of the absent tables of orgs. A table that is there stays, and a set may have tables that others have made. */
export class AbsentTables {
  /** By schema. */
  readonly #absent = new Map<string, ReadonlySet<string>>()
  readonly #complete = new Set<string>()

  /** True if no table of a statement is absent, as far as that is known. */
  isComplete(text: string): boolean {
    return this.#complete.has(text)
  }

  noteComplete(text: string): void {
    if (text.length > MAX_CHARACTERS) return
    if (this.#complete.size >= MAX_TEXTS) this.#complete.clear()
    this.#complete.add(text)
  }

  get(schemaName: string): ReadonlySet<string> | undefined {
    return this.#absent.get(schemaName)
  }

  /** @param absent as everybody sees it */
  set(schemaName: string, absent: ReadonlySet<string>): void {
    if (this.#absent.size >= MAX_ORGS) this.#absent.clear()
    this.#absent.set(schemaName, absent.size === 0 ? NONE : absent)
  }

  /** These tables are there, and stay. */
  noteMade(schemaName: string, names: ReadonlySet<string>): void {
    const absent = this.#absent.get(schemaName)
    if (absent !== undefined) this.set(schemaName, absent.difference(names))
  }
}

/** What a transaction knows for itself: what it sees and has made is rolled back with it. */
interface InTransaction {
  /** By schema. */
  readonly absent: Map<string, ReadonlySet<string>>
  readonly made: Map<string, Set<string>>
}

/**
 * Makes tables, unless they are there. Each statement is sent by itself: Citus makes a table a part of the org only when its command is
 * not within another one.
 */
async function makeTables(
  connection: Connection,
  schemaName: string,
  names: readonly string[],
): Promise<void> {
  const taken = await connection.query<{ statements: readonly string[] }>(
    absentTablesSql.take(schemaName, names),
  )
  for (const statement of taken.flatMap(({ statements }) => statements))
    await connection.script(absentTablesSql.inSchema(schemaName, statement).text)
}

/**
 * Makes tables of an org in a transaction of their own.
 * @returns those that are not there all the same: only the transaction that makes their org, or the database, knows of them
 */
function makeAlone(driver: Driver, schemaName: string, names: readonly string[]): Promise<readonly string[]> {
  return driver.transaction(async (connection) => {
    const [state] = await connection.query<{ isMigrated: boolean }>(absentTablesSql.isMigrated)
    if (!state!.isMigrated) return names
    await makeTables(connection, schemaName, names)
    const rows = await connection.query<{ name: string }>(absentTablesSql.present(schemaName, names))
    const present = new Set(rows.map(({ name }) => name))
    return names.filter((name) => !present.has(name))
  })
}

/** Makes the tables that the statements of a connection need. */
class TableMaker {
  readonly #tables: AbsentTables
  readonly #connection: Connection
  readonly #inside: InTransaction | undefined
  readonly #alone: Driver | undefined

  /**
   * @param inside of the connection's transaction
   * @param alone makes tables in a transaction of its own, so that nobody who needs them waits for the end of this one
   */
  constructor(tables: AbsentTables, connection: Connection, inside?: InTransaction, alone?: Driver) {
    this.#tables = tables
    this.#connection = connection
    this.#inside = inside
    this.#alone = alone
  }

  /** Sends a statement, at once if all of its tables are there: others may be sent before this one is answered. */
  send<T>(text: string, send: () => Promise<T>): Promise<T> {
    if (this.#tables.isComplete(text)) return send()
    const found = findTables(text)
    if (found.size > 0) return this.#make(text, found).then(send)
    // What was made since is gone, and is looked for again.
    if (ROLLBACK.test(text)) this.#inside?.made.clear()
    else this.#tables.noteComplete(text)
    return send()
  }

  async #make(text: string, found: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    let isComplete = true
    for (const [schemaName, names] of found) {
      const absent = (await this.#findAbsent(schemaName)).intersection(names)
      if (absent.size === 0) continue
      const missing = absent.difference(this.#inside?.made.get(schemaName) ?? NONE)
      if (missing.size > 0) {
        const wanted = [...missing].sort()
        const left = this.#alone === undefined ? wanted : await makeAlone(this.#alone, schemaName, wanted)
        if (left.length > 0) await makeTables(this.#connection, schemaName, left)
      }
      if (this.#inside === undefined) {
        this.#tables.noteMade(schemaName, missing)
        continue
      }
      const made = getOrInsert(this.#inside.made, schemaName, () => new Set<string>())
      for (const name of missing) made.add(name)
      isComplete = false
    }
    if (isComplete) this.#tables.noteComplete(text)
  }

  async #findAbsent(schemaName: string): Promise<ReadonlySet<string>> {
    const known = this.#tables.get(schemaName) ?? this.#inside?.absent.get(schemaName)
    if (known !== undefined) return known
    const rows = await this.#connection.query<{ name: string }>(absentTablesSql.names(schemaName))
    const absent = new Set(rows.map(({ name }) => name))
    const keep = this.#inside?.absent ?? this.#tables
    keep.set(schemaName, absent)
    return absent
  }
}

function makeComplete(connection: Connection, maker: TableMaker): Connection {
  return {
    query: (statement) => maker.send(statement.text, () => connection.query(statement)),
    rows: (statement) => maker.send(statement.text, () => connection.rows(statement)),
    script: (text) => maker.send(text, () => connection.script(text)),
  }
}

/**
 * A driver that makes the tables which its statements need.
 * @param beside has connections beside those of transactions; undefined: there is one connection
 */
export function withTables(driver: Driver, tables: AbsentTables, beside?: Driver): Driver {
  const { connection } = driver
  return {
    isCluster: driver.isCluster,
    connection: makeComplete(connection, new TableMaker(tables, connection, undefined, beside ?? driver)),
    async transaction(work) {
      const inside: InTransaction = { absent: new Map(), made: new Map() }
      const result = await driver.transaction((held) =>
        work(makeComplete(held, new TableMaker(tables, held, inside, beside))),
      )
      for (const [schemaName, names] of inside.made) tables.noteMade(schemaName, names)
      return result
    },
  }
}
