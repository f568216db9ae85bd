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

const makeUrl = (serverUrl: string, database: string) => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** The days since 1970: a template's name ends with the day on which it was made. */
const today = () => Math.floor(Date.now() / 86_400_000)

/** Returns the name of the template database on the server, or undefined if none was made of this code. */
async function findTemplateDatabase(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where starts_with(datname, '${TEMPLATE_DATABASE}${templateKey()}')`,
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

/** True if the server has Citus: each org is a part of the database then, which a node has as a whole. */
const onCitus = process.env.TEST_CITUS_URL !== undefined

/** Makes a database a cluster of one node. */
async function makeCluster(client: pg.Client): Promise<void> {
  await client.query('create extension citus')
  await client.query(`select citus_set_coordinator_host('127.0.0.1', inet_server_port())`)
  await client.query(
    `select citus_set_node_property('127.0.0.1', inet_server_port(), 'shouldhaveshards', true)`,
  )
}

async function makeTemplateDatabase(serverUrl: string): Promise<boolean> {
  return administer(serverUrl, async (client) => {
    if ((await findTemplateDatabase(client)) !== undefined) return false
    await dropOldTemplates(client)
    const name = `${TEMPLATE_DATABASE}${templateKey()}_${today()}`
    const draft = `objectry_draft_${process.pid}`
    await client.query(`drop database if exists ${draft} with (force)`)
    await client.query(`create database ${draft}`)
    if (onCitus) await administer(makeUrl(serverUrl, draft), makeCluster)
    const engine = await openEngine({ databaseUrl: makeUrl(serverUrl, draft), poolSize: 2, data: 'memory' })
    await migrate(engine.db)
    await addOrgs(engine.db)
    await engine.close()
    // Citus has a process in each database, and one that is in use can be neither renamed nor copied.
    await client.query(`alter database ${draft} allow_connections false`)
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${draft}'`,
    )
    await client.query(`alter database ${draft} rename to ${name}`)
    return true
  })
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
  await administer(serverUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(
      `create database ${name} template ${await findTemplateDatabase(client)} allow_connections true`,
    )
  })
  const url = makeUrl(serverUrl, name)
  const engine = await openEngine({ databaseUrl: url, poolSize: 8, data: 'memory' })
  return {
    engine: checkedEngine(engine),
    url,
    drop: () =>
      administer(serverUrl, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`)
      }),
  }
}
