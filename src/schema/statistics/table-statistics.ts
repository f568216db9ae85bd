import type { Observe } from '../../base/observation.ts'
import type { Db, Engine, Maintenance } from '../../storage/database/db.ts'
import { loadSnapshot } from '../snapshot/load-snapshot.ts'
import { type DueTable, statisticsSql } from './statistics.sql.ts'

/** How often the tables are looked at, in milliseconds. */
const CHECK_MS = 30_000

/** Time limit of a statement, in milliseconds. PostgreSQL reads a sample of a table, however large that is. */
const MAX_STATEMENT_MS = 60_000

interface Options {
  /** For the look at the tables. */
  readonly db: Db
  readonly openMaintenance: Engine['openMaintenance']
  readonly observe: Observe
}

interface FoundTable extends DueTable {
  /** False: it only has no statistics of expressions. */
  readonly hasChanged: boolean
}

/**
 * Keeps the planner's statistics of the orgs' tables true after imports, restored snapshots and any other load. Texts are compared
 * in upper case, and PostgreSQL knows nothing of the values of an expression without an index, so a table that has grown gets
 * statistics of these expressions. The database counts the changes, so writes do nothing for it. Of the servers that share a
 * database one does the work at a time.
 */
export class TableStatistics {
  readonly #options: Options
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  #maintenance: Maintenance | undefined
  #isStopped = false
  /** Large tables that need no statistics of expressions, or got them, by schema. */
  readonly #seen = new Set<string>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Starts the periodic checks. */
  begin(): void {
    this.#timer = setInterval(() => {
      this.#checking ??= this.check()
        .catch(({ message }: Error) => {
          if (!this.#isStopped)
            this.#options.observe({ kind: 'notice', message: `Statistics failed: ${message}` })
        })
        .finally(() => {
          this.#checking = undefined
        })
    }, CHECK_MS).unref()
  }

  /** Cancels a running statement; PostgreSQL keeps the statistics that it had. */
  async close(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#maintenance?.cancel().catch(() => {})
    await this.#checking
  }

  /** Analyzes the tables that need it, unless another server does work of that kind. */
  async check(): Promise<void> {
    const found = await this.#options.db.query<FoundTable>(statisticsSql.due)
    const due = found.filter((table) => table.hasChanged || !this.#seen.has(nameOf(table)))
    if (due.length === 0 || this.#isStopped) return
    this.#maintenance = await this.#options.openMaintenance()
    try {
      if (await this.#maintenance.tryLock()) await this.#analyze(this.#maintenance, due)
    } finally {
      await this.#maintenance.close()
      this.#maintenance = undefined
    }
  }

  async #analyze({ db, isConcurrent }: Maintenance, due: readonly DueTable[]): Promise<void> {
    // The embedded engine has one connection, whose settings are not this one's.
    if (isConcurrent) await db.script([statisticsSql.limit(MAX_STATEMENT_MS)])
    for (const table of due) {
      if (this.#isStopped) return
      const { objects } = await loadSnapshot(db, table)
      const object = objects.find((one) => one.table === table.table)
      const missing = object === undefined ? [] : statisticsSql.create(table, object)
      if (missing.length > 0) await db.script(missing)
      await db.script([statisticsSql.analyze(table, table.table)])
      this.#seen.add(nameOf(table))
    }
  }
}

const nameOf = ({ schemaName, table }: DueTable) => `${schemaName}.${table}`
