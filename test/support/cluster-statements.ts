import { oncePer } from '../../src/base/get-or-insert.ts'
import type { Sql } from '../../src/base/sql.ts'
import type { CoalescedWork } from '../../src/storage/database/coalescer.ts'
import type { Db, Engine } from '../../src/storage/database/db.ts'

/*
 * Statements that a Citus cluster refuses, found without one: every statement that a test sends is looked at.
 * (docs/adr/0049-clusters.md)
 */

const OF_ORG = /"org_\d+"\./
/** As a table that is read, and not as the type of its rows. */
const READS_ORG = /(?<!::)"org_\d+"\./
/** A table of the platform; its functions are on every node. */
const OF_PLATFORM = /\bobjectry\.\w+(?!\w*\()/
const NO_COLUMNS = /\bselect from objectry\./i
const WRITE = /\b(?:insert into|update|delete from|merge into)\s/i
const RETURNING = /\breturning\b/gi
/** It depends on the session: PostgreSQL calls it stable. A parameter that is a time does not. */
const STABLE =
  /\bnow\(\)|\b(?:transaction|statement)_timestamp\(\)|\bto_json\(|(?<!\$\d+)::timestamptz\b|- interval\b|\+ interval\b/i
/** It differs by row: PostgreSQL calls it volatile. */
const VOLATILE = /\bnextval\(|\bclock_timestamp\(\)|\brandom\(\)|\bgen_random_uuid\(\)/i
/** An insert of values, up to the first one. */
const VALUES = /\binsert into "?\w+"?\."?\w+"?(?: as \w+)?\s*\([^()]*\)\s*values \(/gi
const QUERY = /\(select\b/i
/** An insert of rows that are selected, up to its select list. */
const INSERT_SELECT = /\binsert into "org_\d+"\."?\w+"?(?: as \w+)?\s*\([^()]*\)\s*select\b/gi
const UPDATE = /\bupdate "org_\d+"\."?\w+"?/gi
const CASE = /\bcase\b(?:.|\n)*?\bend\b/gi
const TABLE_IN_BLOCK = /^\s*do\b(?:.|\n)*\bcreate (?:unlogged )?table\b/i
const TABLE_OF_ROWS = /^\s*create (?:unlogged )?table [^()]+ as\b(?!(?:.|\n)*\bwith no data\s*$)/i
const NEXT_NUMBER = /^\s*alter table\b(?:.|\n)*\bnextval\(/i
/** The one command beside which such a default may be. */
const SET_DEFAULT = /^\s*alter table "org_\d+"\."?\w+"? alter column "?\w+"? set default\b/i
/** Texts within a command: what is in them is none of its own. */
const TEXTS = /\$(\w*)\$(?:.|\n)*?\$\1\$|'(?:[^']|'')*'/g
const SEVERAL = /;\s*\S/
/** The system columns of a table. Rows of a view have a column of that name. */
const OF_ROW = /^(?!(?:.|\n)* as xmin\b)(?:.|\n)*\b(?:xmin|ctid|tableoid)\b/i
/** A condition that is the same for all rows, by which Citus leaves out a table. */
const NEVER = /\b(?:where|and|on)\s+\(*false\b(?! or\b)/i
const CHANGES_SCHEMA = /\b(?:create|alter|drop) (?:unlogged |unique )?(?:table|index)\b/i

/** The parts of a statement that begin with a pattern and end with the parenthesis which they are in. */
function* findParts(text: string, start: RegExp): Generator<string> {
  for (const { 0: found, index } of text.matchAll(start)) {
    const begin = index + found.length
    let end = begin
    for (let depth = 0; end < text.length && depth >= 0; end++) {
      if (text[end] === '(') depth++
      if (text[end] === ')') depth--
    }
    yield text.slice(begin, end)
  }
}

/** Without a cluster, and only there, a statement writes records and what events tell of them. (docs/adr/0044-events.md) */
const WITH_EVENTS = /\binsert into objectry\.event\b/

/** The coordinator reads what waits in an org, and then changes a row of its own. */
const ARCHIVE = /^update objectry\.metadata_job set "archive" =\s+\(select string_agg\(piece, /

/** Says why a cluster refuses a command that writes; undefined if it carries it out. */
function refusedWrite(text: string): string | undefined {
  if (WITH_EVENTS.test(text) || ARCHIVE.test(text)) return undefined
  if (OF_PLATFORM.test(text)) return 'a write names tables of the platform and of an org'
  if (findParts(text, VALUES).some((part) => QUERY.test(part))) return 'a value is a query'
  if (findParts(text, RETURNING).some((part) => STABLE.test(part))) return 'RETURNING depends on the session'
  if (findParts(text, UPDATE).some((part) => VOLATILE.test(part))) return 'an update differs by row'
  const cases = findParts(text, UPDATE).flatMap((part) => part.match(CASE) ?? [])
  if (cases.some((part) => STABLE.test(part))) return 'a case of an update depends on the session'
  // With something volatile Citus fetches the rows, and inserts them afterwards.
  const dependsOnSession = (part: string) => READS_ORG.test(part) && STABLE.test(part) && !VOLATILE.test(part)
  if (findParts(text, INSERT_SELECT).some(dependsOnSession))
    return 'an insert that selects from a table depends on the session'
  return undefined
}

/** The same for any command. */
export function refusedByCluster(text: string): string | undefined {
  if (!OF_ORG.test(text)) return undefined
  const own = text.replaceAll(TEXTS, '')
  if (SEVERAL.test(own) && CHANGES_SCHEMA.test(own)) return 'it is several commands, which change the schema'
  if (TABLE_IN_BLOCK.test(text)) return 'a table that is made within a block is on no node'
  if (TABLE_OF_ROWS.test(text)) return 'rows with which a table is made stay on the coordinator too'
  if (NEXT_NUMBER.test(text) && !SET_DEFAULT.test(text))
    return 'a default takes numbers, beside something else'
  if (NO_COLUMNS.test(text)) return 'rows of the platform that are sent to the node of an org need a column'
  if (OF_ROW.test(own) && NEVER.test(own))
    return 'a table in which there can be no row has no versions of rows'
  return WRITE.test(text) ? refusedWrite(text) : undefined
}

const known = new Set<string>()

function check({ text }: Pick<Sql, 'text'>): void {
  if (known.has(text)) return
  const reason = refusedByCluster(text)
  if (reason !== undefined) throw new Error(`A cluster refuses a statement, because ${reason}: ${text}`)
  known.add(text)
}

type AnyWork = CoalescedWork<unknown, unknown>

const checkedWork = oncePer<AnyWork, AnyWork>((work) => ({
  ...work,
  run: (db, items) => work.run(checkedDb(db), items),
}))

function checkedDb(db: Db): Db {
  const checked: Db = {
    ...db,
    async query(statement) {
      check(statement)
      return db.query(statement)
    },
    async rows(statement) {
      check(statement)
      return db.rows(statement)
    },
    async script(statements) {
      statements.forEach(check)
      // Outside a transaction they are sent as one text.
      if (!db.isTransaction) check({ text: statements.map(({ text }) => text).join(';') })
      return db.script(statements)
    },
    transaction: (work) => db.transaction((tx) => work(checkedDb(tx))),
    attempt: (work) => db.attempt((inside) => work(inside === db ? checked : checkedDb(inside))),
    coalesce: (work, item) => db.coalesce(checkedWork(work as AnyWork) as typeof work, item),
    async beforeCommit(statement) {
      check(statement)
      return db.beforeCommit(statement)
    },
  }
  return checked
}

/** An engine that refuses what a cluster refuses. */
export const checkedEngine = (engine: Engine): Engine => ({
  ...engine,
  db: checkedDb(engine.db),
  watched: (watch) => checkedDb(engine.watched(watch)),
  reserved: (watch) => checkedDb(engine.reserved(watch)),
})
