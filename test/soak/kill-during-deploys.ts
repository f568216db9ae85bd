import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import { saveDefinitions } from '../../src/definitions/files/save-definitions.ts'
import type { DefinitionFiles } from '../../src/definitions/formats/object-file.ts'
import { provisionOrg } from '../../src/orgs/provision-org.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import type { Db } from '../../src/storage/database/db.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { boxRows } from '../support/box-rows.sql.ts'
import { loadCatalog } from '../support/catalog.sql.ts'
import { spawnCommand } from '../support/command-process.ts'
import { runKillSoak } from './kills/run-kill-soak.ts'

/*
 * Kills `objectry deploy` with -9 at random moments while it changes types, keys and indexes of an object with 20,000
 * records, and looks whether the org has one of the two schemas as a whole, and every value:
 *
 *   npm run soak -- kill-during-deploys
 *   npm run soak -- kill-during-deploys --rounds 100 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * It makes a database of its own beside that one and drops it at the end. Ends with 1 when something is torn.
 */

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

await runKillSoak({
  numbers: { rounds: 20 },
  needsPostgres: true,
  well: 'all values there',
  async *rounds(variables, { rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'objectry-deploys-'))
    for (const [at, schema] of SCHEMAS.entries()) saveDefinitions(join(folder, String(at)), schema)
    const { db, close } = await openEngine({
      databaseUrl: variables.DATABASE_URL,
      poolSize: 2,
      data: 'memory',
    })
    try {
      const org = await prepare(db)
      const catalogs = [await referenceCatalog(db, SCHEMAS[0]), await referenceCatalog(db, SCHEMAS[1])]
      let current = 0
      for (let round = 0; round < rounds; round++) {
        const deployment = { OBJECTRY_DEPLOYMENT: join(folder, String(1 - current)) }
        const child = spawnCommand(['deploy', '--allow-destructive'], { ...variables, ...deployment })
        const ended = once(child, 'close')
        const isKilled = await Promise.race([
          ended.then(() => false),
          sleep(EARLIEST + Math.random() * (LATEST - EARLIEST)).then(() => child.kill('SIGKILL')),
        ])
        await ended
        await boxRows.untilNobodyDeploys(db)
        const found = catalogs.indexOf((await loadCatalog({ db, org })).join('\n'))
        const [sum] = await db.query<{ rows: number; total: number }>(boxRows.sum(org))
        const wrong: string[] = []
        if (found < 0) wrong.push('neither schema is there as a whole')
        if (sum!.rows !== ROWS || sum!.total !== (ROWS * (ROWS + 1)) / 2) wrong.push('values are lost')
        if (found >= 0) current = found
        yield { summary: `${isKilled ? 'killed' : 'was done'}, schema ${found}`, wrong }
      }
    } finally {
      await close()
      rmSync(folder, { recursive: true })
    }
  },
})
