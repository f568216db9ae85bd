import { readFileSync } from 'node:fs'
import pg from 'pg'
import { adminUrl } from './database.ts'

/** Ticks of the clock by which Linux counts processor time, in milliseconds. */
const TICK_MS = 10

/** Processor time that a process and its threads have used so far, in milliseconds (Linux only). */
export function readCpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** How often the backends are looked at, so that little is lost of one that ends. */
const POLL_MS = 500

/**
 * Processor time of PostgreSQL for one database: of each backend that a client has. Shared processes (checkpointer, WAL
 * writer, autovacuum) are left out, because they serve all databases. PostgreSQL has to run on this machine.
 */
export class DatabaseCpu {
  readonly #client = new pg.Client({ connectionString: adminUrl })
  readonly #times = new Map<number, number>()
  readonly #database: string
  #timer: NodeJS.Timeout | undefined

  private constructor(database: string) {
    this.#database = database
  }

  static async watch(url: string): Promise<DatabaseCpu> {
    const watched = new DatabaseCpu(new URL(url).pathname.slice(1))
    await watched.#client.connect()
    watched.#timer = setInterval(() => watched.read().catch(() => {}), POLL_MS)
    return watched
  }

  /** Milliseconds so far, those of backends that ended included. */
  async read(): Promise<number> {
    const { rows } = await this.#client.query<{ pid: number }>({
      name: 'backends',
      text: `select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      values: [this.#database],
    })
    for (const { pid } of rows) {
      try {
        this.#times.set(pid, readCpuTime(pid))
      } catch (error) {
        // It ended between the two looks.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
    return this.#times.values().reduce((sum, time) => sum + time, 0)
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#client.end()
  }
}
