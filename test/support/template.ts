import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import pg from 'pg'
import { importedFiles } from '../../scripts/imported-files.ts'
import { CACHE_FOLDER } from '../../scripts/test-cache-folder.ts'
import { prepareOrg, provisionOrg } from '../../src/orgs/provision-org.ts'
import type { Db, Engine } from '../../src/storage/database/db.ts'
import { openPglite } from '../../src/storage/embedded/pglite.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { removeOldFiles, trimImage } from '../../src/testkit/image-cache.ts'
import { onCitus, workers, workerUrls } from './citus.ts'
import { checkedEngine } from './cluster-statements.ts'
import { templateOrgSql } from './template-org.sql.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/*
 * A database with orgs that are ready to be taken: made once, copied whenever a test process needs a database. Making an
 * org costs half a second of processor time; taking one costs a few milliseconds.
 */

/** How many orgs a template has. Each makes the copy larger: by 8 MB, and by a hundredth of a second. */
const ORGS = 16

/** Folders of older code are kept this long, in milliseconds. */
const FOLDER_LIFE_MS = 24 * 60 * 60 * 1000

const ROOT = join(import.meta.dirname, '../..')

/** The username of each template org's first user. */
export const ADMIN_USERNAME = 'admin@objectry.test'

/** Changes with the code that a template depends on. */
const templateKey = (() => {
  let key: string | undefined
  return () => {
    if (key !== undefined) return key
    const hash = createHash('sha256').update(process.version)
    hash.update(readFileSync(join(ROOT, 'package-lock.json')))
    for (const file of [...importedFiles(import.meta.filename)].sort()) {
      hash.update(relative(ROOT, file)).update(readFileSync(file))
    }
    key = hash.digest('hex').slice(0, 16)
    return key
  }
})()

/** Makes the orgs, and puts them aside. */
async function addOrgs(db: Db): Promise<void> {
  await db.script(templateOrgSql.createTables)
  for (let count = 0; count < ORGS; count++) {
    const { org, userId } = await provisionOrg(db, 'Test', { username: ADMIN_USERNAME }, new Date())
    if (count === 0) {
      const tables = await db.query<{ name: string }>(templateOrgSql.recordTables(org))
      for (const { name } of tables) await db.query(templateOrgSql.noteIfFilled(org, name))
    }
    await db.query(templateOrgSql.keepAbsent(org))
    await db.query(templateOrgSql.keep(org, userId))
  }
}

/** Data folders of this code: one with orgs, and one for a first start. */
const orgsPath = () => join(CACHE_FOLDER, `orgs-${templateKey()}`)
const emptyPath = () => join(CACHE_FOLDER, `empty-${templateKey()}`)

/** Writes an image to a data folder, which an engine has closed once: it opens faster than the image. */
async function makeFolder(path: string, image: Uint8Array): Promise<void> {
  const draft = `${path}-${process.pid}`
  const engine = await openPglite(join(draft, 'database'), { image })
  await engine.close()
  try {
    renameSync(draft, path)
  } catch (error) {
    // Another run, which began at the same moment, has made it.
    if (!existsSync(path)) throw error
    rmSync(draft, { recursive: true })
  }
}

/** Makes both: the one without orgs has the tables for one, as the image of a release has. */
async function makeFolders(): Promise<boolean> {
  if (existsSync(orgsPath())) return false
  mkdirSync(CACHE_FOLDER, { recursive: true, mode: 0o700 })
  removeOldFiles(CACHE_FOLDER, FOLDER_LIFE_MS)
  const engine = await openPglite(undefined)
  await migrate(engine.db)
  await prepareOrg(engine.db)
  const withoutOrgs = await engine.dumpImage()
  await addOrgs(engine.db)
  const image = trimImage(await engine.dumpImage())
  await engine.close()
  if (!existsSync(emptyPath())) await makeFolder(emptyPath(), withoutOrgs)
  await makeFolder(orgsPath(), image)
  return true
}

/** Makes a data folder as the engine's first start on the image of a release leaves it; without a template, as in a soak, none is made. */
export function copyDataFolder(target: string): void {
  if (existsSync(emptyPath())) cpSync(emptyPath(), target, { recursive: true })
}

const TEMPLATE_DATABASE = 'objectry_template_'

async function administer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The addresses of all servers that have a part of a database. */
const serversOf = (serverUrl: string) => [serverUrl, ...workerUrls(serverUrl)]

/** Does the same on all of them, the coordinator first. */
async function onServers(
  serverUrl: string,
  work: (client: pg.Client, url: string) => Promise<unknown>,
): Promise<void> {
  for (const url of serversOf(serverUrl)) await administer(url, (client) => work(client, url))
}

const makeUrl = (serverUrl: string, database: string) => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** The days since 1970: a template's name ends with the day on which it was made. */
const today = () => Math.floor(Date.now() / 86_400_000)

/** Clusters of one node and of several have templates of their own. */
const templateName = () => `${TEMPLATE_DATABASE}${templateKey()}_${workers.length}`

/** Returns the name of the template database on the server, or undefined if none was made of this code. */
async function findTemplateDatabase(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where starts_with(datname, '${templateName()}_')`,
  )
  return rows[0]?.datname
}

/** Those of older code would fill the server; another checkout may be using one of today. */
async function dropOldTemplates(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where starts_with(datname, '${TEMPLATE_DATABASE}')`,
  )
  for (const { datname } of rows) {
    const day = Number(datname.split('_').at(-1))
    if (!(day >= today() - 1)) await client.query(`drop database if exists ${datname} with (force)`)
  }
}

/** Makes a database of the coordinator a cluster: each org is on one node as a whole. */
async function makeCluster(client: pg.Client): Promise<void> {
  await client.query(`select citus_set_coordinator_host('127.0.0.1', inet_server_port())`)
  for (const worker of workers) {
    const [host, port] = worker.split(':')
    await client.query(`select citus_add_node('${host}', ${port})`)
  }
  if (workers.length > 0) return
  await client.query(
    `select citus_set_node_property('127.0.0.1', inet_server_port(), 'shouldhaveshards', true)`,
  )
}

/** Makes an empty database. */
async function makeDatabase(serverUrl: string, name: string): Promise<void> {
  await onServers(serverUrl, async (client, url) => {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
    if (onCitus) await administer(makeUrl(url, name), (inside) => inside.query('create extension citus'))
  })
  if (onCitus) await administer(makeUrl(serverUrl, name), makeCluster)
}

async function makeTemplateDatabase(serverUrl: string): Promise<boolean> {
  const found = await administer(serverUrl, findTemplateDatabase)
  if (found !== undefined) return false
  const name = `${templateName()}_${today()}`
  const draft = `objectry_draft_${process.pid}`
  await onServers(serverUrl, dropOldTemplates)
  await makeDatabase(serverUrl, draft)
  const engine = await openEngine({ databaseUrl: makeUrl(serverUrl, draft), poolSize: 2, data: 'memory' })
  await migrate(engine.db)
  await addOrgs(engine.db)
  await engine.close()
  // Citus has a process in each database, and one that is in use can be neither renamed nor copied.
  await onServers(serverUrl, async (client) => {
    await client.query(`alter database ${draft} allow_connections false`)
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${draft}'`,
    )
  })
  // The coordinator has it last, because it is looked for there.
  for (const url of serversOf(serverUrl).reverse()) {
    await administer(url, (client) => client.query(`alter database ${draft} rename to ${name}`))
  }
  return true
}

/**
 * Makes the template unless an earlier run of the same code has.
 * @returns whether it was made
 */
export function makeTemplate(serverUrl: string | undefined): Promise<boolean> {
  return serverUrl === undefined ? makeFolders() : makeTemplateDatabase(serverUrl)
}

/** A copy of the template, open. */
export interface TemplateCopy {
  readonly engine: Engine
  /** Its address on PostgreSQL. */
  readonly url: string | undefined
  /** Removes it when its engine is closed. */
  drop(): Promise<void>
}

let copies = 0

export async function openTemplateCopy(serverUrl: string | undefined): Promise<TemplateCopy> {
  await makeTemplate(serverUrl)
  if (serverUrl === undefined) {
    const { folder, remove } = makeTemporaryFolder()
    cpSync(orgsPath(), folder, { recursive: true })
    const engine = await openPglite(join(folder, 'database'))
    return { engine: checkedEngine(engine), url: undefined, drop: async () => remove() }
  }
  const name = `objectry_test_${process.pid}_${copies++}`
  const template = await administer(serverUrl, findTemplateDatabase)
  const drop = () =>
    onServers(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`))
  await drop()
  await onServers(serverUrl, (client) =>
    client.query(`create database ${name} template ${template} allow_connections true`),
  )
  const url = makeUrl(serverUrl, name)
  const engine = await openEngine({ databaseUrl: url, poolSize: 8, data: 'memory' })
  return { engine: checkedEngine(engine), url, drop }
}
