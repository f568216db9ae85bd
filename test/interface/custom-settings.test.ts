import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { deploy, fetchPlan, fetchRefusals, withFields } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'

const LIMITS = withFields(
  { Max_Rows__c: { type: 'int' }, Is_On__c: { type: 'boolean', default: true } },
  { setting: 'hierarchy' },
)
const RATES = withFields({ Rate__c: { type: 'percent' }, Since__c: { type: 'date' } }, { setting: 'list' })

const find = (o: TestOrg, object: string) => o.call('GET', `/sobjects/${object}/describe`)

describe('a hierarchy setting', () => {
  let o: TestOrg
  let profileId: string
  before(async () => {
    o = await openOrg()
    assert.deepEqual(await fetchPlan(o, { Limits__c: LIMITS, Rates__c: RATES }), [
      '+ Limits__c: new object with 3 fields',
      '+ Rates__c: new object with 3 fields',
    ])
    const [profile] = await fetchRecords(o, "SELECT Id FROM Profile WHERE Name = 'Read Only'")
    profileId = profile!.Id as string
  })

  test('is described as what it is: without an owner, a search, tabs and record types', async () => {
    const { body } = await find(o, 'Limits__c')
    assert.deepEqual(
      [
        body.customSetting,
        body.custom,
        body.searchable,
        body.layoutable,
        body.keyPrefix,
        body.recordTypeInfos,
      ],
      [true, true, false, false, 'a00', []],
    )
    const fields = new Map<string, Record<string, unknown>>(
      body.fields.map((field: { name: string }) => [field.name, field]),
    )
    assert.equal(fields.has('OwnerId'), false)
    const { referenceTo, relationshipName, nillable, createable, unique } = fields.get('SetupOwnerId')!
    assert.deepEqual(
      [referenceTo, relationshipName, nillable, createable, unique],
      [['Organization', 'Profile', 'User'], 'SetupOwner', false, true, true],
    )
    assert.deepEqual([fields.get('Name')!.nillable, fields.get('Name')!.defaultedOnCreate], [true, false])
    const tabs: { sobjectName: string }[] = (await o.call('GET', '/tabs')).body
    assert.equal(
      tabs.some(({ sobjectName }) => sobjectName === 'Limits__c'),
      false,
    )
    const known = await fetchRecords(
      o,
      "SELECT QualifiedApiName, IsCustomSetting FROM EntityDefinition WHERE QualifiedApiName IN ('Account', 'Limits__c')",
    )
    assert.deepEqual(known, [
      { QualifiedApiName: 'Account', IsCustomSetting: false },
      { QualifiedApiName: 'Limits__c', IsCustomSetting: true },
    ])
  })

  test('has one record for the organization, and one for each profile and user', async () => {
    for (const [SetupOwnerId, Max_Rows__c] of [
      [o.org.id, 10],
      [profileId, 20],
      [o.userId, 30],
    ] as const) {
      await o.create('Limits__c', { SetupOwnerId, Max_Rows__c })
    }
    assert.deepEqual(
      await fetchRecords(
        o,
        'SELECT Name, Max_Rows__c, Is_On__c, SetupOwner.Type, SetupOwner.Name FROM Limits__c ORDER BY Max_Rows__c',
      ),
      [
        { type: 'Organization', name: 'Test', rows: 10 },
        { type: 'Profile', name: 'Read Only', rows: 20 },
        { type: 'User', name: 'Administrator', rows: 30 },
      ].map(({ type, name, rows }) => ({
        Name: null,
        Max_Rows__c: rows,
        Is_On__c: true,
        SetupOwner: { Type: type, Name: name },
      })),
    )
  })

  test('refuses a second record for one of them, and a record for nobody', async () => {
    const [first] = await fetchRecords(o, `SELECT Id FROM Limits__c WHERE SetupOwnerId = '${profileId}'`)
    const again = await o.call('POST', '/sobjects/Limits__c', { body: { SetupOwnerId: profileId } })
    assertRefused(
      again,
      400,
      'DUPLICATE_VALUE',
      `duplicate value found: SetupOwnerId duplicates value on record with id: ${String(first!.Id).slice(0, 15)}`,
    )
    const moved = await o.call('PATCH', `/sobjects/Limits__c/${first!.Id}`, {
      body: { SetupOwnerId: o.userId },
    })
    assert.deepEqual([moved.status, moved.body[0].errorCode], [400, 'DUPLICATE_VALUE'])
    const forNobody = await o.call('POST', '/sobjects/Limits__c', { body: { Max_Rows__c: 1 } })
    assertRefused(forNobody, 400, 'REQUIRED_FIELD_MISSING', 'Required fields are missing: [SetupOwnerId]', [
      'SetupOwnerId',
    ])
    const account = await o.create('Account', { Name: 'Acme' })
    const forOther = await o.call('POST', '/sobjects/Limits__c', { body: { SetupOwnerId: account } })
    assert.deepEqual([forOther.status, forOther.body[0].errorCode], [400, 'MALFORMED_ID'])
  })

  test('takes the record of a deleted one again', async () => {
    const [first] = await fetchRecords(o, `SELECT Id FROM Limits__c WHERE SetupOwnerId = '${o.userId}'`)
    assert.equal((await o.call('DELETE', `/sobjects/Limits__c/${first!.Id}`)).status, 204)
    const id = await o.create('Limits__c', { SetupOwnerId: o.userId, Name: 'Mine' })
    const patched = await o.call('PATCH', `/sobjects/Limits__c/${id}`, { body: { Max_Rows__c: 3 } })
    assert.equal(patched.status, 204, patched.text)
    const { body } = await o.call('GET', `/sobjects/Limits__c/${id}?fields=Name,Max_Rows__c,SetupOwnerId`)
    assert.deepEqual([body.Name, body.Max_Rows__c, body.SetupOwnerId], ['Mine', 3, o.userId])
  })

  test('is not what attachments, notes and files belong to', async () => {
    for (const object of ['Attachment', 'Note']) {
      const { fields } = (await find(o, object)).body
      const parent = fields.find(({ name }: { name: string }) => name === 'ParentId')
      assert.equal(parent.referenceTo.includes('Limits__c'), false, object)
    }
  })

  test('is read and written by those who have the rights on it', async () => {
    const person = await addPerson(o, 'settings')
    assert.equal((await person.call('GET', '/sobjects/Limits__c/describe')).status, 404)
    await allow(o, person.setId, 'Limits__c', 'Read')
    await allowField(o, person.setId, 'Limits__c.Max_Rows__c')
    const { length } = await fetchRecords(person.org, 'SELECT Max_Rows__c FROM Limits__c')
    assert.equal(length, 3)
    const written = await person.call('POST', '/sobjects/Limits__c', { body: { SetupOwnerId: person.id } })
    assert.equal(written.status, 403, written.text)
  })

  test('is exported, and what was exported changes nothing', async () => {
    const { body } = await o.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual(body.objects.Limits__c, {
      setting: 'hierarchy',
      keyPrefix: 'a00',
      fields: { Max_Rows__c: { type: 'int' }, Is_On__c: { type: 'boolean', default: true } },
    })
    assert.deepEqual(body.objects.Rates__c.fields, {
      Rate__c: { type: 'percent' },
      Since__c: { type: 'date' },
    })
    assert.deepEqual(await fetchPlan(o, body.objects), [])
  })

  test('goes with its records when its file is gone, if that is allowed', async () => {
    assert.deepEqual(await fetchPlan(o, { Rates__c: RATES }, { mode: 'keep' }), [])
    const [refusal] = await fetchRefusals(o, { Rates__c: RATES })
    assert.match(refusal!, /^Limits__c: goes with its records; 4 records would lose something/)
    const plan = await fetchPlan(o, { Rates__c: RATES }, { allowDestructive: true })
    assert.deepEqual(plan, ['- Limits__c: goes with its records'])
    assert.equal((await find(o, 'Limits__c')).status, 404)
  })
})

describe('a list setting', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
    await fetchPlan(o, { Rates__c: RATES })
  })

  test('has records by name: each has one of its own', async () => {
    const id = await o.create('Rates__c', { Name: 'Reduced', Rate__c: 7 })
    await o.create('Rates__c', { Name: 'Full', Rate__c: 19, Since__c: '2007-01-01' })
    assert.deepEqual(await fetchRecords(o, "SELECT Rate__c FROM Rates__c WHERE Name = 'Full'"), [
      { Rate__c: 19 },
    ])
    assertRefused(
      await o.call('POST', '/sobjects/Rates__c', { body: { Name: 'reduced' } }),
      400,
      'DUPLICATE_VALUE',
      `duplicate value found: Name duplicates value on record with id: ${id.slice(0, 15)}`,
    )
    assertRefused(
      await o.call('POST', '/sobjects/Rates__c', { body: { Rate__c: 1 } }),
      400,
      'REQUIRED_FIELD_MISSING',
      'Required fields are missing: [Name]',
      ['Name'],
    )
  })

  test('has no SetupOwnerId, and is a custom setting', async () => {
    const { body } = await find(o, 'Rates__c')
    assert.equal(body.customSetting, true)
    assert.equal(
      body.fields.some(({ name }: { name: string }) => name === 'SetupOwnerId' || name === 'OwnerId'),
      false,
    )
  })
})

test('a custom setting takes plain fields only, and says which', async () => {
  const o = await openOrg()
  const refusals = await fetchRefusals(o, {
    A__c: withFields(
      { Account__c: { type: 'reference', to: 'Account' }, Text__c: { type: 'longtextarea' } },
      { setting: 'list', sharing: 'private', recordTypes: { One: null } },
    ),
    B__c: withFields({ Name: { type: 'autonumber' } }, { setting: 'hierarchy' }),
    C__c: { setting: 'both' as never },
  })
  // The form of all files is checked first.
  assert.equal(refusals.length, 1)
  assert.match(refusals[0]!, /^objects\.C__c\.setting: /)
  const types = 'string, textarea, email, phone, url, boolean, int, double, currency, percent, date, datetime'
  assert.deepEqual(
    await fetchRefusals(o, {
      A__c: withFields(
        { Account__c: { type: 'reference', to: 'Account' }, Text__c: { type: 'longtextarea' } },
        { setting: 'list', sharing: 'private', recordTypes: { One: null } },
      ),
      Account: { setting: 'list' },
      B__c: withFields({ Name: { type: 'autonumber' } }, { setting: 'hierarchy' }),
    }),
    [
      'objects.A__c.sharing: a custom setting has no sharing; take it out',
      'objects.A__c.recordTypes: a custom setting has no recordTypes; take it out',
      `objects.A__c.fields.Account__c.type: a custom setting has no reference; there are ${types}`,
      `objects.A__c.fields.Text__c.type: a custom setting has no longtextarea; there are ${types}`,
      'objects.Account.setting: a standard object is not a custom setting; take this line out',
      'objects.B__c.fields.Name.type: the name of a custom setting is a string',
    ],
  )
  assert.equal((await deploy(o, { A__c: { setting: 'list' } })).status, 200)
})

test('an object becomes a hierarchy setting only without records: nobody says whose they are', async () => {
  const o = await openOrg()
  await fetchPlan(o, { A__c: null })
  const id = await o.create('A__c', { Name: 'One' })
  const setting = { A__c: { setting: 'hierarchy' as const } }
  assert.match(
    (await fetchRefusals(o, setting, { allowDestructive: true })).join(),
    /without a value for SetupOwnerId/,
  )
  await o.call('DELETE', `/sobjects/A__c/${id}`)
  await fetchPlan(o, setting, { allowDestructive: true })
  await o.create('A__c', { SetupOwnerId: o.org.id })
})
