import { oncePer } from '../../src/base/get-or-insert.ts'
import type { Sql } from '../../src/base/sql.ts'
import type { CoalescedWork } from '../../src/storage/database/coalescer.ts'
import type { Db, Engine } from '../../src/storage/database/db.ts'

/*
 * Statements that a Citus cluster refuses, found without one: every statement that a test sends is looked at.
 * (docs/adr/0049-clusters.md)
 */

const WRITE = /\b(?:insert into|update|delete from|merge into)\s/i
const OF_ORG = /"org_\d+"\./
/** A table of the platform; its functions are on every node. */
const OF_PLATFORM = /\bobjectry\.\w+(?!\w*\()/
const RETURNING = /\breturning\b/gi
/** What depends on the session: PostgreSQL calls it stable. */
const STABLE =
  /\bnow\(\)|\b(?:transaction|statement|clock)_timestamp\(\)|\bto_json\(|::timestamptz\b|- interval\b|\+ interval\b/i
const TABLE_IN_BLOCK = /^\s*do\b(?:.|\n)*\bcreate (?:unlogged )?table\b/i

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

const VALUES = /\bvalues \(/gi
const QUERY = /\(select\b/i

/** Says why a cluster refuses a statement; undefined if it carries it out. */
function refusedByCluster(text: string): string | undefined {
  if (!OF_ORG.test(text)) return undefined
  if (TABLE_IN_BLOCK.test(text)) return 'a table that is made within a block is on no node'
  if (!WRITE.test(text)) return undefined
  if (WITH_EVENTS.test(text) || ARCHIVE.test(text)) return undefined
  if (OF_PLATFORM.test(text)) return 'a write names tables of the platform and of an org'
  if (findParts(text, VALUES).some((part) => QUERY.test(part))) return 'a value is a query'
  if (findParts(text, RETURNING).some((part) => STABLE.test(part))) return 'RETURNING depends on the session'
  return undefined
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
