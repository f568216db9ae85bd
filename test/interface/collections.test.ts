import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'

const ROLLED_BACK = {
  statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK',
  message: 'Record rolled back because not all records were valid and the request was using AllOrNone header',
  fields: [],
}

let o: TestOrg
let serial = 0

before(async () => {
  o = await openOrg()
  await o.deploy(PROJECT_SCHEMA)
})

const account = (fields: object) => ({ attributes: { type: 'Account' }, ...fields })
const contact = (fields: object) => ({ attributes: { type: 'Contact' }, ...fields })
const project = (fields: object) => ({ attributes: { type: 'Project__c' }, ...fields })

const send = (method: string, records: readonly unknown[], allOrNone?: boolean, path = '') =>
  o.call(method, `/composite/sobjects${path}`, { body: { allOrNone, records } })

/** The results of a call, which is answered with 200 whatever becomes of its records. */
async function results(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body, text } = await answer
  assert.equal(status, 200, text)
  return body
}

const create = (records: readonly unknown[], allOrNone?: boolean) => results(send('POST', records, allOrNone))
const update = (records: readonly unknown[], allOrNone?: boolean) =>
  results(send('PATCH', records, allOrNone))
const upsert = (records: readonly unknown[], allOrNone?: boolean, path = '/Project__c/External_Key__c') =>
  results(send('PATCH', records, allOrNone, path))
const remove = (ids: readonly string[], allOrNone = false) =>
  results(o.call('DELETE', `/composite/sobjects?ids=${ids.join(',')}&allOrNone=${allOrNone}`))

const unique = () => `key ${serial++}`
const namesLike = async (object: string, name: string) =>
  (await fetchRecords(o, `SELECT Name FROM ${object} WHERE Name LIKE '${name}%' ORDER BY Name`)).map(
    ({ Name }) => Name,
  )

describe('creating a collection', () => {
  test('gives a result for each record in order, whatever their types', async () => {
    const body = await create([
      account({ Name: 'Mixed 1' }),
      contact({ LastName: 'Mixed' }),
      account({ Name: 'Mixed 2' }),
    ])
    assert.equal(body.length, 3)
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id.slice(0, 3)),
      ['001', '003', '001'],
    )
    for (const result of body) assert.deepEqual({ ...result, id: '' }, { id: '', success: true, errors: [] })
    assert.deepEqual(await namesLike('Account', 'Mixed'), ['Mixed 1', 'Mixed 2'])
  })

  test('writes each record as it would be written alone: defaults, owner, different fields', async () => {
    const [a, b] = await create([
      project({ Name: 'Alone 1', Active__c: true, Hours__c: 1.5, Tags__c: 'Blue;Red' }),
      project({
        Name: 'Alone 2',
        Start_Date__c: '2024-05-01',
        Kickoff__c: '2024-05-01T10:00:00Z',
        Open_Time__c: '10:15:00Z',
      }),
    ])
    const records = await fetchRecords(
      o,
      `SELECT Name, Active__c, Hours__c, Tags__c, Start_Date__c, Kickoff__c, Open_Time__c, OwnerId FROM Project__c WHERE Id IN ('${a.id}', '${b.id}') ORDER BY Name`,
    )
    assert.deepEqual(records, [
      {
        Name: 'Alone 1',
        Active__c: true,
        Hours__c: 1.5,
        Tags__c: 'Red;Blue',
        Start_Date__c: null,
        Kickoff__c: null,
        Open_Time__c: null,
        OwnerId: o.userId,
      },
      {
        Name: 'Alone 2',
        Active__c: false,
        Hours__c: null,
        Tags__c: null,
        Start_Date__c: '2024-05-01',
        Kickoff__c: '2024-05-01T10:00:00.000+0000',
        Open_Time__c: '10:15:00.000Z',
        OwnerId: o.userId,
      },
    ])
  })

  test('writes the good records and tells what is wrong with the others', async () => {
    const body = await create([
      account({ Name: 'Good 1' }),
      account({ Phone: '1' }),
      account({ Name: 'Good 2', Nope: 1 }),
      contact({ LastName: 'x', Email: 'none' }),
      contact({ LastName: 'x', AccountId: '001000000000000AAA' }),
      account({ Name: 'Good 3' }),
    ])
    assert.deepEqual(
      body.map(({ success, errors }: { success: boolean; errors: { statusCode: string }[] }) => [
        success,
        errors[0]?.statusCode,
      ]),
      [
        [true, undefined],
        [false, 'REQUIRED_FIELD_MISSING'],
        [false, 'INVALID_FIELD'],
        [false, 'INVALID_EMAIL_ADDRESS'],
        [false, 'INVALID_CROSS_REFERENCE_KEY'],
        [true, undefined],
      ],
    )
    assert.deepEqual(body[1], {
      success: false,
      errors: [
        {
          statusCode: 'REQUIRED_FIELD_MISSING',
          message: 'Required fields are missing: [Name]',
          fields: ['Name'],
        },
      ],
    })
    assert.deepEqual(await namesLike('Account', 'Good'), ['Good 1', 'Good 3'])
  })

  test('with allOrNone writes nothing when one is wrong, and the others say so', async () => {
    const body = await create(
      [account({ Name: 'None 1' }), contact({ LastName: 'x', Email: 'none' }), account({ Name: 'None 2' })],
      true,
    )
    assert.deepEqual(body[0], { success: false, errors: [ROLLED_BACK] })
    assert.equal(body[1].errors[0].statusCode, 'INVALID_EMAIL_ADDRESS')
    assert.deepEqual(body[2], { success: false, errors: [ROLLED_BACK] })
    assert.deepEqual(await namesLike('Account', 'None'), [])
  })

  test('finds values that are taken, in the table and in the list itself', async () => {
    const [taken, twice] = [unique(), unique()]
    const [{ id }] = await create([project({ Name: 'Taken', External_Key__c: taken })])
    const body = await create([
      project({ Name: 'Dup 1', External_Key__c: taken.toUpperCase() }),
      project({ Name: 'Dup 2', External_Key__c: twice }),
      project({ Name: 'Dup 3', External_Key__c: twice.toUpperCase() }),
      project({ Name: 'Dup 4' }),
    ])
    assert.deepEqual(body[0].errors, [
      {
        statusCode: 'DUPLICATE_VALUE',
        message: `duplicate value found: External_Key__c duplicates value on record with id: ${id.slice(0, 15)}`,
        fields: [],
      },
    ])
    assert.equal(body[2].errors[0].statusCode, 'DUPLICATE_VALUE')
    assert.deepEqual(await namesLike('Project__c', 'Dup'), ['Dup 2', 'Dup 4'])
  })

  test('finds parents by their keys, each by its own', async () => {
    const key = unique()
    const [{ id }] = await create([project({ Name: 'Parent', External_Key__c: key })])
    const milestone = (reference: unknown) => ({
      attributes: { type: 'Milestone__c' },
      Name: 'm',
      Project__r: reference,
    })
    const body = await create([
      milestone({ External_Key__c: key }),
      milestone({ External_Key__c: 'nobody' }),
      milestone({ External_Key__c: key.toUpperCase() }),
      milestone({ Nope: 1 }),
    ])
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false, true, false],
    )
    assert.equal(
      body[1].errors[0].message,
      'Foreign key external ID: nobody not found for field External_Key__c in entity Project__c',
    )
    assert.equal((await fetchRecords(o, `SELECT Id FROM Milestone__c WHERE Project__c = '${id}'`)).length, 2)
  })

  test('takes 200 records and refuses 201', async () => {
    const many = Array.from({ length: 201 }, (_, n) => account({ Name: `Many ${n}` }))
    assertRefused(
      await send('POST', many),
      400,
      'EXCEEDED_ID_LIMIT',
      'record limit reached. cannot submit more than 200 records into this call',
    )
    assert.equal((await create(many.slice(1))).length, 200)
    assert.equal((await namesLike('Account', 'Many')).length, 200)
  })

  test('is refused as a whole when the call itself is wrong', async () => {
    assertRefused(
      await send('POST', [{ Name: 'x' }]),
      400,
      'INVALID_INPUT',
      'Each record needs attributes with a type',
    )
    assertRefused(
      await send('POST', [{ attributes: { type: 'Nope' } }]),
      400,
      'INVALID_TYPE',
      /'Nope' is not supported/,
    )
    assertRefused(
      await send('POST', ['x']),
      400,
      'JSON_PARSER_ERROR',
      /instance of sobject from VALUE_STRING/,
    )
    const call = (body: unknown) => o.call('POST', '/composite/sobjects', { body })
    assertRefused(await call({}), 400, 'INVALID_INPUT', 'The body needs a list of records')
    assertRefused(await call([]), 400, 'JSON_PARSER_ERROR', /instance of object from START_ARRAY/)
    assertRefused(
      await call({ records: [], allOrNone: 'yes' }),
      400,
      'JSON_PARSER_ERROR',
      /instance of boolean/,
    )
    assertRefused(await call({ records: [], all: 1 }), 400, 'JSON_PARSER_ERROR', /Unrecognized field "all"/)
  })

  test('shows where in the body a value of the wrong kind is', async () => {
    const text =
      '{"records":[\n{"attributes":{"type":"Account"},"Name":"Ok"},\n{"attributes":{"type":"Account"},"Name":["x"]}]}'
    const [, refused] = await results(o.call('POST', '/composite/sobjects', { text }))
    assert.match(refused.errors[0].message, /instance of string from START_ARRAY .* \[line:3, column:41\]/)
  })

  test('of nothing gives nothing', async () => assert.deepEqual(await create([]), []))
})

describe('updating a collection', () => {
  test('changes the given fields of each, by id or Id, in any order', async () => {
    const [a, b, c] = await create([
      account({ Name: 'Up 1', Phone: '1' }),
      contact({ LastName: 'Up' }),
      account({ Name: 'Up 2', Phone: '2' }),
    ])
    const body = await update([
      account({ Id: c.id, Phone: '22', Site: 's' }),
      contact({ id: b.id, FirstName: 'F' }),
      account({ id: a.id.slice(0, 15), Phone: null }),
    ])
    assert.deepEqual(
      body,
      [c.id, b.id, a.id].map((id) => ({ id, success: true, errors: [] })),
    )
    assert.deepEqual(
      await fetchRecords(o, "SELECT Name, Phone, Site FROM Account WHERE Name LIKE 'Up %' ORDER BY Name"),
      [
        { Name: 'Up 1', Phone: null, Site: null },
        { Name: 'Up 2', Phone: '22', Site: 's' },
      ],
    )
  })

  test('tells what is wrong with which record, and changes the others', async () => {
    const [a, b, c] = await create(['Part 1', 'Part 2', 'Part 3'].map((Name) => account({ Name })))
    await remove([b.id])
    const body = await update([
      account({ Phone: '1' }),
      account({ id: 'nonsense', Phone: '1' }),
      account({ id: b.id, Phone: '1' }),
      account({ id: '001000000000000AAA', Phone: '1' }),
      account({ id: o.userId, Phone: '1' }),
      account({ id: a.id, Name: null }),
      account({ id: c.id, Phone: '1' }),
    ])
    assert.deepEqual(
      body.map(({ id, success, errors }: Answer['body']) => [id, success, errors[0]?.statusCode]),
      [
        [undefined, false, 'MISSING_ARGUMENT'],
        [undefined, false, 'MALFORMED_ID'],
        [b.id, false, 'ENTITY_IS_DELETED'],
        ['001000000000000AAA', false, 'INVALID_CROSS_REFERENCE_KEY'],
        [undefined, false, 'MALFORMED_ID'],
        [a.id, false, 'REQUIRED_FIELD_MISSING'],
        [c.id, true, undefined],
      ],
    )
    assert.deepEqual(body[0].errors[0], {
      statusCode: 'MISSING_ARGUMENT',
      message: 'Id not specified in an update call',
      fields: ['Id'],
    })
  })

  test('with allOrNone changes nothing when one is wrong; what was rolled back keeps its id', async () => {
    const [a] = await create([account({ Name: 'Back', Phone: '1' })])
    const body = await update(
      [account({ id: a.id, Phone: '2' }), contact({ id: '003000000000000AAA', LastName: 'x' })],
      true,
    )
    assert.deepEqual(body[0], { id: a.id, success: false, errors: [ROLLED_BACK] })
    assert.equal(body[1].errors[0].statusCode, 'INVALID_CROSS_REFERENCE_KEY')
    assert.deepEqual(await fetchRecords(o, "SELECT Phone FROM Account WHERE Name = 'Back'"), [{ Phone: '1' }])
  })

  test('of one record twice makes neither change, unless the setting is lenient or other objects are between', async () => {
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    const patch = async (org: TestOrg, records: readonly object[], path = '/composite/sobjects') =>
      (await org.call('PATCH', path, { body: { records } })).body
    const contact = await o.create('Contact', { LastName: 'between' })
    for (const [org, path] of [
      [o, undefined],
      [o, '/composite/sobjects/Account/Id'],
      [lenient, undefined],
    ] as const) {
      const id = await org.create('Account', { Name: 'Twice' })
      const other = await org.create('Account', { Name: 'Once' })
      const [first, second] = [
        account({ id, Phone: '1', Site: 'x' }),
        account({ id: id.slice(0, 15), Phone: '2' }),
      ]
      const body = await patch(org, [first, account({ id: other, Phone: '3' }), second], path)
      const { Phone, Site } = (await org.call('GET', `/sobjects/Account/${id}`)).body
      if (org === lenient) {
        assert.deepEqual([Phone, Site], ['2', 'x'])
        continue
      }
      for (const result of [body[0], body[2]]) {
        assert.equal(result.success, false)
        assert.deepEqual(result.errors, [
          { statusCode: 'DUPLICATE_VALUE', message: `Duplicate id specified: ${id}`, fields: ['Id'] },
        ])
      }
      assert.deepEqual([body[1].success, Phone, Site], [true, null, null])
      if (path !== undefined) continue
      const between = { attributes: { type: 'Contact' }, id: contact, Phone: '1' }
      const apart = await patch(org, [first, between, second])
      assert.ok(apart.every(({ success }: { success: boolean }) => success))
    }
  })

  test('lets two records swap nothing that must be unique', async () => {
    const [x, y] = [unique(), unique()]
    const [a, b] = await create([
      project({ Name: 'A', External_Key__c: x }),
      project({ Name: 'B', External_Key__c: y }),
    ])
    const body = await update([project({ id: a.id, External_Key__c: y }), project({ id: b.id, Name: 'C' })])
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [false, true],
    )
    assert.match(body[0].errors[0].message, new RegExp(b.id.slice(0, 15)))
  })
})

describe('upserting a collection', () => {
  test('updates what is there and creates the others', async () => {
    const [known, fresh] = [unique(), unique()]
    const [{ id }] = await create([project({ Name: 'Known', External_Key__c: known })])
    const body = await upsert([
      project({ External_Key__c: fresh, Name: 'Fresh' }),
      project({ External_Key__c: known.toUpperCase(), Name: 'Changed' }),
    ])
    assert.deepEqual(body[1], { id, success: true, errors: [], created: false })
    assert.equal(body[0].created, true)
    assert.deepEqual(
      await fetchRecords(
        o,
        `SELECT Name FROM Project__c WHERE Id IN ('${id}', '${body[0].id}') ORDER BY Name`,
      ),
      [{ Name: 'Changed' }, { Name: 'Fresh' }],
    )
  })

  test('tells what is wrong with which record', async () => {
    const key = unique()
    const body = await upsert([
      project({ Name: 'no key' }),
      project({ External_Key__c: key, Name: 'first' }),
      project({ External_Key__c: key.toUpperCase(), Name: 'again' }),
      project({ External_Key__c: unique(), Name: 'other' }),
      project({ External_Key__c: unique(), Nope: 1 }),
    ])
    assert.deepEqual(
      body.map(({ success, created, errors }: Answer['body']) => [success, created, errors[0]?.statusCode]),
      [
        [false, false, 'MISSING_ARGUMENT'],
        [false, false, 'DUPLICATE_VALUE'],
        [false, false, 'DUPLICATE_VALUE'],
        [true, true, undefined],
        [false, true, 'INVALID_FIELD'],
      ],
    )
    assert.deepEqual(await namesLike('Project__c', 'first'), [])
  })

  test('refuses a key that several records have', async () => {
    await create([account({ Name: 'x', AccountNumber: 'several' })])
    await o.deploy([
      {
        name: 'Account',
        label: 'Account',
        labelPlural: 'Accounts',
        keyPrefix: '001',
        fields: [{ name: 'Loose__c', label: 'Loose', type: 'string', length: 20, externalId: true }],
      },
    ])
    const several = await create([
      account({ Name: 'L1', Loose__c: 'l' }),
      account({ Name: 'L2', Loose__c: 'l' }),
    ])
    const [refused] = await upsert([account({ Loose__c: 'l', Name: 'L3' })], false, '/Account/Loose__c')
    assert.equal(refused.errors[0].statusCode, 'DUPLICATE_EXTERNAL_ID')
    assert.equal(
      refused.errors[0].message,
      `More than one record found for external id field: [${several.map(({ id }: { id: string }) => id).join(', ')}]`,
    )
  })

  test('with allOrNone writes nothing when one is wrong, and every result says created', async () => {
    const [known, fresh] = [unique(), unique()]
    const [{ id }] = await create([project({ Name: 'Kept', External_Key__c: known })])
    const body = await upsert(
      [
        project({ External_Key__c: known, Name: 'Lost' }),
        project({ External_Key__c: fresh, Name: 'Lost too' }),
        project({ External_Key__c: unique(), Status__c: 'x'.repeat(300) }),
      ],
      true,
    )
    assert.deepEqual(body[0], { id, success: false, errors: [ROLLED_BACK], created: false })
    assert.deepEqual(body[1].errors, [ROLLED_BACK])
    assert.equal(body[2].success, false)
    for (const { created } of body) assert.equal(typeof created, 'boolean')
    assert.deepEqual(await namesLike('Project__c', 'Lost'), [])
  })

  test('by Id updates records that have one and creates the others', async () => {
    const [a] = await create([account({ Name: 'ById' })])
    const body = await upsert(
      [
        account({ Id: null, Name: 'ById new' }),
        account({ Id: a.id, Phone: '7' }),
        account({ Name: 'ById bare' }),
      ],
      false,
      '/Account/Id',
    )
    assert.deepEqual(
      body.map(({ created }: { created: boolean }) => created),
      [true, false, true],
    )
    assert.deepEqual(await namesLike('Account', 'ById'), ['ById', 'ById bare', 'ById new'])
  })

  test('is refused as a whole for another type or a field that is no key', async () => {
    assertRefused(
      await send('PATCH', [account({})], false, '/Project__c/External_Key__c'),
      400,
      'INVALID_INPUT',
      /must be of the type in the address/,
    )
    assertRefused(
      await send('PATCH', [], false, '/Project__c/Notes__c'),
      404,
      'NOT_FOUND',
      /Provided external ID field does not exist/,
    )
    assertRefused(await send('PATCH', [], false, '/Nope/Id'), 400, 'INVALID_TYPE', /'Nope'/)
  })
})

describe('deleting a collection', () => {
  test('deletes each, of whatever type', async () => {
    const [a, b] = await create([account({ Name: 'Del' }), contact({ LastName: 'Del' })])
    assert.deepEqual(await remove([a.id, b.id.slice(0, 15)]), [
      { id: a.id, success: true, errors: [] },
      { id: b.id, success: true, errors: [] },
    ])
    assert.deepEqual(await namesLike('Account', 'Del'), [])
  })

  test('tells what is wrong with which, and deletes the others', async () => {
    const [a] = await create([account({ Name: 'Del' })])
    const body = await remove([a.id, a.id, 'nonsense', '001000000000000AAA'])
    assert.deepEqual(
      body.map(({ id, success, errors }: Answer['body']) => [id, success, errors[0]?.statusCode]),
      [
        [a.id, true, undefined],
        [a.id, false, 'ENTITY_IS_DELETED'],
        [undefined, false, 'MALFORMED_ID'],
        ['001000000000000AAA', false, 'INVALID_CROSS_REFERENCE_KEY'],
      ],
    )
  })

  test('with allOrNone deletes nothing when one is wrong', async () => {
    const [a] = await create([account({ Name: 'Stays' })])
    const body = await remove([a.id, '001000000000000AAA'], true)
    assert.deepEqual(body[0], { id: a.id, success: false, errors: [ROLLED_BACK] })
    assert.deepEqual(await namesLike('Account', 'Stays'), ['Stays'])
  })

  test('needs ids, 200 at most', async () => {
    assertRefused(
      await o.call('DELETE', '/composite/sobjects'),
      400,
      'MISSING_ARGUMENT',
      'The parameter ids is required',
    )
    const ids = Array(201).fill('001000000000000AAA').join(',')
    assertRefused(await o.call('DELETE', `/composite/sobjects?ids=${ids}`), 400, 'EXCEEDED_ID_LIMIT', /200/)
  })
})

describe('reading a collection', () => {
  test('gives the asked fields in the order of the ids, and null for what is no record', async () => {
    const [a, b, gone] = await create([
      account({ Name: 'R1' }),
      account({ Name: 'R2', Phone: '2' }),
      account({ Name: 'R3' }),
    ])
    await remove([gone.id])
    const ids = [b.id, gone.id, 'nonsense', a.id.slice(0, 15), o.userId]
    const record = (id: string, fields: object) => ({
      attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${id}` },
      ...fields,
      Id: id,
    })
    const expected = [
      record(b.id, { Name: 'R2', Phone: '2' }),
      null,
      null,
      record(a.id, { Name: 'R1', Phone: null }),
      null,
    ]
    assert.deepEqual(
      await results(o.call('GET', `/composite/sobjects/Account?ids=${ids.join(',')}&fields=Name,phone`)),
      expected,
    )
    assert.deepEqual(
      await results(
        o.call('POST', '/composite/sobjects/account', { body: { ids, fields: ['name', 'Phone'] } }),
      ),
      expected,
    )
  })

  test('refuses a field that is not there, no fields, no ids, and more than 2,000 of them', async () => {
    const read = (body: unknown) => o.call('POST', '/composite/sobjects/Account', { body })
    const id = '001000000000000AAA'
    assertRefused(await read({ ids: [id], fields: ['Nope'] }), 400, 'INVALID_FIELD', /No such column 'Nope'/)
    assertRefused(await read({ ids: [id] }), 400, 'MISSING_ARGUMENT', 'fields are required')
    assertRefused(await read({ fields: ['Id'] }), 400, 'MISSING_ARGUMENT', 'ids are required')
    assertRefused(await read({ ids: Array(2001).fill(id), fields: ['Id'] }), 400, 'EXCEEDED_ID_LIMIT', /2000/)
    assert.equal((await read({ ids: Array(2000).fill(id), fields: ['Id'] })).body.length, 2000)
    assertRefused(
      await o.call('GET', '/composite/sobjects/Nope?ids=a&fields=Id'),
      400,
      'INVALID_TYPE',
      /'Nope'/,
    )
  })
})

test('Collections are there from version 42.0, their upsert from 46.0', async () => {
  const at = (version: number, method: string, path: string) =>
    o.call(method, `/services/data/v${version}.0/composite/sobjects${path}`, { body: { records: [] } })
  assert.equal((await at(41, 'POST', '')).status, 404)
  assert.equal((await at(42, 'POST', '')).status, 200)
  assert.equal((await at(45, 'PATCH', '/Account/Id')).status, 404)
  assert.equal((await at(46, 'PATCH', '/Account/Id')).status, 200)
})
