import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchRecords, fetchRefusal, queryPath } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps, withFields } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let o: TestOrg
let account: string

before(async () => {
  o = await openOrg()
  account = await o.create('Account', { Name: 'Acme', Industry: 'Energy', AnnualRevenue: 5 })
})

test('a permission set is assigned to a user once', async () => {
  const { id: AssigneeId } = await addPerson(o, 'twice')
  const PermissionSetId = await o.create('PermissionSet', { Name: 'Twice', Label: 'Twice' })
  const body = { AssigneeId, PermissionSetId }
  // A loader of the sf command goes on when it finds the first two words.
  const explained = `Duplicate PermissionSetAssignment. Assignee: ${AssigneeId}; Permission Set: ${PermissionSetId}`
  const attributes = { type: 'PermissionSetAssignment' }
  const records = [body, body].map((one) => ({ attributes, ...one }))
  const both = await o.call('POST', '/composite/sobjects', { body: { records } })
  assert.equal(both.body[0].success, true, both.text)
  assert.deepEqual(both.body[1].errors, [{ statusCode: 'DUPLICATE_VALUE', message: explained, fields: [] }])
  const again = await o.call('POST', '/sobjects/PermissionSetAssignment', { body })
  assertRefused(again, 400, 'DUPLICATE_VALUE', explained)
  await o.call('DELETE', `/sobjects/PermissionSetAssignment/${both.body[0].id}`)
  const raced = await Promise.all(
    [1, 2, 3].map(() => o.call('POST', '/sobjects/PermissionSetAssignment', { body })),
  )
  assert.deepEqual(raced.map(({ status }) => status).sort(), [201, 400, 400])
})

describe('somebody to whom nothing was granted', () => {
  let nobody: Person
  before(async () => {
    nobody = await addPerson(o, 'nobody')
  })

  test('finds no object to describe, read, write or query', async () => {
    for (const path of ['/sobjects/Account', '/sobjects/Account/describe', `/sobjects/Account/${account}`]) {
      assertRefused(await nobody.call('GET', path), 404, 'NOT_FOUND', 'The requested resource does not exist')
    }
    assertRefused(
      await nobody.call('POST', '/sobjects/Account', { body: { Name: 'x' } }),
      404,
      'NOT_FOUND',
      /./,
    )
    assertRefused(
      await nobody.call('PATCH', `/sobjects/Account/${account}`, { body: {} }),
      404,
      'NOT_FOUND',
      /./,
    )
    assertRefused(await nobody.call('DELETE', `/sobjects/Account/${account}`), 404, 'NOT_FOUND', /./)
    const { code, message } = await fetchRefusal(nobody.org, 'SELECT Id FROM Account')
    assert.equal(code, 'INVALID_TYPE')
    assert.match(message, /sObject type 'Account' is not supported/)
  })

  test('gets only the objects that everybody sees', async () => {
    const { body } = await nobody.call('GET', '/sobjects')
    assert.deepEqual(
      body.sobjects.map(({ name }: { name: string }) => name),
      [
        ...['ActivityHistory', 'ApexClass', 'ApexTrigger', 'AttachedContentDocument', 'BusinessHours'],
        ...['Calendar', 'CaseStatus', 'CombinedAttachment', 'ContractStatus'],
        ...['CustomPermission', 'Dashboard', 'Document', 'EmailTemplate', 'EntityDefinition'],
        ...['FieldDefinition', 'Folder', 'Group', 'GroupMember', 'Holiday', 'LeadStatus', 'ListView'],
        ...[
          'NoteAndAttachment',
          'OpenActivity',
          'OpportunityStage',
          'OrderStatus',
          'OrgWideEmailAddress',
          'Organization',
        ],
        ...['PermissionSetGroup', 'PermissionSetLicense', 'ProcessInstance', 'ProcessInstanceStep'],
        ...['ProcessInstanceWorkitem', 'Profile', 'PushTopic', 'QueueSobject', 'RecentlyViewed'],
        ...[
          'RecordType',
          'Report',
          'StaticResource',
          'StreamingChannel',
          'TaskPriority',
          'TaskStatus',
          'User',
        ],
        ...['UserLicense', 'UserRecordAccess', 'UserRole'],
      ],
    )
    for (const object of body.sobjects) {
      assert.deepEqual([object.createable, object.updateable, object.deletable], [false, false, false])
    }
  })

  test('changes no user, not even their own', async () => {
    const answer = await nobody.call('PATCH', `/sobjects/User/${nobody.id}`, { body: { LastName: 'x' } })
    assertRefused(answer, 403, 'INSUFFICIENT_ACCESS', 'Records of User are not updateable')
  })

  test('cannot grant themselves anything', async () => {
    const body = { PermissionSetId: nobody.setId, AssigneeId: nobody.id }
    const answer = await nobody.call('POST', '/sobjects/PermissionSetAssignment', { body })
    assertRefused(answer, 404, 'NOT_FOUND', /./)
  })

  test('does not set up the org', async () => {
    const answer = await nobody.call('GET', '/setup/orgs/current')
    assertRefused(answer, 403, 'INSUFFICIENT_ACCESS', 'Only an administrator may set up an org')
  })
})

test('without API Enabled nothing of the data is open', async () => {
  const person = await addPerson(o, 'noapi')
  await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, { body: { PermissionsApiEnabled: false } })
  const answer = await person.call('GET', '/sobjects')
  assertRefused(answer, 403, 'API_DISABLED_FOR_ORG', 'The REST API is not enabled for this Organization.')
})

describe('somebody who may read an object', () => {
  let reader: Person
  before(async () => {
    reader = await addPerson(o, 'reader')
    await allow(o, reader.setId, 'Account', 'Read')
    await allowField(o, reader.setId, 'Account.Industry')
  })

  test('reads the fields that were granted and those that come with the object', async () => {
    const { body } = await reader.call('GET', `/sobjects/Account/${account}`)
    assert.equal(body.Name, 'Acme')
    assert.equal(body.Industry, 'Energy')
    assert.equal('AnnualRevenue' in body, false)
    assert.equal('Website' in body, false)
  })

  test('does not find the other fields in any API', async () => {
    const noColumn = /No such column 'AnnualRevenue'/
    const read = await reader.call('GET', `/sobjects/Account/${account}?fields=AnnualRevenue`)
    assertRefused(read, 400, 'INVALID_FIELD', noColumn)
    for (const query of [
      'SELECT AnnualRevenue FROM Account',
      'SELECT Id FROM Account WHERE AnnualRevenue > 1',
      'SELECT Id FROM Account ORDER BY AnnualRevenue',
      'SELECT SUM(AnnualRevenue) FROM Account',
    ]) {
      const { code, message } = await fetchRefusal(reader.org, query)
      assert.equal(code, 'INVALID_FIELD')
      assert.match(message, noColumn)
    }
    const { body } = await reader.call('GET', '/sobjects/Account/describe')
    const names = body.fields.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('Industry') && !names.includes('AnnualRevenue'))
  })

  test('writes nothing', async () => {
    const refused = { status: 403, code: 'INSUFFICIENT_ACCESS' } as const
    const create = await reader.call('POST', '/sobjects/Account', { body: { Name: 'x' } })
    assertRefused(create, refused.status, refused.code, 'Records of Account are not createable')
    const update = await reader.call('PATCH', `/sobjects/Account/${account}`, { body: { Name: 'x' } })
    assertRefused(update, refused.status, refused.code, 'Records of Account are not updateable')
    const remove = await reader.call('DELETE', `/sobjects/Account/${account}`)
    assertRefused(remove, refused.status, refused.code, 'Records of Account are not deletable')
  })

  test('learns that from the describe', async () => {
    const { body } = await reader.call('GET', '/sobjects/Account/describe')
    assert.deepEqual([body.createable, body.updateable, body.deletable], [false, false, false])
    const field = body.fields.find(({ name }: { name: string }) => name === 'Industry')
    assert.deepEqual([field.createable, field.updateable, field.permissionable], [false, false, true])
  })

  test('learns nothing of objects around it without permission to read them', async () => {
    const { body } = await reader.call('GET', '/sobjects/Account/describe')
    const children = body.childRelationships.map(({ childSObject }: { childSObject: string }) => childSObject)
    assert.equal(children.includes('Contact'), false)
    assert.equal(
      (await fetchRefusal(reader.org, 'SELECT Id, (SELECT Id FROM Contacts) FROM Account')).code,
      'INVALID_TYPE',
    )
  })

  test('sees no record that belongs to one of an object without permission to read it', async () => {
    const toHome = { type: 'reference', to: 'Account', masterDetail: 0, children: 'Parts__r' } as const
    await fetchSteps(o, { Part__c: withFields({ Home__c: toHome }) }, { mode: 'keep' })
    const Home__c = await o.create('Account', { Name: 'Home' })
    const id = await o.create('Part__c', { Name: 'Part', Home__c })
    const other = await addPerson(o, 'other')
    await allow(o, other.setId, 'Part__c', 'Read')
    const path = `/sobjects/Part__c/${id}`
    assert.equal((await o.call('GET', path)).status, 200)
    assert.equal((await other.call('GET', path)).status, 404)
    assert.equal((await other.call('GET', path, { headers: { 'if-none-match': '"x"' } })).status, 404)
    assert.deepEqual(await fetchRecords(other.org, 'SELECT Id FROM Part__c'), [])
  })

  test('a describe that was read before is read again when a grant changes', async () => {
    const before = await reader.call('GET', '/sobjects/Account/describe')
    await allowField(o, reader.setId, 'Account.Phone', 'Edit')
    const after = await reader.call('GET', '/sobjects/Account/describe')
    assert.notEqual(after.headers.etag, before.headers.etag)
    const names = after.body.fields.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('Phone'))
  })
})

describe('somebody who may write an object', () => {
  let writer: Person
  before(async () => {
    writer = await addPerson(o, 'writer')
    await allow(o, writer.setId, 'Account', 'Create', 'Edit')
    await allowField(o, writer.setId, 'Account.Industry', 'Edit')
    await allowField(o, writer.setId, 'Account.AccountNumber')
  })

  test('writes the fields with permission to edit', async () => {
    const id = await writer.org.create('Account', { Name: 'Mine', Industry: 'Retail' })
    const answer = await writer.call('PATCH', `/sobjects/Account/${id}`, { body: { Industry: 'Energy' } })
    assert.equal(answer.status, 204)
    assert.deepEqual(
      await fetchRecords(writer.org, `SELECT Name, Industry, OwnerId FROM Account WHERE Id = '${id}'`),
      [{ Name: 'Mine', Industry: 'Energy', OwnerId: writer.id }],
    )
  })

  test('is refused a read-only field, by name', async () => {
    const body = { Name: 'x', AccountNumber: '1' }
    const answer = await writer.call('POST', '/sobjects/Account', { body })
    assertRefused(answer, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /AccountNumber/, ['AccountNumber'])
  })

  test('is refused an invisible field as one that does not exist', async () => {
    const body = { Name: 'x', AnnualRevenue: 1 }
    const answer = await writer.call('POST', '/sobjects/Account', { body })
    assertRefused(answer, 400, 'INVALID_FIELD', "No such column 'AnnualRevenue' on sobject of type Account")
  })

  test('gets defaults of invisible fields', async () => {
    await o.deploy([
      {
        name: 'Ticket__c',
        label: 'Ticket',
        labelPlural: 'Tickets',
        keyPrefix: '',
        fields: [
          { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
          { name: 'State__c', label: 'State', type: 'string', length: 20, default: 'new' },
        ],
      },
    ])
    await allow(o, writer.setId, 'Ticket__c', 'Create')
    const id = await writer.org.create('Ticket__c', { Name: 'T' })
    const { body } = await o.call('GET', `/sobjects/Ticket__c/${id}`)
    assert.equal(body.State__c, 'new')
  })

  test('deletes nothing without the right to', async () => {
    const id = await writer.org.create('Account', { Name: 'Stays' })
    assertRefused(await writer.call('DELETE', `/sobjects/Account/${id}`), 403, 'INSUFFICIENT_ACCESS', /./)
  })
})

test('a permission set adds to a profile, and its end takes it away again, at once', async () => {
  const person = await addPerson(o, 'added')
  const setId = await o.create('PermissionSet', { Name: 'Accounts', Label: 'Accounts' })
  await allow(o, setId, 'Account', 'Read')
  assert.equal((await ask(person.org, 'SELECT Id FROM Account')).status, 400)
  const assignment = await o.create('PermissionSetAssignment', {
    PermissionSetId: setId,
    AssigneeId: person.id,
  })
  assert.equal((await ask(person.org, 'SELECT Id FROM Account')).status, 200)
  await o.call('DELETE', `/sobjects/PermissionSetAssignment/${assignment}`)
  assert.equal((await ask(person.org, 'SELECT Id FROM Account')).status, 400)
})

test('grants are records that SOQL reads', async () => {
  const person = await addPerson(o, 'listed')
  await allow(o, person.setId, 'Account', 'Read')
  await allowField(o, person.setId, 'account.industry')
  const objects = await fetchRecords(
    o,
    `SELECT SobjectType, PermissionsRead, PermissionsEdit, Parent.Profile.Name FROM ObjectPermissions WHERE ParentId = '${person.setId}'`,
  )
  assert.deepEqual(objects, [
    {
      SobjectType: 'Account',
      PermissionsRead: true,
      PermissionsEdit: false,
      Parent: { Profile: { Name: 'Profile of listed' } },
    },
  ])
  const fields = await fetchRecords(
    o,
    `SELECT Field FROM FieldPermissions WHERE ParentId = '${person.setId}'`,
  )
  assert.deepEqual(fields, [{ Field: 'Account.Industry' }])
})

test('View All Data reads everything and writes nothing', async () => {
  const person = await addPerson(o, 'auditor')
  await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, { body: { PermissionsViewAllData: true } })
  const answer = await person.call('GET', `/sobjects/Account/${account}`)
  assert.equal(answer.body.AnnualRevenue, 5)
  assertRefused(
    await person.call('PATCH', `/sobjects/Account/${account}`, { body: { Name: 'x' } }),
    403,
    'INSUFFICIENT_ACCESS',
    /./,
  )
  assert.equal((await ask(person.org, 'SELECT Id FROM PermissionSet')).status, 400)
})

test('Modify All Data writes everything but what says who may do what', async () => {
  const person = await addPerson(o, 'mover')
  await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, { body: { PermissionsModifyAllData: true } })
  const answer = await person.call('PATCH', `/sobjects/Account/${account}`, { body: { AnnualRevenue: 6 } })
  assert.equal(answer.status, 204)
  assertRefused(
    await person.call('PATCH', `/sobjects/User/${person.id}`, { body: { LastName: 'x' } }),
    403,
    'INSUFFICIENT_ACCESS',
    /./,
  )
})

test('an address is granted as a whole', async () => {
  const person = await addPerson(o, 'addressee')
  await allow(o, person.setId, 'Account', 'Read')
  await allowField(o, person.setId, 'Account.BillingAddress')
  assert.equal((await ask(person.org, 'SELECT BillingCity, BillingAddress FROM Account')).status, 200)
  assert.equal((await ask(person.org, 'SELECT ShippingCity FROM Account')).status, 400)
})

describe('grants that mean nothing are refused', () => {
  for (const [name, what, object, fields, location, message] of [
    [
      'g1',
      'an object that is not there',
      'ObjectPermissions',
      { SobjectType: 'Acount' },
      'SobjectType',
      'Unknown object Acount',
    ],
    [
      'g2',
      'a field that is not there',
      'FieldPermissions',
      { SobjectType: 'Account', Field: 'Account.Industri' },
      'Field',
      'Account has no field Account.Industri',
    ],
    [
      'g3',
      'a field of another object',
      'FieldPermissions',
      { SobjectType: 'Account', Field: 'Contact.Email' },
      'Field',
      'Account has no field Contact.Email',
    ],
    [
      'g4',
      'a field that comes with its object',
      'FieldPermissions',
      { SobjectType: 'Account', Field: 'Account.Name' },
      'Field',
      'Account.Name comes with its object and cannot be granted',
    ],
  ] as const) {
    test(what, async () => {
      const { setId } = await addPerson(o, name)
      const answer = await o.call('POST', `/sobjects/${object}`, { body: { ParentId: setId, ...fields } })
      assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', message, [location])
    })
  }
})

describe('an org keeps an administrator', () => {
  const message = 'An org needs an active user whose profile may manage users and customize the application'

  test('the last one is not deactivated', async () => {
    const answer = await o.call('PATCH', `/sobjects/User/${o.userId}`, { body: { IsActive: false } })
    assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', message)
    assert.equal((await o.call('GET', '/sobjects')).status, 200)
  })

  test('the profile of the last one keeps what makes one', async () => {
    const [user] = await fetchRecords(o, `SELECT ProfileId FROM User WHERE Id = '${o.userId}'`)
    const path = `/sobjects/Profile/${user!.ProfileId}`
    const answer = await o.call('PATCH', path, { body: { PermissionsManageUsers: false } })
    assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', message)
  })
})

test('a token of somebody who was deactivated is worth nothing', async () => {
  const person = await addPerson(o, 'leaver')
  assert.equal((await person.call('GET', '/sobjects')).status, 200)
  await o.call('PATCH', `/sobjects/User/${person.id}`, { body: { IsActive: false } })
  assertRefused(await person.call('GET', '/sobjects'), 401, 'INVALID_SESSION_ID', /./)
})

test('the plan of a query is shown, its SQL only with ViewSetup', async () => {
  const person = await addPerson(o, 'planner')
  await allow(o, person.setId, 'Account', 'Read')
  const path = queryPath('SELECT Id FROM Account').replace('q=', 'statement=true&explain=')
  assert.ok('statement' in (await o.call('GET', path)).body)
  const answer = await person.call('GET', path)
  assert.equal(answer.status, 200)
  assert.equal('statement' in answer.body, false)
})

test('a deployment does not put off what has become of the rights of a user', async () => {
  const o = await openOrg()
  const person = await addPerson(o, 'leaves')
  assert.equal((await person.call('GET', '/limits')).status, 200)
  await o.call('PATCH', `/sobjects/User/${person.id}`, { body: { IsActive: false } })
  await o.deploy([SPECIMEN])
  assert.equal((await person.call('GET', '/limits')).status, 401)
})
