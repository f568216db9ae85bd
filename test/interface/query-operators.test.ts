import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames, fetchRefusal } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SAMPLE, SAMPLES, UNFILTERABLE } from '../support/sample-schema.ts'

let o: TestOrg
/** Ids of the samples called one, two, three and none, and of the accounts that the first three point to. */
const samples: string[] = []
const accounts: string[] = []

before(async () => {
  o = await openOrg()
  await o.deploy([SAMPLE])
  for (const [i, name] of ['one', 'two', 'three'].entries()) {
    accounts.push(await o.create('Account', { Name: name }))
    const values = SAMPLES.map((sample) => [sample.field.name, sample.values[i]])
    const tags = ['Red', 'Red;Blue', 'Green'][i]
    const others = { Name: name, Boolean__c: i === 0, Tags__c: tags, Account__c: accounts[i] }
    samples.push(await o.create('Sample__c', { ...Object.fromEntries(values), ...others }))
  }
  samples.push(await o.create('Sample__c', { Name: 'none' }))
})

/** The samples that match a condition, in the order of their making. */
const meeting = (condition: string) => fetchNames(o, `Sample__c WHERE ${condition} ORDER BY Number__c`)

const quoted = (text: string | undefined) => `'${text}'`

async function assertRefused(condition: string, code: string, explanation: string) {
  const refusal = await fetchRefusal(o, `SELECT Id FROM Sample__c WHERE ${condition}`)
  assert.equal(refusal.code, code)
  assert.equal(refusal.message.split('\n').at(-1), explanation)
}

describe('a field has the operators of its type', () => {
  for (const { field, literals, operators } of SAMPLES) {
    const [first, second, third] = literals
    const { name } = field

    test(`${name}: equality, order, lists and null`, async () => {
      assert.deepEqual(await meeting(`${name} = ${second}`), ['two'])
      assert.deepEqual(await meeting(`${name} != ${second}`), ['one', 'three', 'none'])
      assert.deepEqual(await meeting(`${name} <> ${second}`), ['one', 'three', 'none'])
      assert.deepEqual(await meeting(`${name} < ${second}`), ['one'])
      assert.deepEqual(await meeting(`${name} <= ${second}`), ['one', 'two'])
      assert.deepEqual(await meeting(`${name} > ${second}`), ['three'])
      assert.deepEqual(await meeting(`${name} >= ${second}`), ['two', 'three'])
      assert.deepEqual(await meeting(`${name} IN (${first}, ${third})`), ['one', 'three'])
      assert.deepEqual(await meeting(`${name} NOT IN (${first}, ${third})`), ['two', 'none'])
      assert.deepEqual(await meeting(`${name} = null`), ['none'])
      assert.deepEqual(await meeting(`${name} != null`), ['one', 'two', 'three'])
      assert.deepEqual(await meeting(`${name} > ${first} AND ${name} < ${third}`), ['two'])
    })

    if (operators.includes('like')) {
      test(`${name}: LIKE`, async () => {
        assert.deepEqual(await meeting(`${name} LIKE ${second}`), ['two'])
        assert.deepEqual(await meeting(`${name} LIKE '_${second.slice(2)}`), ['two'])
        assert.deepEqual(await meeting(`${name} LIKE '%'`), ['one', 'two', 'three'])
        assert.deepEqual(await meeting(`(NOT ${name} LIKE ${second})`), ['one', 'three', 'none'])
      })
    } else {
      test(`${name}: no LIKE`, () =>
        assertRefused(
          `${name} LIKE '1%'`,
          'INVALID_QUERY_FILTER_OPERATOR',
          `invalid operator on ${field.type} field`,
        ))
    }

    test(`${name}: no INCLUDES`, async () => {
      const { code } = await fetchRefusal(o, `SELECT Id FROM Sample__c WHERE ${name} INCLUDES ('a')`)
      assert.ok(['INVALID_QUERY_FILTER_OPERATOR', 'MALFORMED_QUERY'].includes(code))
    })
  }

  test('Id: equality, order and lists, no LIKE', async () => {
    const [first, second, third] = samples.map(quoted)
    assert.deepEqual(await meeting(`Id = ${second}`), ['two'])
    assert.deepEqual(await meeting(`Id != ${second}`), ['one', 'three', 'none'])
    assert.deepEqual(await meeting(`Id < ${second}`), ['one'])
    assert.deepEqual(await meeting(`Id <= ${second}`), ['one', 'two'])
    assert.deepEqual(await meeting(`Id > ${second}`), ['three', 'none'])
    assert.deepEqual(await meeting(`Id >= ${second}`), ['two', 'three', 'none'])
    assert.deepEqual(await meeting(`Id IN (${first}, ${third})`), ['one', 'three'])
    assert.deepEqual(await meeting(`Id NOT IN (${first}, ${third})`), ['two', 'none'])
    await assertRefused("Id LIKE 'a%'", 'INVALID_QUERY_FILTER_OPERATOR', 'invalid operator on id field')
  })

  test('a reference: equality, order, lists and null, no LIKE', async () => {
    const [first, second, third] = accounts.map(quoted)
    for (const name of ['Account__c', 'Account__r.Id']) {
      assert.deepEqual(await meeting(`${name} = ${second}`), ['two'])
      assert.deepEqual(await meeting(`${name} != ${second}`), ['one', 'three', 'none'])
      assert.deepEqual(await meeting(`${name} < ${second}`), ['one'])
      assert.deepEqual(await meeting(`${name} >= ${second}`), ['two', 'three'])
      assert.deepEqual(await meeting(`${name} IN (${first}, ${third})`), ['one', 'three'])
      assert.deepEqual(await meeting(`${name} NOT IN (${first}, ${third})`), ['two', 'none'])
      assert.deepEqual(await meeting(`${name} = null`), ['none'])
    }
    const code = 'INVALID_QUERY_FILTER_OPERATOR'
    await assertRefused("Account__c LIKE '001%'", code, 'invalid operator on id field')
  })

  test('a boolean: equality and lists, no order, no LIKE', async () => {
    assert.deepEqual(await meeting('Boolean__c = true'), ['one'])
    assert.deepEqual(await meeting('Boolean__c = FALSE'), ['two', 'three', 'none'])
    assert.deepEqual(await meeting('Boolean__c != true'), ['two', 'three', 'none'])
    assert.deepEqual(await meeting('Boolean__c IN (true)'), ['one'])
    assert.deepEqual(await meeting('Boolean__c NOT IN (true)'), ['two', 'three', 'none'])
    const code = 'INVALID_QUERY_FILTER_OPERATOR'
    for (const operator of ['<', '<=', '>', '>='])
      await assertRefused(`Boolean__c ${operator} true`, code, 'invalid operator on boolean field')
    await assertRefused("Boolean__c LIKE 't%'", code, 'invalid operator on boolean field')
  })

  test('a multipicklist: the exact selection, no order, no LIKE', async () => {
    assert.deepEqual(await meeting("Tags__c = 'Red'"), ['one'])
    assert.deepEqual(await meeting("Tags__c = 'Red;Blue'"), ['two'])
    assert.deepEqual(await meeting("Tags__c != 'Red;Blue'"), ['one', 'three', 'none'])
    assert.deepEqual(await meeting("Tags__c IN ('Red', 'Green')"), ['one', 'three'])
    assert.deepEqual(await meeting('Tags__c = null'), ['none'])
    const code = 'INVALID_QUERY_FILTER_OPERATOR'
    await assertRefused("Tags__c > 'Red'", code, 'invalid operator on multipicklist field')
    await assertRefused("Tags__c LIKE 'R%'", code, 'invalid operator on multipicklist field')
  })

  test('INCLUDES and EXCLUDES give the same for hundreds of sets as for one', async () => {
    const ones = Array.from({ length: 400 }, (_, n) => `x${n}`)
    const pairs = ones.map((one) => `${one};Red`)
    const found = async (...sets: string[]) => {
      const list = sets.map(quoted).join()
      return [await meeting(`Tags__c INCLUDES (${list})`), await meeting(`Tags__c EXCLUDES (${list})`)]
    }
    const red = await found('red')
    assert.deepEqual(red, [
      ['one', 'two'],
      ['three', 'none'],
    ])
    assert.deepEqual(await found(...ones, 'red'), red)
    const both = await found('blue;red')
    assert.deepEqual(both, [['two'], ['one', 'three', 'none']])
    assert.deepEqual(await found(...pairs, 'blue;red'), both)
    assert.deepEqual(await found(...pairs, ...ones, 'blue;red', 'green'), await found('blue;red', 'green'))
    const all = ['one', 'two', 'three', 'none']
    assert.deepEqual(await found(...pairs, ...ones), [[], all])
    assert.deepEqual(await found(...ones, ''), [['none'], ['one', 'two', 'three']])
  })

  test('an autonumber is compared like a text', async () => {
    assert.deepEqual(await meeting("Number__c = 's-002'"), ['two'])
    assert.deepEqual(await meeting("Number__c > 'S-002'"), ['three', 'none'])
    assert.deepEqual(await meeting("Number__c LIKE '%-004'"), ['none'])
  })

  for (const { name, type } of [...UNFILTERABLE, { name: 'BillingAddress', type: 'address' }]) {
    test(`a ${type} can not be filtered`, async () => {
      const object = type === 'address' ? 'Account' : 'Sample__c'
      for (const condition of ["= 'a'", "LIKE 'a'", '!= null', "IN ('a')", "> 'a'"]) {
        const { code, message } = await fetchRefusal(o, `SELECT Id FROM ${object} WHERE ${name} ${condition}`)
        assert.equal(code, 'INVALID_FIELD')
        assert.equal(message.split('\n').at(-1), `field '${name}' can not be filtered in a query call`)
      }
    })
  }
})

describe('a value fits the type of its field', () => {
  const code = 'INVALID_FIELD'
  const says = (name: string, kind: string, quotes: string) =>
    `value of filter criterion for field '${name}' must be of type ${kind} and ${quotes} in quotes`
  const bare = 'should not be enclosed'
  const enclosed = 'should be enclosed'

  for (const [name, kind, quotes, wrong] of [
    ['String__c', 'string', enclosed, ['5', 'true', '2024-01-01', '2024-01-01T00:00:00Z', '09:30:00Z']],
    ['Picklist__c', 'string', enclosed, ['5', 'false']],
    ['Email__c', 'string', enclosed, ['5']],
    ['Id', 'id', enclosed, ['5', 'true', '2024-01-01']],
    ['Account__c', 'id', enclosed, ['5']],
    ['Int__c', 'int', bare, ["'5'", 'true', '2024-01-01']],
    ['Double__c', 'double', bare, ["'0.25'", 'false']],
    ['Currency__c', 'double', bare, ["'0'"]],
    ['Percent__c', 'double', bare, ["'50'"]],
    ['Boolean__c', 'boolean', bare, ["'true'", '1', '0']],
    ['Date__c', 'date', bare, ["'2024-02-29'", '2024-02-29T12:00:00Z', '20240229']],
    ['Datetime__c', 'dateTime', bare, ["'2024-02-29T12:00:00Z'", '2024-02-29', '5']],
    ['Time__c', 'time', bare, ["'09:30:00Z'", '2024-02-29T09:30:00Z', '930']],
  ] as const) {
    test(name, async () => {
      for (const literal of wrong) {
        await assertRefused(`${name} = ${literal}`, code, says(name, kind, quotes))
        await assertRefused(`${name} NOT IN (null, ${literal})`, code, says(name, kind, quotes))
      }
    })
  }

  test('an id of 15 characters equals the one of 18, in a parent path too', async () => {
    assert.deepEqual(await meeting(`Id = '${samples[1]!.slice(0, 15)}'`), ['two'])
    assert.deepEqual(await meeting(`Account__c IN ('${accounts[0]!.slice(0, 15)}')`), ['one'])
    assert.deepEqual(await meeting(`Account__r.Id = '${accounts[2]!.slice(0, 15)}'`), ['three'])
  })

  test('the id of another object, or of no record, is no match', async () => {
    assert.deepEqual(await meeting(`Id = '${accounts[0]}'`), [])
    assert.deepEqual(await meeting("Id = 'a00000000000009'"), [])
    assert.deepEqual(await meeting("Account__c != 'a00000000000009'"), ['one', 'two', 'three', 'none'])
  })

  test('a text that is no id is refused', async () => {
    for (const text of ['abc', '001', `${samples[0]}A`, "a00OB0000\\'0000", samples[0]!.slice(0, 17)])
      await assertRefused(
        `Id = '${text}'`,
        'INVALID_QUERY_FILTER_OPERATOR',
        `invalid ID field: ${text.replace('\\', '')}`,
      )
    await assertRefused("Account__c IN ('x')", 'INVALID_QUERY_FILTER_OPERATOR', 'invalid ID field: x')
  })

  test('a number may have more digits than its field', async () => {
    assert.deepEqual(await meeting('Int__c = 0.5'), [])
    assert.deepEqual(await meeting('Int__c < 0.5'), ['one', 'two'])
    assert.deepEqual(await meeting('Int__c < 99999999999999999999'), ['one', 'two', 'three'])
    assert.deepEqual(await meeting('Int__c IN (-7.0, 99999999999)'), ['one'])
    assert.deepEqual(await meeting('Currency__c = -1000.500000'), ['one'])
    assert.deepEqual(await meeting('Double__c > 0.24999999999999999999'), ['two', 'three'])
    assert.deepEqual(await meeting(`Double__c > -${'9'.repeat(300)}`), ['one', 'two', 'three'])
  })

  test('a datetime is compared in UTC, to the millisecond', async () => {
    assert.deepEqual(await meeting('Datetime__c = 2024-02-29T12:00:00.500Z'), [])
    assert.deepEqual(await meeting('Datetime__c < 2024-02-29T12:00:00.500Z'), ['one', 'two'])
    assert.deepEqual(await meeting('Datetime__c = 2024-02-29T07:00:00-0500'), ['two'])
    assert.deepEqual(await meeting('Time__c = 11:30:00+02:00'), ['two'])
  })
})
