import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { SYSTEM_PERMISSION_NAMES } from '../../src/access/system-permission.ts'
import { sql } from '../../src/base/sql.ts'
import type { DefinitionFiles } from '../../src/definitions/formats/object-file.ts'
import { OBJECT_RIGHT_NAMES } from '../../src/definitions/formats/permission-rights.ts'
import { fetchRecords } from '../support/ask.ts'
import { createUser } from '../support/create-user.ts'
import { deploy, fetchPlan, fetchRefusals, fetchSteps, withFields } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'
import { runs } from '../support/runs.ts'

/* Permission sets and profiles as definition files, sent to the admin API as JSON. */

type Sets = NonNullable<DefinitionFiles['permissionSets']>
type Profiles = NonNullable<DefinitionFiles['profiles']>

let o: TestOrg

const BOX = { Box__c: withFields({ Size__c: { type: 'int' }, Color__c: { type: 'string' } }) }

const plan = (permissionSets: Sets, profiles: Profiles = {}, more: object = {}) =>
  fetchPlan(o, BOX, { permissionSets, profiles, ...more })

const refusals = (permissionSets: Sets, profiles: Profiles = {}) =>
  fetchRefusals(o, BOX, { permissionSets, profiles })

const fetchSchema = async () => (await o.call('GET', '/setup/orgs/current/schema')).body

const fetchSet = async (name: string) =>
  (
    await fetchRecords(
      o,
      `SELECT Id, Label, Description, IsOwnedByProfile, Type, PermissionsApiEnabled, PermissionsViewAllData FROM PermissionSet WHERE Name = '${name}'`,
    )
  )[0]!

const fetchObjectRights = (setId: unknown) =>
  fetchRecords(
    o,
    `SELECT SobjectType, PermissionsRead, PermissionsEdit, PermissionsDelete FROM ObjectPermissions WHERE ParentId = '${setId}' ORDER BY SobjectType`,
  )

const fetchFieldRights = (setId: unknown) =>
  fetchRecords(
    o,
    `SELECT Field, PermissionsRead, PermissionsEdit FROM FieldPermissions WHERE ParentId = '${setId}' ORDER BY Field`,
  )

const assign = (person: Person, PermissionSetId: unknown) =>
  o.create('PermissionSetAssignment', { PermissionSetId, AssigneeId: person.id })

const BILLING = {
  description: 'For invoices',
  system: ['ViewAllData'],
  objects: { Account: ['edit'], Box__c: ['read'] },
  fields: { 'Account.Industry': 'edit', 'Box__c.Size__c': 'read' },
} satisfies Sets[string]

describe('a deployment of permission sets', () => {
  before(async () => {
    o = await openOrg()
  })

  test('makes those that are not there, with the objects that they are about', async () => {
    assert.deepEqual(await plan({ Billing: BILLING }), [
      '+ Box__c: new object with 3 fields',
      '+ PermissionSet Billing: new, with ViewAllData, rights on 2 objects and 2 fields',
    ])
    const { Id, ...set } = await fetchSet('Billing')
    assert.deepEqual(set, {
      Label: 'Billing',
      Description: 'For invoices',
      IsOwnedByProfile: false,
      Type: 'Regular',
      PermissionsApiEnabled: false,
      PermissionsViewAllData: true,
    })
    assert.deepEqual(await fetchObjectRights(Id), [
      { SobjectType: 'Account', PermissionsRead: true, PermissionsEdit: true, PermissionsDelete: false },
      { SobjectType: 'Box__c', PermissionsRead: true, PermissionsEdit: false, PermissionsDelete: false },
    ])
    assert.deepEqual(await fetchFieldRights(Id), [
      { Field: 'Account.Industry', PermissionsRead: true, PermissionsEdit: true },
      { Field: 'Box__c.Size__c', PermissionsRead: true, PermissionsEdit: false },
    ])
  })

  test('that was carried out changes nothing a second time', async () => {
    const version = async () => (await o.call('GET', '/setup/orgs/current')).body.schemaVersion
    const before = await version()
    assert.deepEqual(await plan({ Billing: BILLING }), [])
    const said = { ...BILLING, label: 'Billing', objects: { ...BILLING.objects, Account: ['read', 'edit'] } }
    assert.deepEqual(await plan({ Billing: said as Sets[string], Nothing: null }), [
      '+ PermissionSet Nothing: new, with rights on 0 objects and 0 fields',
    ])
    assert.equal(await version(), before)
  })

  test('that is only planned tells what would change and changes nothing', async () => {
    const changed: Sets = {
      Billing: {
        label: 'Invoices',
        system: ['ApiEnabled'],
        objects: { Account: ['read', 'delete'], Contact: ['read'] },
        fields: { 'Account.Industry': 'read', 'Box__c.Color__c': 'edit' },
      },
    }
    const { Id } = await fetchSet('Billing')
    assert.deepEqual(await plan(changed, {}, { planOnly: true }), [
      '~ PermissionSet Billing: label "Billing" → "Invoices"; description "For invoices" → none; ' +
        'system: ViewAllData → ApiEnabled; Account: read, edit → read, edit, delete; Contact: none → read; ' +
        'Box__c: read → none; Account.Industry: edit → read; Box__c.Color__c: none → edit; Box__c.Size__c: read → none',
    ])
    assert.equal((await fetchFieldRights(Id)).length, 2)
    assert.equal((await fetchSet('Billing')).Label, 'Billing')
    await plan(changed)
    assert.deepEqual(await plan(changed), [])
    assert.deepEqual(
      (await fetchFieldRights(Id)).map(({ Field, PermissionsEdit }) => [Field, PermissionsEdit]),
      [
        ['Account.Industry', false],
        ['Box__c.Color__c', true],
      ],
    )
    await plan({ Billing: BILLING })
  })

  test('takes away what the API has granted, and unites what it has granted twice', async () => {
    const { Id } = await fetchSet('Billing')
    await allow(o, Id as string, 'Account', 'Delete')
    await allow(o, Id as string, 'Lead', 'Read')
    await allowField(o, Id as string, 'Contact.Title')
    assert.deepEqual(await plan({ Billing: BILLING }), [
      '~ PermissionSet Billing: Account: read, edit, delete → read, edit; Lead: read → none; Contact.Title: read → none',
    ])
    assert.equal((await fetchObjectRights(Id)).length, 2)
    assert.deepEqual(await plan({ Billing: BILLING }), [])
  })

  test('leaves alone those without a file, and those whose file is gone', async () => {
    const other = await o.create('PermissionSet', { Name: 'Other', Label: 'Other' })
    await allow(o, other, 'Lead', 'Read')
    assert.deepEqual(await plan({}), [])
    assert.equal((await fetchObjectRights(other)).length, 1)
    assert.equal((await fetchObjectRights((await fetchSet('Billing')).Id)).length, 2)
  })

  test('holds at once for users who are signed in', async () => {
    const person = await addPerson(o, 'atonce')
    const account = await o.create('Account', { Name: 'Acme', Industry: 'Energy' })
    const read = () => person.call('GET', `/sobjects/Account/${account}`)
    await fetchSteps(o, BOX, { permissionSets: { Seeing: null } })
    await assign(person, (await fetchSet('Seeing')).Id)
    assert.equal((await read()).status, 404)
    await plan({ Seeing: { objects: { Account: ['read'] } } })
    assert.equal('Industry' in (await read()).body, false)
    await plan({ Seeing: { objects: { Account: ['read'] }, fields: { 'Account.Industry': 'read' } } })
    assert.equal((await read()).body.Industry, 'Energy')
    await plan({ Seeing: null })
    assert.equal((await read()).status, 404)
  })

  test('finds them whatever the case of their names', async () => {
    assert.deepEqual(await plan({ billing: { ...BILLING, label: 'Billing' } }), [])
  })

  test('is refused where several have the name, and changes nothing', async () => {
    const twins = [
      await o.create('PermissionSet', { Name: 'Twin', Label: 'Twin' }),
      await o.create('PermissionSet', { Name: 'TWIN', Label: 'Twin' }),
    ]
    const files = { ...BOX, Lid__c: null }
    const permissionSets = { Twin: { objects: { Account: ['read'] } } } satisfies Sets
    assert.deepEqual(await fetchRefusals(o, files, { permissionSets }), [
      `PermissionSet Twin: 2 records with this name; rename all but one (${twins.join(', ')})`,
    ])
    assert.equal((await o.call('GET', '/sobjects/Lid__c')).status, 404)
    assert.deepEqual(await fetchObjectRights(twins[0]), [])
  })

  test('is undone as a whole when the schema is refused', async () => {
    const box = await o.create('Box__c', { Color__c: 'red' })
    const files = { Box__c: withFields({ Size__c: { type: 'int' }, Color__c: { type: 'int' } }) }
    const permissionSets = { Late: { objects: { Box__c: ['read'] } } } satisfies Sets
    const [message] = await fetchRefusals(o, files, { permissionSets })
    assert.match(message!, /^Box__c\.Color__c: 1 record with a value/)
    assert.equal(await fetchSet('Late'), undefined)
    await o.call('DELETE', `/sobjects/Box__c/${box}`)
  })

  test('does not fail grants and deletes of users at the same time, nor they it', async () => {
    const setId = await o.create('PermissionSet', { Name: 'Busy', Label: 'Busy' })
    const permissionSets = {
      Busy: { objects: { Account: ['read'] }, fields: { 'Account.Industry': 'edit' } },
    } satisfies Sets
    const grants = ['Account', 'Lead', 'Contact', 'Account', 'Order', 'Case'].map((SobjectType) =>
      o.call('POST', '/sobjects/ObjectPermissions', {
        body: { ParentId: setId, SobjectType, PermissionsRead: true },
      }),
    )
    const deployments = [1, 2, 3].map(() => deploy(o, BOX, { permissionSets }))
    const granted = await Promise.all(grants)
    assert.deepEqual([...new Set(granted.map(({ status }) => status))], [201])
    const deployed = await Promise.all(deployments)
    assert.deepEqual([...new Set(deployed.map(({ status }) => status))], [200])
    await plan(permissionSets)
    assert.deepEqual(await plan(permissionSets), [])
    const [gone, again] = await Promise.all([
      o.call('DELETE', `/sobjects/PermissionSet/${setId}`),
      deploy(o, BOX, { permissionSets: { Busy: null } }),
    ])
    assert.deepEqual([gone.status, again.status], [204, 200])
    // Deleted before: it was made again. Deleted afterwards: it is gone.
    const left = await fetchRecords(o, "SELECT Id FROM PermissionSet WHERE Name = 'Busy'")
    assert.ok(left.every(({ Id }) => Id !== setId))
  })

  test('that drops a field drops the permissions on it without a word of them', async () => {
    const files = { Box__c: withFields({ Color__c: { type: 'string' } }) }
    const { 'Account.Industry': industry } = BILLING.fields
    const permissionSets = { Billing: { ...BILLING, fields: { 'Account.Industry': industry } } }
    assert.deepEqual(await fetchPlan(o, files, { permissionSets, allowDestructive: true }), [
      '- Box__c.Size__c: goes with its values',
    ])
    assert.equal((await fetchFieldRights((await fetchSet('Billing')).Id)).length, 1)
  })
})

describe('a deployment of profiles', () => {
  before(async () => {
    o = await openOrg()
  })

  const CLERK = {
    description: 'In the office',
    system: ['ApiEnabled'],
    objects: { Account: ['read'] },
  } satisfies Profiles[string]

  test('makes profiles, and what they grant', async () => {
    assert.deepEqual(await plan({}, { Clerk: CLERK }), [
      '+ Box__c: new object with 3 fields',
      '+ Profile Clerk: new, with ApiEnabled, rights on 1 object and 0 fields',
    ])
    const [profile] = await fetchRecords(
      o,
      "SELECT Id, UserType, Description, PermissionsApiEnabled FROM Profile WHERE Name = 'Clerk'",
    )
    const { Id: ProfileId, ...rest } = profile!
    assert.deepEqual(rest, {
      UserType: 'Standard',
      Description: 'In the office',
      PermissionsApiEnabled: true,
    })
    const account = await o.create('Account', { Name: 'Acme' })
    const id = await createUser(o, 'clerk', { ProfileId })
    const headers = { authorization: `Bearer ${o.services.sessions.issueUnstored(o.org, id)}` }
    assert.equal((await o.call('GET', `/sobjects/Account/${account}`, { headers })).status, 200)
    assert.equal((await o.call('GET', '/sobjects/Lead', { headers })).status, 404)
    assert.deepEqual(await plan({}, { Clerk: CLERK }), [])
  })

  test('takes back what the set of a profile grants in the whole org', async () => {
    const person = await addPerson(o, 'hidden')
    await o.call('PATCH', `/sobjects/PermissionSet/${person.setId}`, {
      body: { PermissionsViewAllData: true },
    })
    const profiles = { 'Profile of hidden': { system: ['ApiEnabled'] } } satisfies Profiles
    assert.deepEqual(await plan({}, profiles), [
      '~ Profile Profile of hidden: system: ApiEnabled, ViewAllData → ApiEnabled',
    ])
    assert.deepEqual(await plan({}, profiles), [])
  })

  test('changes those that an org has from the start, but not that of administrators', async () => {
    assert.deepEqual(await plan({}, { 'Minimum Access': { ...CLERK, system: [] } }), [
      '~ Profile Minimum Access: description "Nothing but what permission sets add: for integrations" → "In the office"; system: ApiEnabled → none; Account: none → read',
    ])
    assert.deepEqual(await refusals({}, { 'system administrator': null }), [
      'profiles.system administrator: System Administrator may do everything and is not changed by a file: take the file out, or write it for a profile of your own',
    ])
  })

  test('gives a profile its permission set back when that was deleted', async () => {
    const person = await addPerson(o, 'bare')
    // As clients of earlier versions could.
    const { schemaName } = o.org
    await o.db.query(sql`delete from ${sql.id(schemaName, 'permissionset')} where id = ${person.setId}`)
    const account = await o.create('Account', { Name: 'Acme' })
    await plan({}, { 'Profile of bare': CLERK })
    assert.equal((await person.call('GET', `/sobjects/Account/${account}`)).status, 200)
    assert.deepEqual(await plan({}, { 'Profile of bare': CLERK }), [])
  })

  test('does not take the last administrator from an org', async () => {
    const system = ['ApiEnabled', 'ManageUsers', 'CustomizeApplication'] as const
    await plan({}, { Chiefs: { system: [...system] } })
    const [chiefs] = await fetchRecords(o, "SELECT Id FROM Profile WHERE Name = 'Chiefs'")
    await o.call('PATCH', `/sobjects/User/${o.userId}`, { body: { ProfileId: chiefs!.Id } })
    assert.deepEqual(await refusals({}, { Chiefs: { system: ['ApiEnabled'] } }), [
      `Profile Chiefs: 1 record of users with this profile; no other user could set up the org (${o.userId})`,
    ])
    const steps = await fetchSteps(o, BOX, { profiles: { Chiefs: null }, planOnly: true })
    assert.deepEqual(
      steps[0]!.obstacles.map(({ ids }) => ids),
      [[o.userId]],
    )
    await createUser(o, 'second', { ProfileId: await systemAdministrator() })
    assert.equal((await plan({}, { Chiefs: { system: ['ApiEnabled'] } })).length, 1)
  })

  const systemAdministrator = async () =>
    (await fetchRecords(o, "SELECT Id FROM Profile WHERE Name = 'System Administrator'"))[0]!.Id
})

describe('the schema of an org', () => {
  before(async () => {
    o = await openOrg()
  })

  test('has no permission sets and profiles but those of its own', async () => {
    const { permissionSets, profiles } = await fetchSchema()
    assert.deepEqual([permissionSets, profiles], [{}, {}])
  })

  test('has them in the form in which they are deployed, and deployed elsewhere they are the same', async () => {
    const permissionSets: Sets = {
      Billing: { label: 'Invoices', ...BILLING, objects: { Account: ['read', 'edit'], Box__c: ['read'] } },
      Empty: {},
    }
    const profiles: Profiles = {
      'Read Only': {
        system: ['ApiEnabled'],
        objects: { Account: ['read', 'create', 'edit', 'delete', 'viewAll', 'modifyAll'] },
      },
      'Über/Verkauf': { fields: { 'Account.BillingAddress': 'read' } },
    }
    await plan(permissionSets, profiles)
    const schema = await fetchSchema()
    assert.deepEqual([schema.permissionSets, schema.profiles], [permissionSets, profiles])
    assert.deepEqual((await deploy(o, schema.objects, schema)).body.steps, [])
    o = await openOrg()
    await fetchSteps(o, schema.objects, schema)
    assert.deepEqual(await fetchSchema(), schema)
  })

  test('leaves out what means nothing: rights on guarded objects', async () => {
    const setId = await o.create('PermissionSet', { Name: 'Odd', Label: 'Odd' })
    await allow(o, setId, 'User', 'Read')
    await o.create('ObjectPermissions', { ParentId: setId, SobjectType: 'Lead' })
    const { permissionSets } = await fetchSchema()
    assert.deepEqual(permissionSets.Odd, {})
    assert.deepEqual(await plan({ Odd: {} }), [])
  })
})

const FIELDS = [
  'Account.Industry',
  'Account.BillingAddress',
  'Account.BillingCity',
  'Box__c.Size__c',
  'Contact.Title',
]

const file = fc.record(
  {
    description: fc.constantFrom('', 'one', ' other '),
    system: fc.subarray([...SYSTEM_PERMISSION_NAMES]),
    objects: fc.dictionary(
      fc.constantFrom('Account', 'Contact', 'Box__c', 'Order'),
      fc.subarray([...OBJECT_RIGHT_NAMES]),
      { noNullPrototype: true },
    ),
    fields: fc.dictionary(fc.constantFrom(...FIELDS), fc.constantFrom('read' as const, 'edit' as const), {
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const files = fc.record({
  permissionSets: fc.dictionary(fc.constantFrom('A', 'B_c', '_'), file, { noNullPrototype: true }),
  profiles: fc.dictionary(fc.constantFrom('Minimum Access', 'Odd/Name'), file, { noNullPrototype: true }),
})

test('after whatever was deployed before, an org grants what its files say', async () => {
  o = await openOrg()
  const other = await openOrg()
  await fetchSteps(o, BOX)
  await fetchSteps(other, BOX)
  await fc.assert(
    fc.asyncProperty(files, files, async (first, second) => {
      await fetchSteps(o, BOX, first)
      const planned = await fetchPlan(o, BOX, { ...second, planOnly: true })
      assert.deepEqual(await fetchPlan(o, BOX, second), planned)
      assert.deepEqual(await fetchPlan(o, BOX, second), [])
      const { permissionSets, profiles } = await fetchSchema()
      // The export says the same, in another org too.
      assert.deepEqual(await fetchPlan(o, BOX, { permissionSets, profiles }), [])
      await fetchSteps(other, BOX, second)
      const exported = (await other.call('GET', '/setup/orgs/current/schema')).body
      for (const name of Object.keys(second.permissionSets)) {
        assert.deepEqual(permissionSets[name], exported.permissionSets[name])
      }
      for (const name of Object.keys(second.profiles)) {
        assert.deepEqual(profiles[name], exported.profiles[name])
      }
    }),
    { numRuns: runs(6) },
  )
})

describe('wrong permissions are refused with every problem:', () => {
  before(async () => {
    o = await openOrg()
  })

  const cases: readonly (readonly [string, object, string])[] = [
    ['a property', { rights: {} }, '.rights: "rights" means nothing for a permission set'],
    [
      'a system permission',
      { system: ['ApiEnable'] },
      '.system.0: must be ApiEnabled or ViewAllData or ModifyAllData or ViewSetup or ManageUsers or CustomizeApplication or ViewEncryptedData or ManageDataIntegrations or BulkApiHardDelete or ViewCallLog, not "ApiEnable"; did you mean ApiEnabled?',
    ],
    [
      'a right',
      { objects: { Account: ['write'] } },
      '.objects.Account.0: must be read or create or edit or delete or viewAll or modifyAll or viewAllFields or editAllFields, not "write"',
    ],
    [
      'rights that are no list',
      { objects: { Account: 'read' } },
      '.objects.Account: must be a list, not "read"',
    ],
    [
      'an object',
      { objects: { Acount: ['read'] } },
      '.objects.Acount: there is no object Acount; did you mean Account?',
    ],
    [
      'the spelling of an object',
      { objects: { account: ['read'] } },
      '.objects.account: the object is spelled Account',
    ],
    [
      'a guarded object',
      { objects: { User: ['read'] } },
      '.objects.User: system permissions decide about the records of User; take it out',
    ],
    [
      'a right on a field',
      { fields: { 'Account.Industry': 'write' } },
      '.fields.Account.Industry: must be read or edit, not "write"',
    ],
    [
      'a field',
      { fields: { 'Account.Industri': 'read' } },
      '.fields.Account.Industri: Account has no field Industri; did you mean Industry?',
    ],
    [
      'the spelling of a field',
      { fields: { 'Account.industry': 'read' } },
      '.fields.Account.industry: the field is spelled Account.Industry',
    ],
    [
      'a field without its object',
      { fields: { Industry: 'read' } },
      '.fields.Industry: "Industry" names no object; write it before the field: Account.Industry',
    ],
    [
      'a field that comes with its object',
      { fields: { 'Account.Name': 'read' } },
      '.fields.Account.Name: Account.Name comes with its object; take it out',
    ],
    ['a label that is too long', { label: 'x'.repeat(81) }, '.label: is longer than 80 characters'],
    [
      'a text that PostgreSQL cannot store',
      { description: 'a\0b' },
      '.description: has a character that is none',
    ],
  ]
  for (const [what, file, message] of cases) {
    test(what, async () => {
      assert.deepEqual(await refusals({ Wrong: file as Sets[string] }), [`permissionSets.Wrong${message}`])
    })
  }

  const names: readonly (readonly [string, string, Sets])[] = [
    [
      'a name with blanks around it',
      'permissionSets. a: " a" is no name of a permission set: take another one',
      { ' a': null },
    ],
    [
      'a name that is too long',
      `permissionSets.${'a'.repeat(81)}: the name is longer than 80 characters`,
      { ['a'.repeat(81)]: null },
    ],
    ['two of a name', 'permissionSets.A: a is the same one: case makes no difference', { a: null, A: null }],
  ]
  for (const [what, message, sets] of names) {
    test(what, async () => assert.deepEqual(await refusals(sets), [message]))
  }

  test('a label of a profile', async () => {
    assert.deepEqual(await refusals({}, { Clerk: { label: 'Clerk' } as Profiles[string] }), [
      'profiles.Clerk.label: "label" means nothing for a profile',
    ])
  })

  test('more than there may be', async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`S${n}`, null]))
    assert.deepEqual(await refusals(many), ['permissionSets: 1001 are more than 1000'])
    const fields = Object.fromEntries(
      Array.from({ length: 100_001 }, (_, n) => [`Account.F${n}`, 'read' as const]),
    )
    assert.deepEqual(await refusals({ Wide: { fields } }), [
      'permissionSets.Wide: all files together name more than 100000 objects and fields',
    ])
  })

  for (const permissionSets of [
    [],
    'x',
    3,
    { A: 3 },
    { A: [] },
    { A: { objects: [] } },
    { A: { fields: null } },
  ]) {
    test(`permission sets that are ${JSON.stringify(permissionSets)}`, async () => {
      const { status } = await deploy(o, {}, { permissionSets: permissionSets as never })
      assert.equal(status, 400)
    })
  }
})
