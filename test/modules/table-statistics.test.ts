import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../src/base/sql.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import type { FieldDefinition } from '../../src/schema/fields/field-definition.ts'
import { TableStatistics } from '../../src/schema/statistics/table-statistics.ts'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { sharedEngine } from '../support/engine.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const RECORDS = 5000
/** Of each hundred accounts one is in energy, the others are in banking. */
const accounts = makeAccounts(RECORDS).map((row, n) => ({
  ...row,
  industry: n % 100 === 0 ? 'Energy' : 'Banking',
}))

async function makeStatistics(): Promise<TableStatistics> {
  const engine = await sharedEngine()
  return new TableStatistics({
    db: engine.db,
    openMaintenance: () => engine.openMaintenance(),
    observe: () => {},
  })
}

const loadNames = async (o: TestOrg): Promise<string[]> =>
  (
    await o.db.query<{ name: string }>(
      sql`select stxname as name from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace
          where n.nspname = ${o.org.schemaName}`,
    )
  ).map(({ name }) => name)

/** Looks until the statistics are there: the database counts changes some time after it has made them. */
async function checkUntilMade(o: TestOrg): Promise<void> {
  const statistics = await makeStatistics()
  for (let tries = 0; tries < 60; tries++) {
    await statistics.check()
    if ((await loadNames(o)).length > 0) return
    await sleep(500)
  }
  assert.fail('no statistics were made')
}

test('after many records were written the planner knows how often a picklist has a value', async () => {
  const o = await openOrg()
  assert.deepEqual(await loadNames(o), [])
  await writeAccounts(o, accounts)
  await checkUntilMade(o)
  const estimate = async (industry: string) => {
    const query = encodeURIComponent(`SELECT Id FROM Account WHERE Industry = '${industry}' LIMIT 5000`)
    return (await o.call('GET', `/query?explain=${query}`)).body.plans[0].cardinality
  }
  const [rare, frequent] = [await estimate('ENERGY'), await estimate('banking')]
  assert.ok(rare > 10 && rare < 250, `${rare} of energy`)
  assert.ok(frequent > 1900, `${frequent} of banking`)
})

const makeMeasure = (size: FieldDefinition): ObjectDefinition => ({
  name: 'Measure__c',
  label: 'Measure',
  labelPlural: 'Measures',
  keyPrefix: 'a7m',
  fields: [size],
})

test('a field with statistics can become of another type', async () => {
  const o = await openOrg()
  const deploy = (size: FieldDefinition) =>
    deploySchema(o.db, o.org, { objects: [makeMeasure(size)], mode: 'keep', allowDestructive: true })
  await deploy({ name: 'Size__c', label: 'Size', type: 'string', length: 20 })
  const user = sql`${o.userId}::text`
  await o.db.query(
    sql`insert into ${sql.id(o.org.schemaName, 'measure__c')}
          (id, size__c, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid)
        select 'a7m' || lpad(i::text, 15, '0'), (i % 7)::text, now(), ${user}, now(), ${user}, now(), ${user}
        from generate_series(1, 3000) i`,
  )
  await checkUntilMade(o)
  await deploy({ name: 'Size__c', label: 'Size', type: 'double', precision: 10, scale: 0 })
  assert.deepEqual(await loadNames(o), [])
  const answer = await o.call('GET', `/query?q=${encodeURIComponent('SELECT COUNT() FROM Measure__c')}`)
  assert.equal(answer.body.totalSize, 3000)
})
