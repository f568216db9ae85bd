import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg

/** Accounts: `tokyo` and `oslo` have a city and employees, `nowhere` has neither. */
before(async () => {
  o = await openOrg()
  const tokyo = await o.create('Account', { Name: 'tokyo', BillingCity: 'Tokyo', NumberOfEmployees: 10 })
  await o.create('Account', { Name: 'oslo', BillingCity: 'Oslo', NumberOfEmployees: 0, ParentId: tokyo })
  const nowhere = await o.create('Account', { Name: 'nowhere', BillingCity: '' })
  await o.create('Contact', { LastName: 'in tokyo', AccountId: tokyo })
  await o.create('Contact', { LastName: 'nowhere', AccountId: nowhere })
  await o.create('Contact', { LastName: 'loner' })
})

const accounts = (condition: string) => fetchNames(o, `Account WHERE ${condition} ORDER BY Name`)
const contacts = (condition: string) => fetchNames(o, `Contact WHERE ${condition} ORDER BY Name`)

const ALL = ['nowhere', 'oslo', 'tokyo']

describe('null', () => {
  test('is found by = null and excluded by != null', async () => {
    assert.deepEqual(await accounts('BillingCity = null'), ['nowhere'])
    assert.deepEqual(await accounts('BillingCity = NULL'), ['nowhere'])
    assert.deepEqual(await accounts('BillingCity != null'), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts('BillingCity <> null'), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts('NumberOfEmployees = null'), ['nowhere'])
    assert.deepEqual(await accounts('ParentId = null'), ['nowhere', 'tokyo'])
  })

  test('equals the empty text', async () => {
    assert.deepEqual(await accounts("BillingCity = ''"), ['nowhere'])
    assert.deepEqual(await accounts("BillingCity != ''"), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts("BillingCity IN ('', 'oslo')"), ['nowhere', 'oslo'])
    assert.deepEqual(await accounts("BillingCity NOT IN ('')"), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts("ParentId = ''"), ['nowhere', 'tokyo'])
  })

  test('is unequal to any value', async () => {
    assert.deepEqual(await accounts("BillingCity != 'Oslo'"), ['nowhere', 'tokyo'])
    assert.deepEqual(await accounts('NumberOfEmployees != 10'), ['nowhere', 'oslo'])
    assert.deepEqual(await accounts("BillingCity NOT IN ('Oslo')"), ['nowhere', 'tokyo'])
    assert.deepEqual(await accounts("(NOT BillingCity LIKE 'O%')"), ['nowhere', 'tokyo'])
    assert.deepEqual(await accounts("(NOT BillingCity = 'Oslo')"), ['nowhere', 'tokyo'])
    assert.deepEqual(await accounts("(NOT BillingCity IN ('Oslo', 'Tokyo'))"), ['nowhere'])
  })

  test('is never less or greater', async () => {
    for (const operator of ['<', '<=', '>', '>=']) {
      assert.deepEqual(await accounts(`NumberOfEmployees ${operator} null`), [])
      assert.deepEqual(await accounts(`BillingCity ${operator} null`), [])
      assert.deepEqual(await accounts(`(NOT NumberOfEmployees ${operator} null)`), ALL)
    }
    assert.deepEqual(await accounts('NumberOfEmployees < 5'), ['oslo'])
    assert.deepEqual(await accounts('NumberOfEmployees >= 0'), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts('(NOT NumberOfEmployees < 5)'), ['nowhere', 'tokyo'])
  })

  test('is never compared with the empty text, which is before every other text', async () => {
    assert.deepEqual(await accounts("BillingCity > ''"), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts("BillingCity >= ''"), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts("BillingCity < ''"), [])
    assert.deepEqual(await accounts("BillingCity <= ''"), [])
    assert.deepEqual(await accounts("(NOT BillingCity > '')"), ['nowhere'])
    assert.deepEqual(await accounts("Industry > ''"), [])
    assert.deepEqual(await accounts("ParentId > ''"), ['oslo'])
  })

  test('is no id: the first page of those who page by Id, and all rows of django-salesforce, have every record', async () => {
    assert.deepEqual(await accounts("Id > ''"), ALL)
    assert.deepEqual(await accounts("Id >= '' AND Name > ''"), ALL)
    const first = await fetchNames(o, "Account WHERE Id > '' ORDER BY Id LIMIT 2")
    assert.equal(first.length, 2)
  })

  test('in a list matches null', async () => {
    assert.deepEqual(await accounts("BillingCity IN ('Oslo', null)"), ['nowhere', 'oslo'])
    assert.deepEqual(await accounts('BillingCity IN (null)'), ['nowhere'])
    assert.deepEqual(await accounts("BillingCity NOT IN ('Oslo', null)"), ['tokyo'])
    assert.deepEqual(await accounts('BillingCity NOT IN (null)'), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts('NumberOfEmployees NOT IN (0, null)'), ['tokyo'])
  })

  test('is matched by no pattern', async () => {
    assert.deepEqual(await accounts("BillingCity LIKE '%'"), ['oslo', 'tokyo'])
    assert.deepEqual(await accounts("(NOT BillingCity LIKE '%')"), ['nowhere'])
    assert.deepEqual(await accounts('BillingCity LIKE null'), ['nowhere'])
  })

  test('leaves conditions true or false: AND, OR and NOT never lose a record', async () => {
    const conditions = ["BillingCity = 'Oslo'", 'NumberOfEmployees > 5', "Site LIKE 'x%'", 'Fax = null']
    for (const a of conditions) {
      const [yes, no] = [await accounts(a), await accounts(`(NOT ${a})`)]
      assert.deepEqual([...yes, ...no].sort(), ALL, a)
      for (const b of conditions) {
        const [both, either] = [await accounts(`${a} AND ${b}`), await accounts(`${a} OR ${b}`)]
        const ofB = await accounts(b)
        assert.deepEqual(
          both,
          yes.filter((name) => ofB.includes(name)),
          `${a} AND ${b}`,
        )
        assert.deepEqual(
          either,
          ALL.filter((name) => yes.includes(name) || ofB.includes(name)),
          `${a} OR ${b}`,
        )
        const neither = await accounts(`NOT (${a} OR ${b})`)
        assert.deepEqual(
          neither,
          ALL.filter((name) => !either.includes(name)),
          `NOT (${a} OR ${b})`,
        )
      }
    }
  })
})

describe('a parent that is not there', () => {
  test('has null in all its fields', async () => {
    assert.deepEqual(await contacts('Account.BillingCity = null'), ['loner', 'nowhere'])
    assert.deepEqual(await contacts('Account.Name = null'), ['loner'])
    assert.deepEqual(await contacts('Account.Id = null'), ['loner'])
    assert.deepEqual(await contacts('Account.Name != null'), ['in tokyo', 'nowhere'])
    assert.deepEqual(await contacts("Account.Name != 'tokyo'"), ['loner', 'nowhere'])
    assert.deepEqual(await contacts("Account.Name NOT IN ('tokyo', null)"), ['nowhere'])
    assert.deepEqual(await contacts("(NOT Account.Name LIKE 't%')"), ['loner', 'nowhere'])
    assert.deepEqual(await contacts('Account.NumberOfEmployees < 100'), ['in tokyo'])
    assert.deepEqual(await contacts('Account.Parent.Name = null'), ['in tokyo', 'loner', 'nowhere'])
  })
})

describe('a boolean', () => {
  before(async () => {
    const active = await o.create('Campaign', { Name: 'active', IsActive: true })
    await o.create('Campaign', { Name: 'below active', ParentId: active })
  })

  const campaigns = (condition: string) => fetchNames(o, `Campaign WHERE ${condition} ORDER BY Name`)

  test('is never null: null means false', async () => {
    assert.deepEqual(await campaigns('IsActive = null'), ['below active'])
    assert.deepEqual(await campaigns('IsActive != null'), ['active'])
    assert.deepEqual(await campaigns('IsActive IN (null)'), ['below active'])
    assert.deepEqual(await campaigns('IsActive IN (null, true)'), ['active', 'below active'])
    assert.deepEqual(await campaigns('IsActive NOT IN (null)'), ['active'])
  })

  test('of a parent that is not there is false', async () => {
    for (const condition of ['= false', '!= true', '= null', 'IN (false)', 'IN (null)', 'NOT IN (true)'])
      assert.deepEqual(await campaigns(`Parent.IsActive ${condition}`), ['active'], condition)
    for (const condition of ['= true', '!= false', '!= null', 'IN (true)', 'NOT IN (false)', 'NOT IN (null)'])
      assert.deepEqual(await campaigns(`Parent.IsActive ${condition}`), ['below active'], condition)
    assert.deepEqual(await campaigns('(NOT Parent.IsActive = true)'), ['active'])
  })

  test('is shown as a boolean, beside a parent that is null', async () => {
    const records = await fetchRecords(o, 'SELECT IsActive, Parent.IsActive FROM Campaign ORDER BY Name')
    assert.deepEqual(records, [
      { IsActive: true, Parent: null },
      { IsActive: false, Parent: { IsActive: true } },
    ])
  })
})
