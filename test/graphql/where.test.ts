import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SAMPLE, SAMPLES } from '../support/sample-schema.ts'

/* `where` has the meaning of SOQL: each operator of each type is asked both ways. (docs/reference/api/graphql.md#filters) */

let o: TestOrg
let accounts: string[]

before(async () => {
  o = await openOrg()
  await o.deploy([SAMPLE])
  accounts = []
  for (const [i, name] of ['one', 'two', 'three'].entries()) {
    const location = { BillingLatitude: 59 + i, BillingLongitude: 10 + i }
    const account = await o.create('Account', { Name: `Account ${name}`, NumberOfEmployees: i, ...location })
    accounts.push(account)
    const values = SAMPLES.map((sample) => [sample.field.name, sample.values[i]])
    const tags = ['Red;Blue', 'Green', 'Red;Green'][i]
    const others = { Name: name, Account__c: account, Boolean__c: i === 0, Tags__c: tags, Long__c: 'long' }
    await o.create('Sample__c', { ...Object.fromEntries(values), ...others })
  }
  await o.create('Contact', { LastName: 'Ada', AccountId: accounts[1] })
  await o.create('Sample__c', { Name: 'none' })
})

type Where = Readonly<Record<string, unknown>>

const QUERY = `query($where: Sample__c_Filter) {
  uiapi { query { Sample__c(first: 50, where: $where) { totalCount edges { node { Name { value } } } } } }
}`

type Edge = { node: { Name: { value: string } } }

/** The names of the records that a filter finds, by id. */
async function found(where: Where): Promise<string[]> {
  const { query } = await fetchUiapi(o, QUERY, { variables: { where } })
  const names = query.Sample__c.edges.map(({ node }: Edge) => node.Name.value)
  assert.equal(query.Sample__c.totalCount, names.length)
  return names
}

/** Both syntaxes find the same. */
async function sameAs(soql: string, where: Where): Promise<void> {
  assert.deepEqual(
    await found(where),
    await fetchNames(o, `Sample__c WHERE ${soql}`),
    `${soql} ${JSON.stringify(where)}`,
  )
}

/** Why a filter is refused. */
async function refusal(where: Where) {
  const { data, errors } = await sendDocument(o, QUERY, { variables: { where } })
  assert.equal(data.uiapi?.query.Sample__c ?? null, null)
  assert.equal(errors.length, 1)
  return { message: errors[0]!.message, type: errors[0]!.extensions.ErrorType }
}

const OPERATORS = { eq: '=', ne: '!=', lt: '<', gt: '>', lte: '<=', gte: '>=' } as const

/** Dates and moments are wrapped. */
const wrapped = (type: string, value: unknown) => (/^date/.test(type) ? { value } : value)

describe('every operator of every type finds what SOQL finds', () => {
  for (const { field, values, literals, operators } of SAMPLES) {
    const { name, type } = field
    test(name, async () => {
      for (const [operator, sign] of Object.entries(OPERATORS)) {
        for (const [i, value] of values.entries()) {
          await sameAs(`${name} ${sign} ${literals[i]}`, { [name]: { [operator]: wrapped(type, value) } })
        }
        if (operator === 'eq' || operator === 'ne') {
          await sameAs(`${name} ${sign} null`, { [name]: { [operator]: null } })
        }
      }
      const two = [wrapped(type, values[0]), wrapped(type, values[2])]
      await sameAs(`${name} IN (${literals[0]}, ${literals[2]})`, { [name]: { in: two } })
      await sameAs(`${name} NOT IN (${literals[0]}, ${literals[2]})`, { [name]: { nin: two } })
      await sameAs(`${name} IN (${literals[1]}, null)`, { [name]: { in: [wrapped(type, values[1]), null] } })
      await sameAs(`${name} > ${literals[0]} AND ${name} < ${literals[2]}`, {
        [name]: { gt: wrapped(type, values[0]), lt: wrapped(type, values[2]) },
      })
      if (operators.includes('like')) {
        const text = String(values[0])
        await sameAs(`${name} LIKE '${text.slice(0, 2)}%'`, { [name]: { like: `${text.slice(0, 2)}%` } })
        await sameAs(`${name} LIKE '_${text.slice(1)}'`, { [name]: { like: `_${text.slice(1)}` } })
        await sameAs(`NOT ${name} LIKE '%e%'`, { not: { [name]: { like: '%e%' } } })
      }
    })
  }

  test('booleans', async () => {
    await sameAs('Boolean__c = true', { Boolean__c: { eq: true } })
    await sameAs('Boolean__c != true', { Boolean__c: { ne: true } })
    await sameAs('Boolean__c = null', { Boolean__c: { eq: null } })
  })

  test('several chosen values', async () => {
    await sameAs("Tags__c = 'Red;Blue'", { Tags__c: { eq: 'Red;Blue' } })
    await sameAs("Tags__c != 'Red;Blue'", { Tags__c: { ne: 'Red;Blue' } })
    await sameAs("Tags__c INCLUDES ('Red;Blue', 'Green')", { Tags__c: { includes: ['Red;Blue', 'Green'] } })
    await sameAs("Tags__c EXCLUDES ('Blue')", { Tags__c: { excludes: ['Blue'] } })
    await sameAs("Tags__c INCLUDES ('Red')", { Tags__c: { includes: 'Red' } })
  })

  test('the empty text, which equals null and is before all others', async () => {
    await sameAs("String__c > ''", { String__c: { gt: '' } })
    await sameAs("String__c <= ''", { String__c: { lte: '' } })
    await sameAs("String__c = ''", { String__c: { eq: '' } })
    await sameAs("Account__c >= ''", { Account__c: { gte: '' } })
    await sameAs("Id > ''", { Id: { gt: '' } })
  })

  test('ids, of 15 characters or 18', async () => {
    const [first, second] = accounts as [string, string]
    await sameAs(`Account__c = '${first}'`, { Account__c: { eq: first } })
    await sameAs(`Account__c = '${first}'`, { Account__c: { eq: first.slice(0, 15) } })
    await sameAs(`Account__c != '${first}'`, { Account__c: { ne: first } })
    await sameAs(`Account__c > '${first}'`, { Account__c: { gt: first } })
    await sameAs(`Account__c IN ('${first}', '${second}')`, { Account__c: { in: [first, second] } })
    await sameAs(`Account__c NOT IN ('${first}')`, { Account__c: { nin: [first] } })
    assert.match((await refusal({ Account__c: { eq: 'junk' } })).message, /invalid ID field: junk/)
  })
})

describe('filters are put together', () => {
  test('several members are meant at once; and, or and not nest', async () => {
    await sameAs("Name = 'one' AND Int__c = -7", { Name: { eq: 'one' }, Int__c: { eq: -7 } })
    await sameAs("Name = 'one' OR Name = 'TWO'", { or: [{ Name: { eq: 'one' } }, { Name: { eq: 'TWO' } }] })
    await sameAs("NOT (Name = 'one' OR (Int__c = 0 AND Boolean__c = false))", {
      not: { or: [{ Name: { eq: 'one' } }, { and: [{ Int__c: { eq: 0 } }, { Boolean__c: { eq: false } }] }] },
    })
  })

  test('nothing said asks for nothing', async () => {
    const all = await fetchNames(o, 'Sample__c')
    for (const where of [{}, { and: [] }, { Name: {} }, { Name: null }, { and: [{}] }]) {
      assert.deepEqual(await found(where), all, JSON.stringify(where))
    }
    assert.deepEqual(await found({ or: [] }), [])
  })

  test('fields of parents, also several levels up', async () => {
    await sameAs("Account__r.Name = 'Account two'", { Account__r: { Name: { eq: 'Account two' } } })
    await sameAs('Account__r.Owner.IsActive = true', { Account__r: { Owner: { IsActive: { eq: true } } } })
    await sameAs('Account__r.Name = null', { Account__r: { Name: { eq: null } } })
  })

  test('a parent that may be one of several objects is asked as one of them, or as a Name', async () => {
    const queue = await o.create('Group', { Name: 'Line', Type: 'Queue' })
    const mine = await o.create('Case', { Subject: 'mine' })
    const lined = await o.create('Case', { Subject: 'lined', OwnerId: queue })
    const text = 'query($w: Case_Filter) { uiapi { query { Case(where: $w) { edges { node { Id } } } } } }'
    const cases = async (where: Where) => {
      const { query } = await fetchUiapi(o, text, { variables: { w: where } })
      return query.Case.edges.map(({ node }: { node: { Id: string } }) => node.Id)
    }
    assert.deepEqual(await cases({ Owner: { User: { Username: { like: 'admin%' } } } }), [mine])
    assert.deepEqual(await cases({ Owner: { Group: { Name: { eq: 'line' } } } }), [lined])
    assert.deepEqual(await cases({ Owner: { Name: { Name: { in: ['Line', 'Administrator'] } } } }), [
      mine,
      lined,
    ])
    const either = {
      or: [{ Owner: { Group: { Name: { eq: 'Line' } } } }, { Owner: { User: { IsActive: { eq: true } } } }],
    }
    assert.deepEqual(await cases(either), [mine, lined])
  })

  test('a backslash takes a wildcard as it is, and is else itself', async () => {
    await o.create('Sample__c', { Name: '100%\\' })
    assert.deepEqual(await found({ Name: { like: '100\\%%' } }), ['100%\\'])
    assert.deepEqual(await found({ Name: { like: '%\\' } }), ['100%\\'])
    assert.deepEqual(await found({ Name: { like: '%\\\\' } }), ['100%\\'])
    assert.deepEqual(await found({ Name: { like: '1\\0%' } }), [])
  })

  test('numbers may be written as texts', async () => {
    await sameAs('Currency__c >= 0', { Currency__c: { gte: '0.00' } })
    await sameAs('Double__c = 1000.1234', { Double__c: { eq: '1000.1234' } })
  })
})

describe('dates', () => {
  test('are compared with named days', async () => {
    for (const literal of ['TODAY', 'YESTERDAY', 'THIS_YEAR', 'LAST_90_DAYS', 'NEXT_FISCAL_QUARTER']) {
      await sameAs(`CreatedDate = ${literal}`, { CreatedDate: { eq: { literal } } })
      await sameAs(`Date__c <= ${literal}`, { Date__c: { lte: { literal } } })
    }
    await sameAs('CreatedDate IN (TODAY)', { CreatedDate: { in: [{ literal: 'TODAY' }] } })
  })

  test('are compared with counted days', async () => {
    for (const unit of ['days', 'weeks', 'months', 'quarters', 'years', 'fiscal_quarters', 'fiscal_years']) {
      for (const range of [`last_n_${unit}`, `next_n_${unit}`, `n_${unit}_ago`]) {
        await sameAs(`CreatedDate > ${range.toUpperCase()}:3`, {
          CreatedDate: { gt: { range: { [range]: 3 } } },
        })
        await sameAs(`Date__c < ${range.toUpperCase()}:3`, { Date__c: { lt: { range: { [range]: 3 } } } })
      }
    }
  })

  test('have parts, of a moment in UTC or in the time zone of the user', async () => {
    const parts = [
      'CALENDAR_MONTH',
      'CALENDAR_QUARTER',
      'CALENDAR_YEAR',
      'DAY_IN_MONTH',
      'DAY_IN_WEEK',
      'DAY_IN_YEAR',
    ]
    const more = ['FISCAL_MONTH', 'FISCAL_QUARTER', 'FISCAL_YEAR', 'WEEK_IN_MONTH', 'WEEK_IN_YEAR']
    for (const part of [...parts, ...more]) {
      await sameAs(`${part}(Date__c) < 10`, { Date__c: { [part]: { value: { lt: 10 } } } })
      await sameAs(`${part}(Datetime__c) >= 12`, { Datetime__c: { [part]: { value: { gte: 12 } } } })
      await sameAs(`${part}(convertTimezone(Datetime__c)) IN (2, 12, 2024)`, {
        Datetime__c: { [part]: { convertTimezoneValue: { in: [2, 12, 2024] } } },
      })
    }
    await sameAs('HOUR_IN_DAY(Datetime__c) = 12', { Datetime__c: { HOUR_IN_DAY: { value: { eq: 12 } } } })
    await sameAs('DAY_ONLY(Datetime__c) = 2024-02-29', {
      Datetime__c: { DAY_ONLY: { value: { eq: '2024-02-29' } } },
    })
    await sameAs('DAY_ONLY(convertTimezone(Datetime__c)) > 2000-01-01', {
      Datetime__c: { DAY_ONLY: { convertTimezoneValue: { gt: '2000-01-01' } } },
    })
  })

  test('are compared with one thing at a time', async () => {
    const both = { value: '2024-02-29', literal: 'TODAY' }
    assert.equal((await refusal({ Date__c: { eq: both } })).type, 'DataFetchingException')
    assert.match((await refusal({ Date__c: { eq: {} } })).message, /one of value, literal and range/)
    assert.match((await refusal({ Date__c: { eq: { range: {} } } })).message, /range of days has one member/)
    assert.match((await refusal({ Date__c: { eq: { range: { last_n_days: -1 } } } })).message, /from 0 up/)
    const zoned = { CALENDAR_YEAR: { convertTimezoneValue: { eq: 2024 } } }
    assert.match((await refusal({ Date__c: zoned })).message, /no time zone/)
  })
})

describe('ids that other records have', () => {
  const accountNames = async (where: Where) => {
    const text = `query($w: Account_Filter) { uiapi { query { Account(where: $w) { edges { node { Name { value } } } } } } }`
    const { query } = await fetchUiapi(o, text, { variables: { w: where } })
    return query.Account.edges.map(({ node }: Edge) => node.Name.value)
  }

  test('are looked for with inq and ninq', async () => {
    const ada = { Contact: { LastName: { eq: 'Ada' } }, ApiName: 'AccountId' }
    assert.deepEqual(await accountNames({ Id: { inq: ada } }), ['Account two'])
    assert.deepEqual(await accountNames({ Id: { ninq: ada } }), ['Account one', 'Account three'])
    assert.deepEqual(await accountNames({ Id: { inq: { Contact: {}, ApiName: 'AccountId' } } }), [
      'Account two',
    ])
    await sameAs("Account__c IN (SELECT AccountId FROM Contact WHERE LastName = 'Ada')", {
      Account__c: { inq: ada },
    })
  })

  test('obey the rules of semi-joins', async () => {
    const ada = { Contact: {}, ApiName: 'AccountId' }
    const refusals: [Where, RegExp][] = [
      [{ or: [{ Account__c: { inq: ada } }, { Name: { eq: 'x' } }] }, /not allowed with the 'OR' operator/],
      [{ Account__c: { inq: { ...ada, ApiName: 'OwnerId' } } }, /should point to the same object type/],
      [{ Account__c: { inq: { ...ada, ApiName: 'Nope' } } }, /No such column 'Nope'/],
      [{ Account__c: { inq: { ApiName: 'AccountId' } } }, /name one object/],
      [{ Account__c: { inq: { ...ada, Account: {} } } }, /name one object/],
      [{ Parent__c: { inq: { Sample__c: {}, ApiName: 'Id' } } }, /same object type/],
      [{ Account__c: { inq: { Contact: { AccountId: { inq: ada } }, ApiName: 'AccountId' } } }, /Nesting/],
    ]
    for (const [where, message] of refusals) {
      const { message: said, type } = await refusal(where)
      assert.match(said, message)
      assert.equal(type, 'DataFetchingException')
    }
  })
})

test('a place is near or far', async () => {
  const near = { latitude: 59, longitude: 10, radius: 20, unit: 'KM' }
  const text = `query($w: Account_Filter) { uiapi { query { Account(where: $w) { totalCount } } } }`
  const total = async (where: Where) =>
    (await fetchUiapi(o, text, { variables: { w: where } })).query.Account.totalCount
  assert.equal(await total({ BillingAddress: { lt: near } }), 1)
  assert.equal(await total({ BillingAddress: { gt: near } }), 2)
  assert.equal(await total({ BillingAddress: { lt: { ...near, radius: 90, unit: 'MI' } } }), 2)
})

test('whose records are asked for', async () => {
  const text = `query { uiapi { query { mine: Sample__c(scope: MINE) { totalCount } all: Sample__c(scope: EVERYTHING) { totalCount }
    Account(scope: TEAM) { totalCount } } } }`
  const { query } = await fetchUiapi(o, text)
  assert.equal(query.mine.totalCount, query.all.totalCount)
  assert.equal(query.Account.totalCount, 0)
})

test('long texts are named in filters, and refused when the query runs', async () => {
  const { message, type } = await refusal({ Long__c: { eq: 'long' } })
  assert.match(message, /'Long__c' can not be filtered/)
  assert.equal(type, 'DataFetchingException')
})

test('what is no operator of a type, or no value of it, refuses the document', async () => {
  const wrong: Where[] = [
    { Boolean__c: { lt: true } },
    { Int__c: { like: '1%' } },
    { Int__c: { eq: 'one' } },
    { Currency__c: { eq: '$5' } },
    { Date__c: { eq: '2024-02-29' } },
    { Date__c: { eq: { value: '2024-02-30' } } },
    { Datetime__c: { eq: { value: 'noon' } } },
    { Time__c: { eq: '25:00:00' } },
    { Date__c: { eq: { literal: 'SOMEDAY' } } },
    { Place__c: { lt: { latitude: 1 } } },
    { Secret__c: { eq: 'x' } },
    { Nope__c: { eq: 'x' } },
  ]
  for (const where of wrong) {
    const { data, errors } = await sendDocument(o, QUERY, { variables: { where } })
    assert.deepEqual(data, {}, JSON.stringify(where))
    assert.ok(errors.length > 0)
    for (const { extensions } of errors) assert.equal(extensions.ErrorType, 'ValidationError')
  }
})
