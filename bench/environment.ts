import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabase } from './database.ts'
import type { Dataset } from './dataset.ts'
import type { Side } from './load.ts'
import { DatabaseCpu } from './processor-time.ts'
import { type BenchServer, ROOT, startOurs, startServer } from './server.ts'

export const say = (text: string) => process.stderr.write(`${text}\n`)

/** How much data the servers have, and on which engine. */
export interface Scale {
  readonly engine: 'postgres' | 'pglite'
  readonly accounts: number
  readonly contacts: number
}

/** Tasks for the end of the bench, last first. */
export class Cleanup {
  readonly #tasks: (() => unknown)[] = []

  add(task: () => unknown): void {
    this.#tasks.push(task)
  }

  async run(): Promise<void> {
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
      await Promise.resolve(task()).catch((error) => say(`could not clean up: ${error}`))
    }
  }
}

/** Settings of all servers: nothing of a bench stays in the folder that it runs in. */
export const SETTINGS = { OBJECTRY_SECRET_KEY: Buffer.alloc(32, 'key').toString('base64') }

/** Where a side keeps its data. */
export type Place = { readonly url: string } | { readonly folder: string }

export async function makePlace({ engine }: Scale, purpose: string, cleanup: Cleanup): Promise<Place> {
  if (engine === 'postgres') {
    const { url, drop } = await makeDatabase(purpose)
    cleanup.add(drop)
    return { url }
  }
  return { folder: makeFolder(cleanup) }
}

export function makeFolder(cleanup: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-bench-'))
  cleanup.add(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The settings by which Objectry finds its data. */
export const placeSettings = (place: Place): Record<string, string> =>
  'url' in place
    ? { ...SETTINGS, DATABASE_URL: place.url, OBJECTRY_DATA: 'memory' }
    : { ...SETTINGS, OBJECTRY_DATA: place.folder }

/** Fills the database by the code of a checkout. */
export async function seed(checkout: string, place: Place, { accounts, contacts }: Scale): Promise<Dataset> {
  const where = 'url' in place ? { SEED_DATABASE_URL: place.url } : { SEED_DATA: place.folder }
  const child = fork(join(ROOT, 'bench/seed.ts'), [checkout, String(accounts), String(contacts)], {
    cwd: checkout,
    env: { ...process.env, ...where },
  })
  const stop = () => child.kill('SIGKILL')
  process.on('exit', stop)
  let data: Dataset | undefined
  child.on('message', (message) => {
    data = message as Dataset
  })
  const [code] = await once(child, 'exit')
  process.off('exit', stop)
  if (data === undefined) throw new Error(`the database was not filled: exit code ${code}`)
  return data
}

export async function makeSide(
  name: Side['name'],
  place: Place,
  server: BenchServer,
  { ids, headers }: Pick<Side, 'ids' | 'headers'>,
  cleanup: Cleanup,
): Promise<Side> {
  cleanup.add(() => server.stop())
  const databaseCpu = 'url' in place ? await DatabaseCpu.watch(place.url) : undefined
  if (databaseCpu !== undefined) cleanup.add(() => databaseCpu.end())
  return { name, server, databaseCpu, ids, headers }
}

/** Objectry of a checkout on data of its own. */
export async function prepareObjectry(
  name: 'ours' | 'other' | 'large_ours',
  checkout: string,
  scale: Scale,
  cleanup: Cleanup,
): Promise<{ side: Side; place: Place }> {
  say(`Filling ${scale.accounts} accounts and ${scale.contacts} contacts (${name})`)
  const place = await makePlace(scale, name, cleanup)
  const { ids, token } = await seed(checkout, place, scale)
  const client = { ids, headers: { authorization: `Bearer ${token}` } }
  const server = await startOurs(placeSettings(place), checkout)
  return { side: await makeSide(name, place, server, client, cleanup), place }
}

/** The baseline on the same records in tables of its own. */
export async function prepareBaseline(
  name: 'baseline' | 'large_baseline',
  client: Pick<Side, 'ids' | 'headers'>,
  scale: Scale,
  cleanup: Cleanup,
): Promise<Side> {
  say(`Filling ${scale.accounts} accounts and ${scale.contacts} contacts (${name})`)
  const place = await makePlace(scale, name, cleanup)
  const server = await startServer('bench/baseline.ts', [], {
    ...('url' in place ? { BASELINE_DATABASE_URL: place.url } : { BASELINE_DATA: place.folder }),
    BASELINE_ACCOUNTS: String(scale.accounts),
    BASELINE_CONTACTS: String(scale.contacts),
  })
  return makeSide(name, place, server, client, cleanup)
}
