import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { account, contact } from '../support/sf-files.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* Batches of an import in the admin API: each is written once, however often it is sent. */

interface Result {
  readonly id?: string
  readonly success: boolean
  readonly created?: boolean
  readonly errors: readonly { readonly statusCode: string }[]
}

let o: TestOrg

before(async () => {
  o = await openOrg()
  const definition = { name: 'Account', label: 'Account', labelPlural: 'Accounts', keyPrefix: '001' }
  const key = {
    name: 'Key__c',
    label: 'Key',
    type: 'string',
    length: 40,
    externalId: true,
    unique: true,
  } as const
  await o.deploy([{ ...definition, fields: [key] }])
})

const IMPORTS = '/setup/orgs/current/imports'

const send = (job: string, number: number | string, batch: object) =>
  o.call('PUT', `${IMPORTS}/${job}/batches/${number}`, { body: batch })

const insert = (...records: object[]) => ({ operation: 'insert', object: 'Account', records })

async function sendBatch(job: string, number: number, batch: object) {
  const { status, body, text } = await send(job, number, batch)
  assert.equal(status, 200, text)
  return body.results
}

const namesLike = (pattern: string) => fetchNames(o, `Account WHERE Name LIKE '${pattern}' ORDER BY Name`)

test('every record of a batch has its own result; refused ones leave the others alone', async () => {
  const [first, second, third] = await sendBatch(
    'own',
    1,
    insert({ Name: 'own 1' }, { Phone: '1' }, { Name: 'own 3' }),
  )
  assert.match(first.id, /^001/)
  assert.deepEqual(first, { id: first.id, success: true, errors: [] })
  assert.deepEqual(second, {
    success: false,
    errors: [
      {
        statusCode: 'REQUIRED_FIELD_MISSING',
        message: 'Required fields are missing: [Name]',
        fields: ['Name'],
      },
    ],
  })
  assert.equal(third.success, true)
  assert.deepEqual(await namesLike('own%'), ['own 1', 'own 3'])
})

test('a value of the wrong kind is reported with its field', async () => {
  const [result] = await sendBatch('kind', 1, insert({ Name: 'kind', NumberOfEmployees: 'many' }))
  const [error] = result.errors
  assert.deepEqual(
    [error.statusCode, error.fields],
    ['INVALID_TYPE_ON_FIELD_IN_RECORD', ['NumberOfEmployees']],
  )
})

test('a batch that is sent again is not written again and has the same results', async () => {
  const batch = insert({ Name: 'again 1' }, { Nope: 1 }, { Name: 'again 3' })
  const results = await sendBatch('again', 1, batch)
  assert.deepEqual(await sendBatch('again', 1, batch), results)
  assert.deepEqual(await namesLike('again%'), ['again 1', 'again 3'])
})

test('a batch that several send at once is written once, and all get its results', async () => {
  const batch = insert(...Array.from({ length: 20 }, (_, n) => ({ Name: `at once ${n}` })))
  const sent = await Promise.all(Array.from({ length: 6 }, () => sendBatch('at-once', 1, batch)))
  for (const results of sent) assert.deepEqual(results, sent[0])
  assert.equal((await namesLike('at once%')).length, 20)
})

test('batches of another number or of another import are written', async () => {
  for (const [job, number] of [
    ['one', 1],
    ['one', 2],
    ['two', 1],
  ] as const) {
    await sendBatch(job, number, insert({ Name: 'another' }))
  }
  assert.equal((await namesLike('another')).length, 3)
})

test('an import that was forgotten is a new one', async () => {
  await sendBatch('forgotten', 1, insert({ Name: 'forgotten' }))
  for (const _ of [1, 2]) assert.equal((await o.call('DELETE', `${IMPORTS}/forgotten`)).status, 204)
  await sendBatch('forgotten', 1, insert({ Name: 'forgotten' }))
  assert.equal((await namesLike('forgotten')).length, 2)
})

test('an import of which nothing came for two days is forgotten when another one starts', async () => {
  const batch = insert({ Name: 'old' })
  const age = (job: string, hours: number) =>
    o.db.query(sql`
      update ${sql.id(o.org.schemaName, '_import_batch')}
      set written_at = now() - ${hours}::integer * interval '1 hour' where job = ${job}`)
  for (const job of ['old', 'young']) await sendBatch(job, 2, batch)
  await age('old', 49)
  await age('young', 47)
  await sendBatch('new', 2, insert({ Name: 'new' }))
  await sendBatch('old', 2, batch)
  assert.deepEqual(await namesLike('old'), ['old', 'old'])
  await sendBatch('new', 1, insert({ Name: 'new' }))
  for (const job of ['old', 'young']) await sendBatch(job, 2, batch)
  assert.deepEqual(await namesLike('old'), ['old', 'old', 'old'])
})

test('an update names records by their ids and reports on each', async () => {
  const Id = await o.create('Account', { Name: 'before' })
  const gone = await o.create('Account', { Name: 'gone' })
  await o.call('DELETE', `/sobjects/Account/${gone}`)
  const records = [{ Id, Name: 'after' }, { Id: gone, Name: 'x' }, { Name: 'no id' }, { Id: 'no id' }]
  const results = await sendBatch('update', 1, { operation: 'update', object: 'account', records })
  assert.deepEqual(
    results.map(({ id, success, errors }: Result) => [id, success, errors[0]?.statusCode]),
    [
      [Id, true, undefined],
      [gone, false, 'ENTITY_IS_DELETED'],
      [undefined, false, 'MISSING_ARGUMENT'],
      [undefined, false, 'MALFORMED_ID'],
    ],
  )
  assert.deepEqual(await namesLike('after'), ['after'])
})

test('an upsert reports what it created, also when it is sent again', async () => {
  await o.create('Account', { Name: 'known', Key__c: 'k1' })
  const records = ['k1', 'k2', null].map((Key__c, n) => ({ Key__c, Name: `upsert ${n}` }))
  const batch = { operation: 'upsert', object: 'Account', key: 'key__c', records }
  const results = await sendBatch('upsert', 1, batch)
  assert.deepEqual(
    results.map(({ success, created }: Result) => [success, created]),
    [
      [true, false],
      [true, true],
      [false, false],
    ],
  )
  assert.deepEqual(await sendBatch('upsert', 1, batch), results)
  assert.deepEqual(await namesLike('upsert%'), ['upsert 0', 'upsert 1'])
})

const tree = (...records: object[]) => ({ operation: 'tree', object: 'Account', records })

const family = (name: string, ...children: object[]) =>
  account(name, { Name: `tree ${name}`, Contacts: { records: children } })

test('each tree is there as a whole or not at all, whatever becomes of the others', async () => {
  const batch = tree(
    family('one', contact('a', { LastName: 'A' }), contact('b', { LastName: 'B' })),
    family('two', contact('c', { LastName: 'C' }), contact('d', { FirstName: 'Nameless' })),
    family('three', contact('e', { LastName: 'E' })),
  )
  const results = await sendBatch('trees', 1, batch)
  const [one, two, three] = results
  assert.deepEqual(Object.keys(one.references), ['one', 'a', 'b'])
  assert.equal(one.references.one, one.id)
  assert.match(one.references.b, /^003/)
  assert.deepEqual(two, {
    success: false,
    errors: [
      {
        statusCode: 'REQUIRED_FIELD_MISSING',
        message: 'Required fields are missing: [LastName]',
        fields: ['LastName'],
        referenceId: 'd',
      },
    ],
  })
  assert.deepEqual(Object.keys(three.references), ['three', 'e'])
  assert.deepEqual(await sendBatch('trees', 1, batch), results)
  assert.deepEqual(await namesLike('tree%'), ['tree one', 'tree three'])
  const contacts = "SELECT LastName FROM Contact WHERE Account.Name LIKE 'tree%' ORDER BY LastName"
  assert.deepEqual(
    (await fetchRecords(o, contacts)).map(({ LastName }) => LastName),
    ['A', 'B', 'E'],
  )
})

test('an invalid tree is refused by itself', async () => {
  const results = await sendBatch('no-tree', 1, tree(family('four'), { Name: 'no attributes' }))
  assert.deepEqual(
    results.map(({ success }: Result) => success),
    [true, false],
  )
  assert.deepEqual(await namesLike('tree four'), ['tree four'])
})

test('a trigger that fails refuses the records of its batch, and the import may go on', async () => {
  const failing = await triggersFrom({
    'fail.ts': `export default { object: 'Account', beforeInsert(changes) {
      if (changes.some(({ record }) => record.Name === 'explode')) throw new Error('no')
    } }`,
  })
  const own = await openOrg({ triggers: failing })
  const put = (number: number, names: readonly string[]) =>
    own.call('PUT', `${IMPORTS}/trigger/batches/${number}`, {
      body: insert(...names.map((Name) => ({ Name }))),
    })
  const { status, body } = await put(1, ['fine', 'explode'])
  assert.equal(status, 200)
  const [first, second] = body.results
  assert.equal(first.errors[0].statusCode, 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY')
  assert.deepEqual(first, second)
  assert.deepEqual((await put(1, ['fine', 'explode'])).body, body)
  assert.equal((await put(2, ['fine'])).body.results[0].success, true)
  assert.deepEqual(await fetchNames(own, 'Account'), ['fine'])
})

test('a batch that is wrong as a whole is refused as one, and nothing of it is kept', async () => {
  const record = { Name: 'wrong' }
  const many = Array.from({ length: 201 }, () => record)
  const refusals = [
    [{ ...insert(record), operation: 'merge' }, 'INVALID_INPUT', /insert, update, upsert, tree/],
    [{ ...insert(record), object: 'Nothing' }, 'INVALID_TYPE', /Nothing/],
    [{ object: 'Account', records: [record] }, 'JSON_PARSER_ERROR', /"operation" is missing/],
    [{ ...insert(record), operation: 'upsert' }, 'JSON_PARSER_ERROR', /"key" is missing/],
    [insert(), 'JSON_PARSER_ERROR', /"records" is empty/],
    [{ ...insert(record), extra: 1 }, 'JSON_PARSER_ERROR', /Unrecognized field "extra"/],
    [
      { operation: 'insert', object: 'Account', records: [record, 5] },
      'JSON_PARSER_ERROR',
      /VALUE_NUMBER_INT/,
    ],
    [insert(...many), 'EXCEEDED_ID_LIMIT', /200/],
  ] as const
  for (const [batch, code, message] of refusals) {
    assertRefused(await send('wrong', 1, batch), 400, code, message)
  }
  const upsert = { ...insert(record), operation: 'upsert', key: 'Phone' }
  assertRefused(await send('wrong', 1, upsert), 404, 'NOT_FOUND', /Phone/)
  assertRefused(
    await send('wrong', 1, { ...insert(record), object: 'Organization', operation: 'tree' }),
    403,
    'INSUFFICIENT_ACCESS',
    /Organization/,
  )
  await sendBatch('wrong', 1, insert({ Name: 'right' }))
  assert.deepEqual(await namesLike('right'), ['right'])
  assert.deepEqual(await namesLike('wrong'), [])
})

test('the names of an import and of a batch have bounds', async () => {
  for (const [job, number] of [
    ['a'.repeat(65), 1],
    ['a.b', 1],
    ['a', 0],
    ['a', '1e3'],
    ['a', -1],
    ['a', '9999999999'],
  ] as const) {
    const answer = await send(job, number, insert({ Name: 'bounds' }))
    assertRefused(answer, 400, 'INVALID_INPUT', /name of an import|number of a batch/)
  }
  assert.equal((await send('a'.repeat(64), 999_999_999, insert({ Name: 'bounds' }))).status, 200)
  assertRefused(await o.call('DELETE', `${IMPORTS}/a.b`), 400, 'INVALID_INPUT', /name of an import/)
})
