import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { createUser } from '../support/create-user.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'
import { SPECIMEN, TICKET } from '../support/specimen-schema.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
  await org.deploy([SPECIMEN, TICKET, ...PROJECT_SCHEMA])
})

const create = (object: string, body: unknown) => org.call('POST', `/sobjects/${object}`, { body })
const read = async (object: string, id: string) => (await org.call('GET', `/sobjects/${object}/${id}`)).body

/** A ticket with all that it needs, and more. */
async function ticket(more: object = {}): Promise<Record<string, unknown>> {
  const account = await org.create('Account', { Name: 'Acme' })
  return { Title__c: 'Leak', Room__c: '3.14', Account__c: account, ...more }
}

describe('the answer to a create', () => {
  test('is 201 with the id, success and no errors', async () => {
    const answer = await create('Account/', { Name: 'Acme' })
    assert.equal(answer.status, 201)
    assert.deepEqual(Object.keys(answer.body), ['id', 'success', 'errors'])
    assert.match(answer.body.id, /^001[0-9A-Za-z]{15}$/)
    assert.equal(answer.body.success, true)
    assert.deepEqual(answer.body.errors, [])
  })

  test('has the address of the record, in the canonical spelling and the version of the call', async () => {
    const answer = await org.call('POST', '/services/data/v52.0/sobjects/account', { body: { name: 'Acme' } })
    assert.equal(answer.headers.location, `/services/data/v52.0/sobjects/Account/${answer.body.id}`)
  })
})

describe('what a create stores', () => {
  test('is the same when others are created at once, some of which are refused', async () => {
    const keys = ['k1', 'k1', 'k2', 'k2', 'k3', 'k4']
    const answers = await Promise.all(
      keys.map((External_Key__c) => create('Project__c', { External_Key__c })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 400, 400])
    for (const { status, body } of answers)
      if (status === 201) assert.equal((await read('Project__c', body.id)).Name, body.id)
      else assert.equal(body[0].errorCode, 'DUPLICATE_VALUE')
  })

  test('are the members of the body, whatever the case of their names', async () => {
    const id = await org.create('CONTACT', { lastname: 'King', FIRSTNAME: 'Ada', Email: 'ada@example.com' })
    const { Name, LastName, FirstName, Email } = await read('Contact', id)
    assert.deepEqual([Name, LastName, FirstName, Email], ['Ada King', 'King', 'Ada', 'ada@example.com'])
  })

  test('has the caller as owner, creator and last modifier, and whole seconds as times', async () => {
    const record = await read('Account', await org.create('Account', { Name: 'Acme' }))
    const { OwnerId, CreatedById, LastModifiedById, IsDeleted } = record
    assert.deepEqual([OwnerId, CreatedById, LastModifiedById], [org.userId, org.userId, org.userId])
    assert.equal(IsDeleted, false)
    assert.match(record.CreatedDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+0000$/)
    assert.equal(record.LastModifiedDate, record.CreatedDate)
    assert.equal(record.SystemModstamp, record.CreatedDate)
  })

  test('is what the last of several equal members says', async () => {
    const answer = await org.call('POST', '/sobjects/Account', { text: '{"Name":"first","Name":"last"}' })
    assert.equal((await read('Account', answer.body.id)).Name, 'last')
  })
})

describe('a body that is not a new record', () => {
  test('may have attributes, which are ignored', async () => {
    const attributes = { type: 'account', url: '/anything', other: 1 }
    assert.equal((await create('Account', { attributes, Name: 'Acme' })).status, 201)
    assert.equal((await create('Account', { attributes: null, Name: 'Acme' })).status, 201)
  })

  test('is refused when its attributes name another type', async () => {
    assertRefused(
      await create('Account', { attributes: { type: 'Contact' }, Name: 'Acme' }),
      400,
      'INVALID_TYPE',
      'The attributes name the type Contact, the record is of type Account',
    )
  })

  test('is refused when it has an Id, in any case', async () => {
    for (const member of ['Id', 'id', 'ID']) {
      assertRefused(
        await create('Account', { Name: 'Acme', [member]: '001000000000001AAA' }),
        400,
        'INVALID_FIELD',
        'The Id field should not be specified in the sobject data.',
      )
    }
  })

  test('may have an empty Id, as clients send it that serialize whole objects', async () => {
    for (const member of ['Id', 'id']) {
      const { status, body } = await create('Account', { Name: 'Acme', [member]: null })
      assert.equal(status, 201)
      assert.match(body.id, /^001/)
    }
    const records = [{ attributes: { type: 'Account' }, Id: null, Name: 'Acme' }]
    const collected = await org.call('POST', '/composite/sobjects', { body: { records } })
    assert.equal(collected.body[0].success, true, collected.text)
  })
})

describe('required fields', () => {
  test('that are missing are all named at once, in the order of the describe', async () => {
    const cases: [string, string[]][] = [
      ['Lead', ['LastName', 'Company']],
      ['Opportunity', ['Name', 'StageName', 'CloseDate']],
      ['Ticket__c', ['Title__c', 'Room__c', 'Account__c']],
    ]
    for (const [object, fields] of cases) {
      const message = `Required fields are missing: [${fields.join(', ')}]`
      assertRefused(await create(object, {}), 400, 'REQUIRED_FIELD_MISSING', message, fields)
    }
  })

  test('are missing too when they are null, empty or blank', async () => {
    for (const LastName of [null, '', ' \t\n ']) {
      assertRefused(
        await create('Contact', { FirstName: 'Ada', LastName }),
        400,
        'REQUIRED_FIELD_MISSING',
        'Required fields are missing: [LastName]',
        ['LastName'],
      )
    }
  })

  test('with a default need no value, and null means the default', async () => {
    for (const more of [{}, { Level__c: null }, { Level__c: '' }]) {
      const id = await org.create('Ticket__c', await ticket(more))
      assert.equal((await read('Ticket__c', id)).Level__c, 3)
    }
  })
})

describe('defaults', () => {
  test('fill what the body leaves out', async () => {
    const record = await read('Specimen__c', await org.create('Specimen__c', {}))
    assert.deepEqual([record.Flag__c, record.Raised__c, record.Size__c], [false, true, 'M'])
  })

  test('give way to null, except that a boolean is never null', async () => {
    const body = { Flag__c: null, Raised__c: null, Size__c: null }
    const record = await read('Specimen__c', await org.create('Specimen__c', body))
    assert.deepEqual([record.Flag__c, record.Raised__c, record.Size__c], [false, true, null])
  })

  test('name a custom record after its id when it has no name', async () => {
    for (const body of [{}, { Name: null }, { Name: ' ' }]) {
      const id = await org.create('Specimen__c', body)
      assert.equal((await read('Specimen__c', id)).Name, id)
    }
    const named = await org.create('Specimen__c', { Name: ' Quartz ' })
    assert.equal((await read('Specimen__c', named)).Name, 'Quartz')
  })

  test('count autonumbers up in their format; nobody writes them', async () => {
    const names: string[] = []
    for (let i = 0; i < 3; i++) {
      names.push((await read('Ticket__c', await org.create('Ticket__c', await ticket()))).Name)
    }
    const first = Number(names[0]!.slice(2))
    const expected = [first, first + 1, first + 2].map((n) => `T-${String(n).padStart(5, '0')}`)
    assert.deepEqual(names, expected)
    assertRefused(
      await create('Ticket__c', await ticket({ Name: 'T-00001' })),
      400,
      'INVALID_FIELD_FOR_INSERT_UPDATE',
      /^Unable to create\/update fields: Name\. /,
      ['Name'],
    )
  })
})

describe('the owner', () => {
  test('is the caller when the body says null', async () => {
    const id = await org.create('Account', { Name: 'Acme', OwnerId: null })
    assert.equal((await read('Account', id)).OwnerId, org.userId)
  })

  test('may be an active user, not one who left', async () => {
    const active = await createUser(org, 'active')
    const gone = await createUser(org, 'gone', { IsActive: false })
    const id = await org.create('Account', { Name: 'Acme', OwnerId: active })
    assert.equal((await read('Account', id)).OwnerId, active)
    assertRefused(
      await create('Account', { Name: 'Acme', OwnerId: gone }),
      400,
      'INACTIVE_OWNER_OR_USER',
      `operation performed with inactive user [${gone}] as owner of account`,
      ['OwnerId'],
    )
  })

  test('may be a queue where the object has queues', async () => {
    const queue = await org.create('Group', { Name: 'Support', Type: 'Queue' })
    const id = await org.create('Case', { Subject: 'Leak', OwnerId: queue })
    assert.equal((await read('Case', id)).OwnerId, queue)
    assertRefused(
      await create('Account', { Name: 'Acme', OwnerId: queue }),
      400,
      'MALFORMED_ID',
      `Owner ID: id value of incorrect type: ${queue}`,
      ['OwnerId'],
    )
  })
})

describe('a create without a key', () => {
  test('at X/Id is an upsert that creates, by POST and by PATCH, since 37.0', async () => {
    for (const [method, path] of [
      ['POST', '/sobjects/Account/Id'],
      ['POST', '/sobjects/account/id/'],
      ['PATCH', '/sobjects/Account/Id/'],
    ] as const) {
      const answer = await org.call(method, path, { body: { Name: 'Acme' } })
      assert.equal(answer.status, 201)
      assert.deepEqual(answer.body, { id: answer.body.id, success: true, errors: [], created: true })
      assert.equal(answer.headers.location, `/services/data/v64.0/sobjects/Account/${answer.body.id}`)
    }
    const old = await org.call('POST', '/services/data/v36.0/sobjects/Account/Id', { body: { Name: 'Acme' } })
    assertRefused(old, 404, 'NOT_FOUND', NO_RESOURCE)
  })
})

describe('an object', () => {
  test('that does not exist is not found', async () => {
    assertRefused(await create('Nothing__c', { Name: 'x' }), 404, 'NOT_FOUND', NO_RESOURCE)
  })

  test('whose records only the platform creates refuses with 403', async () => {
    assertRefused(
      await create('Organization', { Name: 'x' }),
      403,
      'INSUFFICIENT_ACCESS',
      'Records of Organization are not createable',
    )
  })
})
