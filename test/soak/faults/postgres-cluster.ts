import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, globSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Fault } from './fault.ts'

const run = promisify(execFile)

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres']

/** Few enough to be taken by one client. */
const MAX_CONNECTIONS = 40

/** Returns the folder with the programs of a PostgreSQL server, or undefined if this machine has none. */
export function findPostgres(): string | undefined {
  let configured: string[] = []
  try {
    configured = [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim()]
  } catch {
    // Not installed.
  }
  const folders = [
    ...configured,
    ...(process.env.PATH ?? '').split(delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
  ]
  return folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))))
}

/** PostgreSQL does not run as root. Only root may become somebody else, and need not otherwise. */
function findOwner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const ask = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: ask('-u'), gid: ask('-g') }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** A PostgreSQL server of one's own, which may be restarted and made to fail. */
export class PostgresCluster {
  readonly #programs: string
  readonly #owner = findOwner()
  readonly #data: string
  readonly #port: number

  private constructor(programs: string, data: string, port: number) {
    this.#programs = programs
    this.#data = data
    this.#port = port
  }

  /**
   * @param dataFolder becomes the data folder
   * @param logFolder for the write-ahead log, which a full disk of the data must not stop, and for the server's own words
   */
  static async start(programs: string, dataFolder: string, logFolder: string): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(programs, join(dataFolder, 'data'), await findFreePort())
    for (const folder of [dataFolder, logFolder]) {
      mkdirSync(folder, { recursive: true })
      if (cluster.#owner !== undefined) chownSync(folder, cluster.#owner.uid, cluster.#owner.gid)
    }
    const folders = ['-D', cluster.#data, `--waldir=${join(logFolder, 'wal')}`]
    const rest = ['-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
    await cluster.#run('initdb', [...folders, ...rest])
    const settings = {
      port: String(cluster.#port),
      listen_addresses: "'127.0.0.1'",
      unix_socket_directories: "''",
      max_connections: String(MAX_CONNECTIONS),
      // Processes are killed here, not machines.
      fsync: 'off',
      logging_collector: 'on',
      log_directory: `'${logFolder}'`,
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
    appendFileSync(join(cluster.#data, 'postgresql.conf'), lines.join(''))
    await cluster.#run('pg_ctl', ['start', '-w', '-D', cluster.#data])
    return cluster
  }

  /** @param user default the one who may do everything */
  url(database = 'postgres', user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.#port}/${database}`
  }

  restart(mode: 'immediate' | 'fast'): Fault {
    return {
      name: `restart-${mode}`,
      isMomentary: true,
      begin: () => this.#run('pg_ctl', ['restart', '-w', '-m', mode, '-D', this.#data]),
      end: async () => {},
    }
  }

  /** For a server that may have ended by itself. */
  async startIfStopped(): Promise<void> {
    const isRunning = await this.#run('pg_ctl', ['status', '-D', this.#data]).then(
      () => true,
      () => false,
    )
    if (!isRunning) await this.#run('pg_ctl', ['start', '-w', '-D', this.#data])
  }

  stop(): Promise<void> {
    return this.#run('pg_ctl', ['stop', '-w', '-m', 'immediate', '-D', this.#data])
  }

  /** Nobody reads what it says: a server that it starts would keep the pipes open. */
  async #run(program: string, args: readonly string[]): Promise<void> {
    await run('sh', ['-c', 'exec "$@" > /dev/null 2>&1', program, join(this.#programs, program), ...args], {
      cwd: '/',
      ...this.#owner,
    })
  }
}
