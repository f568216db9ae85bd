import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { upgradeOrg } from '../../src/orgs/upgrade-org.ts'
import { stepSql } from '../../src/orgs/upgrades/step-store.sql.ts'
import { fetchRecords } from '../support/ask.ts'
import { createUser } from '../support/create-user.ts'
import { fetchPlan } from '../support/deploying.ts'
import { stepsLeft } from '../support/finish-upgrades.ts'
import { makeOld } from '../support/make-old.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { saveSnapshot } from '../support/snapshots.ts'

test('A table that was made before deletions were remembered gets the column when a server starts', async () => {
  const o = await openOrg()
  const table = sql.id(o.org.schemaName, 'account')
  await o.db.script([sql`alter table ${table} drop column "_deletion"`])
  await makeOld(o)
  await upgradeOrg(o.db, o.org)
  const id = await o.create('Account', { Name: 'Gone' })
  assert.equal((await o.call('DELETE', `/sobjects/Account/${id}`)).status, 204)
  const [row] = await o.db.query<{ deletion: string }>(
    sql`select "_deletion" as deletion from ${table} where id = ${id}`,
  )
  assert.match(row!.deletion, /^[0-9a-f-]{36}$/)
})

test('An org from before there were snapshots gets them', async () => {
  const o = await openOrg()
  await o.db.script([sql`drop table ${sql.id(o.org.schemaName, '_snapshot')}`])
  await makeOld(o)
  await upgradeOrg(o.db, o.org)
  await saveSnapshot(o, 'a')
})

test('An org whose references were held by foreign keys is rid of them, and of the step that checked them', async () => {
  const o = await openOrg()
  const schema = o.org.schemaName
  const keys = sql`select conname from pg_constraint c join pg_namespace n on n.oid = c.connamespace
                   where n.nspname = ${schema} and conname !~ '^_' and contype = 'f'`
  assert.deepEqual(await o.db.query(keys), [])
  const refer = (column: string, target: string) =>
    sql`alter table ${sql.id(schema, 'contact')} add foreign key (${sql.id(column)}) references ${sql.id(schema, target)} (id)`
  await o.db.script([
    refer('accountid', 'account'),
    sql`${refer('reportstoid', 'contact')} deferrable`,
    sql`${refer('ownerid', 'user')} not valid`,
  ])
  await o.db.query(stepSql.ask(o.org, 'keys', ''))
  assert.equal((await o.db.query(keys)).length, 3)
  await makeOld(o)
  await upgradeOrg(o.db, o.org)
  assert.deepEqual(await o.db.query(keys), [])
  assert.ok(!(await stepsLeft(o)).includes('keys'))
})

test('An org from before there were views gets them, and its profiles the license', async () => {
  const o = await openOrg()
  const named = (name: string) => sql.id(o.org.schemaName, name)
  await o.db.script([
    sql`drop view ${named('userlicense')}, ${named('cronjobdetail')}`,
    sql`delete from ${named('_object')} where name in ('UserLicense', 'CronJobDetail')`,
    sql`update ${named('_object')} set definition = jsonb_set(definition, '{fields}', (
          select jsonb_agg(field) from jsonb_array_elements(definition -> 'fields') field
          where field ->> 'name' <> 'UserLicenseId')) where name = 'Profile'`,
    sql`alter table ${named('profile')} drop column userlicenseid`,
    // As if a version had made the view another way.
    sql`update ${named('_object')} set definition = jsonb_set(definition, '{view,from}', '"x"') where name = 'CaseStatus'`,
  ])
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
  // Nothing is left to a deployment.
  const plan = await fetchPlan(o, {})
  assert.deepEqual(
    plan.filter((step) => step.includes('CaseStatus')),
    [],
  )
})

test('An org from before permission sets had types gets those of its profiles', async () => {
  const o = await openOrg()
  const named = (name: string) => sql.id(o.org.schemaName, name)
  await o.create('PermissionSet', { Name: 'Own', Label: 'Own' })
  await o.db.script([
    sql`update ${named('_object')} set definition = jsonb_set(definition, '{fields}', (
          select jsonb_agg(field) from jsonb_array_elements(definition -> 'fields') field
          where field ->> 'name' not in ('Type', 'IsCustom'))) where name = 'PermissionSet'`,
    sql`alter table ${named('permissionset')} drop column type, drop column iscustom`,
  ])
  await makeOld(o)
  await upgradeOrg(o.db, o.org)
  const sets = await fetchRecords(o, 'SELECT Type, IsCustom FROM PermissionSet WHERE IsOwnedByProfile = true')
  assert.ok(sets.length > 0)
  for (const set of sets) assert.deepEqual(set, { Type: 'Profile', IsCustom: false })
  assert.deepEqual(await fetchRecords(o, "SELECT Type, IsCustom FROM PermissionSet WHERE Name = 'Own'"), [
    { Type: 'Regular', IsCustom: true },
  ])
})

test('An org that is up to date is left alone', async () => {
  const o = await openOrg()
  await o.db.script([sql`drop table ${sql.id(o.org.schemaName, '_snapshot')}`])
  await upgradeOrg(o.db, o.org)
  assert.equal((await o.call('GET', '/setup/orgs/current/snapshots')).status, 500)
})

test('An org that was made before there were imports gets their journal when a server starts', async () => {
  const o = await openOrg()
  await o.db.script([sql`drop table ${sql.id(o.org.schemaName, '_import_batch')}`])
  for (const _ of ['once', 'and again']) {
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
  }
  const body = { operation: 'insert', object: 'Account', records: [{ Name: 'Imported' }] }
  const answer = await o.call('PUT', '/setup/orgs/current/imports/upgrade/batches/1', { body })
  assert.equal(answer.status, 200)
})

test('An org from before there were permissions keeps what its users could do', async () => {
  const o = await openOrg()
  const clerk = await addPerson(o, 'clerk')
  const account = await o.create('Account', { Name: 'Acme' })
  const table = (name: string) => sql.id(o.org.schemaName, name)
  await o.db.script([
    sql`delete from ${table('objectpermissions')}`,
    sql`delete from ${table('permissionset')}`,
    sql`update ${table('profile')} set permissionsapienabled = false, permissionscustomizeapplication = false`,
    sql`drop table ${table('_access_version')}`,
  ])
  await makeOld(o)
  await upgradeOrg(o.db, o.org)
  const runtime = o.services.runtimes.of(o.org)
  runtime.snapshots.expire()
  assert.equal((await clerk.call('GET', `/sobjects/Account/${account}`)).status, 200)
  assert.equal((await clerk.call('GET', '/setup/orgs/current')).status, 403)
  assert.equal((await o.call('GET', '/setup/orgs/current')).status, 200)
  const sets = await o.call(
    'GET',
    '/query?q=SELECT+Profile.Name+FROM+PermissionSet+WHERE+IsOwnedByProfile=true',
  )
  const names = sets.body.records.map((one: { Profile: { Name: string } }) => one.Profile.Name)
  assert.ok(names.includes('Profile of clerk') && names.includes('System Administrator'))
})

/** As an org was before there was a guest. */
async function removeGuest({ db, org }: TestOrg): Promise<void> {
  const table = (name: string) => sql.id(org.schemaName, name)
  const ofGuest = sql`profileid in (select id from ${table('profile')} where usertype = 'Guest')`
  await db.script([
    sql`delete from ${table('user')} where usertype = 'Guest'`,
    sql`delete from ${table('permissionset')} where ${ofGuest}`,
    sql`delete from ${table('profile')} where usertype = 'Guest'`,
  ])
}

const GUESTS =
  "SELECT Username, ProfileId, Profile.Name, TimeZoneSidKey, CreatedById FROM User WHERE UserType = 'Guest'"

test('An org from before there was a guest gets one, with the time zone of the org, and not another one', async () => {
  const o = await openOrg()
  const made = (await fetchRecords(o, GUESTS)) as [{ ProfileId: string }]
  await removeGuest(o)
  await o.call('PATCH', `/sobjects/Organization/${o.org.id}`, { body: { TimeZoneSidKey: 'Europe/Berlin' } })
  for (const _ of ['once', 'and again']) {
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
  }
  const guests = (await fetchRecords(o, GUESTS)) as [{ ProfileId: string }]
  const { ProfileId } = guests[0]
  const wanted = { ...made[0], ProfileId, TimeZoneSidKey: 'Europe/Berlin', CreatedById: o.userId }
  assert.deepEqual(guests, [wanted])
  const profiles = await fetchRecords(o, "SELECT Id, Name FROM Profile WHERE UserType = 'Guest'")
  assert.deepEqual(profiles, [{ Id: ProfileId, Name: 'Guest' }])
  const sets = await fetchRecords(o, `SELECT Label FROM PermissionSet WHERE ProfileId = '${ProfileId}'`)
  assert.deepEqual(sets, [{ Label: 'Guest' }])
  assert.equal((await o.services.runtimes.of(o.org).callers.guest())?.user.profileId, ProfileId)
})

test('An org whose guest is not active keeps it as it is', async () => {
  const o = await openOrg()
  const before = await fetchRecords(o, GUESTS)
  await o.call('POST', `/setup/orgs/current/users/${before[0]!.Username}/deactivate`)
  await makeOld(o)
  await upgradeOrg(o.db, o.org)
  assert.deepEqual(await fetchRecords(o, GUESTS), before)
  assert.equal(await o.services.runtimes.of(o.org).callers.guest(), undefined)
})

test("An org that has given the guest's names away gets one of other names", async () => {
  const o = await openOrg()
  const [{ Username }] = (await fetchRecords(o, GUESTS)) as [{ Username: string }]
  await removeGuest(o)
  await o.create('Profile', { Name: 'guest' })
  await createUser(o, 'person', { Username: Username.toUpperCase() })
  for (const _ of ['once', 'and again']) {
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
  }
  const guests = await fetchRecords(o, `SELECT Profile.Name FROM User WHERE UserType = 'Guest'`)
  assert.deepEqual(guests, [{ Profile: { Name: 'Site Guest' } }])
})
