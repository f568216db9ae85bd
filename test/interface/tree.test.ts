import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords, fetchResult } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg
let serial = 0

before(async () => {
  o = await openOrg()
  await o.deploy(HIERARCHY_SCHEMA)
})

const plant = (object: string, records: unknown) =>
  o.call('POST', `/composite/tree/${object}`, { body: { records } })

/** A record with a reference id of its own, and the records below it. */
function node(
  type: string,
  fields: Record<string, unknown>,
  below: Record<string, unknown[]> = {},
  referenceId = `r${serial++}`,
) {
  const branches = Object.fromEntries(Object.entries(below).map(([name, records]) => [name, { records }]))
  return { attributes: { type, referenceId }, ...fields, ...branches }
}

const account = (Name: string, below?: Record<string, unknown[]>, referenceId?: string) =>
  node('Account', { Name }, below, referenceId)
const contact = (LastName: string, below?: Record<string, unknown[]>, referenceId?: string) =>
  node('Contact', { LastName }, below, referenceId)

const fetchCount = async (object: string) => (await fetchResult(o, `SELECT COUNT() FROM ${object}`)).totalSize

/** Nothing is written by a tree that is refused. */
async function refused(answer: Promise<Answer>, objects = ['Account', 'Contact']): Promise<Answer> {
  const before = await Promise.all(objects.map(fetchCount))
  const { status, ...rest } = await answer
  assert.equal(status, 400, rest.text)
  assert.deepEqual(await Promise.all(objects.map(fetchCount)), before)
  return { status, ...rest }
}

describe('an object tree', () => {
  test('inserts the records with those below them, and gives the ids by reference, roots first', async () => {
    const { status, body } = await plant('Account', [
      account(
        'Root 1',
        {
          Contacts: [contact('C1', {}, 'c1'), contact('C2', {}, 'c2')],
          ChildAccounts: [account('Sub', {}, 's')],
        },
        'r1',
      ),
      account('Root 2', { Contacts: [contact('C3', {}, 'c3')] }, 'r2'),
    ])
    assert.equal(status, 201)
    assert.equal(body.hasErrors, false)
    const names = body.results.map(({ referenceId }: { referenceId: string }) => referenceId)
    assert.deepEqual(names, ['r1', 'r2', 'c1', 'c2', 's', 'c3'])
    const idOf = Object.fromEntries(
      body.results.map(({ referenceId, id }: Record<string, string>) => [referenceId, id]),
    )
    assert.deepEqual(
      await fetchRecords(
        o,
        `SELECT LastName, AccountId FROM Contact WHERE AccountId IN ('${idOf.r1}', '${idOf.r2}') ORDER BY LastName`,
      ),
      [
        { LastName: 'C1', AccountId: idOf.r1 },
        { LastName: 'C2', AccountId: idOf.r1 },
        { LastName: 'C3', AccountId: idOf.r2 },
      ],
    )
    assert.deepEqual(await fetchRecords(o, `SELECT ParentId FROM Account WHERE Id = '${idOf.s}'`), [
      { ParentId: idOf.r1 },
    ])
  })

  test('goes five levels deep, through master-detail and lookup relationships, names without case', async () => {
    const { status, body } = await plant('House__c', [
      node(
        'house__c',
        { NAME: 'H' },
        {
          Annexes__r: [
            node(
              'House__c',
              { Name: 'A' },
              {
                rooms__R: [node('Room__c', { Name: 'R' }, { Chairs__r: [node('Chair__c', { Name: 'C' })] })],
              },
            ),
          ],
        },
      ),
    ])
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual(
      await fetchRecords(
        o,
        "SELECT Name, Room__r.Name, Room__r.House__r.Name, Room__r.House__r.Annex__r.Name FROM Chair__c WHERE Name = 'C'",
      ),
      [{ Name: 'C', Room__r: { Name: 'R', House__r: { Name: 'A', Annex__r: { Name: 'H' } } } }],
    )
    const deep = (level: number): unknown =>
      account(`Deep ${level}`, level === 1 ? {} : { ChildAccounts: [deep(level - 1)] })
    assert.equal((await plant('Account', [deep(5)])).status, 201)
    const { body: tooDeep } = await refused(plant('Account', [deep(6)]))
    assert.equal(tooDeep[0].message, 'A tree may have at most 5 levels')
  })

  test('names only the records that fail, and writes nothing', async () => {
    const { body } = await refused(
      plant('Account', [
        account('Good', {
          Contacts: [contact('Good'), node('Contact', { LastName: 'Bad', Email: '123' }, {}, 'bad')],
        }),
        account('Good 2', { Contacts: [node('Contact', { FirstName: 'No last name' }, {}, 'bad2')] }),
      ]),
    )
    assert.deepEqual(body, {
      hasErrors: true,
      results: [
        {
          referenceId: 'bad',
          errors: [
            {
              statusCode: 'INVALID_EMAIL_ADDRESS',
              message: 'Email: invalid email address: 123',
              fields: ['Email'],
            },
          ],
        },
        {
          referenceId: 'bad2',
          errors: [
            {
              statusCode: 'REQUIRED_FIELD_MISSING',
              message: 'Required fields are missing: [LastName]',
              fields: ['LastName'],
            },
          ],
        },
      ],
    })
  })

  test('whose value is taken names that record', async () => {
    const room = (door: string, referenceId: string) =>
      node('Room__c', { Name: 'r', Door__c: door }, {}, referenceId)
    assert.equal(
      (await plant('House__c', [node('House__c', { Name: 'h' }, { Rooms__r: [room('d1', 'x')] })])).status,
      201,
    )
    const { body } = await refused(
      plant('House__c', [node('House__c', { Name: 'h' }, { Rooms__r: [room('d2', 'a'), room('D1', 'b')] })]),
      ['House__c', 'Room__c'],
    )
    assert.deepEqual(
      body.results.map(({ referenceId }: { referenceId: string }) => referenceId),
      ['b'],
    )
    assert.equal(body.results[0].errors[0].statusCode, 'DUPLICATE_VALUE')
  })

  test('with a column that is not there is refused as a whole', async () => {
    const { body } = await refused(plant('Account', [{ ...account('x'), Nope: 1 }]))
    assert.deepEqual(body, [
      { message: "No such column 'Nope' on sobject of type Account", errorCode: 'INVALID_FIELD', fields: [] },
    ])
  })

  test('shows where in the body a value of the wrong kind is', async () => {
    const text =
      '{"records":[{"attributes":{"type":"Account","referenceId":"a"},"Name":"n",\n"Contacts":{"records":[{"attributes":{"type":"Contact","referenceId":"c"},"LastName":[]}]}}]}'
    const answer = await refused(o.call('POST', '/composite/tree/Account', { text }))
    assertRefused(
      answer,
      400,
      'JSON_PARSER_ERROR',
      /instance of string from START_ARRAY .* \[line:2, column:\d+\]/,
    )
  })

  test('needs a reference id for each record, and each its own', async () => {
    const { body } = await refused(
      plant('Account', [
        { attributes: { type: 'Account' }, Name: 'none' },
        account('one', {}, 'same'),
        account('two', { Contacts: [contact('three', {}, 'same')] }, 'other'),
        account('odd', {}, '_odd'),
      ]),
    )
    const missing = {
      statusCode: 'INVALID_INPUT',
      message: 'Include a reference ID with the record to insert.',
      fields: [],
    }
    const twice = {
      statusCode: 'INVALID_INPUT',
      message: 'Duplicate ReferenceId provided in the request.',
      fields: [],
    }
    assert.deepEqual(body, {
      hasErrors: true,
      results: [
        { errors: [missing] },
        { referenceId: 'same', errors: [twice] },
        { errors: [missing] },
        { referenceId: 'same', errors: [twice] },
      ],
    })
  })

  for (const [what, object, records, code, message] of [
    ['no records', 'Account', [], 'INVALID_INPUT', 'The body needs a list of records'],
    ['an object that is not there', 'Nope', [], 'INVALID_TYPE', /'Nope' is not supported/],
    [
      'a record without attributes',
      'Account',
      [{ Name: 'x' }],
      'INVALID_INPUT',
      'Each record needs attributes with a type',
    ],
    [
      'a root of another type',
      'Account',
      [contact('x')],
      'INVALID_INPUT',
      'A record of type Contact stands where Account is expected',
    ],
    [
      'a child of another type',
      'Account',
      [account('x', { Contacts: [account('y')] })],
      'INVALID_INPUT',
      'A record of type Account stands where Contact is expected',
    ],
    [
      'a child that names its parent',
      'Account',
      [account('x', { Contacts: [node('Contact', { LastName: 'y', AccountId: null })] })],
      'INVALID_INPUT',
      'AccountId of Contact is set by its place in the tree and may not be given',
    ],
    [
      'a child that names its parent by a key',
      'Account',
      [account('x', { Contacts: [node('Contact', { LastName: 'y', Account: { Name: 'z' } })] })],
      'INVALID_INPUT',
      /^Account of Contact is set by its place/,
    ],
    [
      'a relationship that is not there',
      'Account',
      [account('x', { Nopes: [] })],
      'INVALID_FIELD',
      "No such column 'Nopes' on sobject of type Account",
    ],
    [
      'something that is no record',
      'Account',
      ['x'],
      'JSON_PARSER_ERROR',
      /instance of sobject from VALUE_STRING/,
    ],
    [
      'more than 200 records',
      'Account',
      Array.from({ length: 100 }, (_, n) => account(`a${n}`, { Contacts: [contact('c'), contact('d')] })),
      'INVALID_INPUT',
      'A request may have at most 200 records',
    ],
    [
      'more than five types',
      'Account',
      [
        account('a', {
          Contacts: [contact('c')],
          Opportunities: [node('Opportunity', {})],
          Cases: [node('Case', {})],
          Contracts: [node('Contract', {})],
          Assets: [node('Asset', {})],
        }),
      ],
      'INVALID_INPUT',
      'A request may have records of at most 5 types',
    ],
  ] as const) {
    test(`with ${what} is refused`, async () => {
      assertRefused(await refused(plant(object, records)), 400, code, message)
    })
  }

  test('takes 200 records over all trees', async () => {
    const before = await fetchCount('Contact')
    const { status, body } = await plant(
      'Account',
      Array.from({ length: 100 }, (_, n) => account(`full ${n}`, { Contacts: [contact('c')] })),
    )
    assert.equal(status, 201)
    assert.equal(body.results.length, 200)
    assert.equal(await fetchCount('Contact'), before + 100)
  })

  test('is refused for an object whose records clients may not create', async () => {
    const answer = await plant('RecordType', [node('RecordType', { Name: 'x' })])
    assert.ok([400, 403].includes(answer.status), answer.text)
  })
})
