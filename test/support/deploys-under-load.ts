import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DefinitionFiles } from '../../src/deployment/definitions/object-file.ts'
import { readDefinitions } from '../../src/deployment/definitions/read-definitions.ts'
import { saveDefinitions } from '../../src/deployment/definitions/save-definitions.ts'
import { provisionOrg } from '../../src/deployment/orgs/provision-org.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import type { Db } from '../../src/storage/database/db.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { boxRows } from './box-rows.sql.ts'
import { loadCatalog } from './catalog.sql.ts'
import { spawnCommand } from './command-process.ts'

const ROWS = 20_000
/** A deployment is killed at some moment of this time, in milliseconds: its start, its examination, its statements. */
const EARLIEST = 300
const LATEST = 1500

const files = (fields: object, more: object = {}): DefinitionFiles => ({
  objects: { Box__c: { fields: fields as never, ...more } },
  valueSets: {},
})

/** Two schemas between which every value survives both ways. */
const SCHEMAS = [
  files({ Size__c: { type: 'int' }, Note__c: { type: 'string', length: 80 } }),
  files(
    {
      Size__c: { type: 'string', length: 20, externalId: true },
      Note__c: { type: 'longtextarea' },
      Extra__c: { type: 'string', required: true, default: 'x' },
      Account__c: { type: 'reference', to: 'Account' },
    },
    { indexes: [['Extra__c', 'Size__c']] },
  ),
] as const

export interface Verdict {
  /** True if the deployment was killed before it was over. */
  readonly killed: boolean
  /** The schema that the org has; undefined if it has none of the two as a whole. */
  readonly schema: 0 | 1 | undefined
  readonly rowsKept: boolean
}

/** Returns the catalog of an org that has one of the schemas from the start. */
async function referenceCatalog(db: Db, schema: DefinitionFiles): Promise<string> {
  const { org } = await provisionOrg(db, 'Reference', { username: 'a@b.test' }, new Date())
  await deploySchema(db, org, { objects: readDefinitions(schema).objects, mode: 'replace' })
  return (await loadCatalog({ db, org })).join('\n')
}

async function prepare(db: Db): Promise<Org> {
  await migrate(db)
  const { org, userId } = await provisionOrg(db, 'Fire', { username: 'a@b.test' }, new Date())
  await deploySchema(db, org, { objects: readDefinitions(SCHEMAS[0]).objects, mode: 'replace' })
  await db.query(boxRows.insert(org, userId, ROWS))
  return org
}

/** Deploys one schema after the other with the command, kills it, and looks at what is there. */
export async function* killDuringDeploys(databaseUrl: string, rounds: number): AsyncGenerator<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-deploys-'))
  for (const [at, schema] of SCHEMAS.entries()) saveDefinitions(join(folder, String(at)), schema)
  const { db, close } = await openEngine({ databaseUrl, poolSize: 2, data: 'memory' })
  try {
    const org = await prepare(db)
    const catalogs = [await referenceCatalog(db, SCHEMAS[0]), await referenceCatalog(db, SCHEMAS[1])]
    let current = 0
    for (let round = 0; round < rounds; round++) {
      const variables = { DATABASE_URL: databaseUrl, OBJECTRY_DEPLOYMENT: join(folder, String(1 - current)) }
      const child = spawnCommand(['deploy', '--allow-destructive'], variables)
      const ended = once(child, 'close')
      const killed = await Promise.race([
        ended.then(() => false),
        sleep(EARLIEST + Math.random() * (LATEST - EARLIEST)).then(() => child.kill('SIGKILL')),
      ])
      await ended
      await boxRows.untilNobodyDeploys(db)
      const found = catalogs.indexOf((await loadCatalog({ db, org })).join('\n'))
      const [sum] = await db.query<{ rows: number; total: number }>(boxRows.sum(org))
      const rowsKept = sum!.rows === ROWS && sum!.total === (ROWS * (ROWS + 1)) / 2
      if (found >= 0) current = found
      yield { killed, schema: found < 0 ? undefined : (found as 0 | 1), rowsKept }
    }
  } finally {
    await close()
    rmSync(folder, { recursive: true })
  }
}
