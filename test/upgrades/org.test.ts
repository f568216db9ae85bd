import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { upgradeOrg } from '../../src/orgs/upgrade-org.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchPlan } from '../support/deploying.ts'
import { makeOld } from '../support/make-old.ts'
import { openOrg } from '../support/org.ts'

test('An org whose views were in its database gets those of this version, and loses the old ones but none of others', async () => {
  const o = await openOrg()
  const named = (name: string) => sql.id(o.org.schemaName, name)
  const old = [
    sql`create view ${named('asyncapexjob')} as select id from ${named('backgroundjob')}`,
    sql`create view ${named('jobs_of_a_report')} as select id from ${named('backgroundjob')}`,
    sql`delete from ${named('_object')} where name in ('UserLicense', 'CronJobDetail')`,
    sql`update ${named('_object')} set definition = jsonb_set(definition, '{fields}', (
          select jsonb_agg(field) from jsonb_array_elements(definition -> 'fields') field
          where field ->> 'name' <> 'UserLicenseId')) where name = 'Profile'`,
    sql`alter table ${named('profile')} drop column userlicenseid`,
    // As if a version had made the view another way.
    sql`update ${named('_object')} set definition = jsonb_set(definition, '{view,from}', '"x"') where name = 'CaseStatus'`,
  ]
  await o.db.transaction((tx) => tx.script(old))
  await makeOld(o)
  await upgradeOrg(o.db, o.org)
  const profiles = await fetchRecords(o, 'SELECT UserLicense.Name FROM Profile')
  assert.deepEqual(
    new Set(profiles.map(({ UserLicense }) => JSON.stringify(UserLicense))),
    new Set(['{"Name":"Svc"}']),
  )
  assert.deepEqual(await fetchRecords(o, 'SELECT Name FROM CronJobDetail'), [])
  assert.deepEqual(await fetchRecords(o, "SELECT IsClosed FROM CaseStatus WHERE ApiName = 'New'"), [
    { IsClosed: false },
  ])
  const left = sql`select viewname from pg_views where schemaname = ${o.org.schemaName}`
  assert.deepEqual(await o.db.query(left), [{ viewname: 'jobs_of_a_report' }])
  // Nothing is left to a deployment.
  const plan = await fetchPlan(o, {})
  assert.deepEqual(
    plan.filter((step) => step.includes('CaseStatus')),
    [],
  )
})

test('An org that is up to date is left alone', async () => {
  const o = await openOrg()
  const removed = sql`delete from ${sql.id(o.org.schemaName, '_object')} where name = 'CronJobDetail' returning name`
  assert.equal((await o.db.query(removed)).length, 1)
  await upgradeOrg(o.db, o.org)
  assert.deepEqual(await o.db.query(removed), [])
})
