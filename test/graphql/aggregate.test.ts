import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  fetchGroup,
  fetchGroups,
  fetchRefusal,
  fetchRefusals,
  groupsDocument,
  invalid,
} from '../support/aggregate.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'
import { openSales, SALE } from '../support/sales.ts'
import { SAMPLE, SAMPLES } from '../support/sample-schema.ts'

let o: TestOrg

before(async () => {
  ;({ o } = await openSales())
})

const GROUP = '{ group: true }'

describe('Functions', () => {
  /** A value that a create takes, as it is shown. */
  const shown = (value: unknown) => (typeof value === 'string' ? value.replace('.000+0000', '.000Z') : value)

  const EXTREMES = SAMPLES.filter(({ field }) => field.type !== 'time')

  before(async () => {
    await o.deploy([SAMPLE])
    const fields = SAMPLES.map(({ field, values }) => [field.name, values] as const)
    for (const nth of [1, 0, 2]) {
      const values = fields.map(([name, values]) => [name, values[nth]])
      await o.create('Sample__c', { Name: 'x', ...Object.fromEntries(values), Boolean__c: nth === 1 })
    }
    await o.create('Sample__c', { Name: 'empty' })
  })

  for (const { field, values } of EXTREMES) {
    test(`Of ${field.type} fields (${field.name}) they count, and find the least and the greatest`, async () => {
      const functions = 'min { value } max { value } count { value } countDistinct { value }'
      const group = await fetchGroup(o, 'Sample__c', `${field.name} { ${functions} }`)
      assert.deepEqual(group[field.name], {
        min: { value: shown(values[0]) },
        max: { value: shown(values[2]) },
        count: { value: 3 },
        countDistinct: { value: 3 },
      })
    })

    test(`Records can be grouped by ${field.type} fields (${field.name}) where the query language can`, async () => {
      const { body } = await o.call('GET', '/sobjects/Sample__c/describe')
      const { groupable } = body.fields.find(({ name }: { name: string }) => name === field.name)
      const connection = `Sample__c(groupBy: { ${field.name}: ${GROUP} })`
      if (!groupable || field.type === 'textarea') {
        assert.match(await invalid(o, connection, 'Id { count { value } }'), /not to include unknown field/)
        return
      }
      const groups = await fetchGroups(o, connection, `${field.name} { value } Id { count { value } }`)
      const expected = [null, ...values.map(shown)].map((value) => ({
        [field.name]: { value },
        Id: { count: { value: 1 } },
      }))
      const byText = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b))
      assert.deepEqual(groups.toSorted(byText), expected.toSorted(byText))
    })
  }

  for (const type of ['int', 'double', 'currency', 'percent']) {
    test(`Of ${type} fields they sum up, and give the mean`, async () => {
      const { field, values } = SAMPLES.find((sample) => sample.field.type === type)!
      const sum = (values as readonly number[]).reduce((total, value) => total + value, 0)
      const group = await fetchGroup(o, 'Sample__c', `${field.name} { sum { value } avg { value } }`)
      const { sum: summed, avg } = group[field.name]
      assert.equal(summed.value, Number(sum.toFixed(4)))
      assert.ok(Math.abs(avg.value - sum / 3) < 1e-6)
    })
  }

  test('COUNT of Id counts records, with those that lack every other value', async () => {
    const group = await fetchGroup(o, 'Sample__c', 'Id { count { value } countDistinct { value } }')
    assert.deepEqual(group, { Id: { count: { value: 4 }, countDistinct: { value: 4 } } })
  })

  test('Of ids, references and coordinates they count, and find the least and the greatest', async () => {
    const functions = 'min { value __typename } max { value } count { value } countDistinct { value }'
    const group = await fetchGroup(
      o,
      'Sale__c',
      `Account__c { ${functions} } Account__r { Id { ${functions} } BillingLatitude { avg { value } ${functions} } }`,
    )
    const accounts = (await fetchRecords(o, 'SELECT Id FROM Account ORDER BY Id')).map(({ Id }) => Id)
    const counts = { count: { value: 4 }, countDistinct: { value: 2 } }
    const ids = { min: { value: accounts[0], __typename: 'IDValue' }, max: { value: accounts[1] }, ...counts }
    assert.deepEqual(group, {
      Account__c: ids,
      Account__r: {
        Id: ids,
        BillingLatitude: {
          avg: { value: 24.75 },
          min: { value: -10, __typename: 'LatitudeValue' },
          max: { value: 59.5 },
          ...counts,
        },
      },
    })
  })

  test('Over no records they count none and give nothing else', async () => {
    const where = 'where: { Name: { eq: "nobody" } }'
    const shown = 'Id { count { value } } Amount__c { sum { value displayValue } min { value } }'
    assert.deepEqual(await fetchGroups(o, `Sale__c(${where})`, shown), [
      {
        Id: { count: { value: 0 } },
        Amount__c: { sum: { value: null, displayValue: null }, min: { value: null } },
      },
    ])
    const grouped = `Sale__c(${where}, groupBy: { Stage__c: ${GROUP} })`
    const all = 'totalCount pageResultCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
    const { aggregate } = await fetchUiapi(o, groupsDocument(grouped, shown, all))
    assert.deepEqual(aggregate.it, {
      totalCount: 0,
      pageResultCount: 0,
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      edges: [],
    })
  })

  test('Amounts are shown as amounts, means and counts as numbers, listed values by their labels', async () => {
    const group = await fetchGroup(
      o,
      'Sale__c',
      `Amount__c { sum { displayValue format __typename } avg { displayValue __typename } count { displayValue } }
       Stage__c { min { value label displayValue __typename } max { value } }
       Closed__c { max { displayValue } } __typename`,
    )
    assert.deepEqual(group, {
      Amount__c: {
        sum: { displayValue: '$1,320.50', format: '$1,320.50', __typename: 'CurrencyValue' },
        avg: { displayValue: '330.125', __typename: 'DoubleValue' },
        count: { displayValue: '4' },
      },
      Stage__c: {
        min: { value: 'won', label: 'Closed Won', displayValue: 'Closed Won', __typename: 'PicklistValue' },
        max: { value: 'lost' },
      },
      Closed__c: { max: { displayValue: '4/1/2026' } },
      __typename: 'Sale__cAggregate',
    })
  })

  test('Of datetimes the latest is a timestamp, under the type that dates have', async () => {
    const group = await fetchGroup(
      o,
      'Sale__c',
      'Signed__c { __typename max { __typename value displayValue } }',
    )
    assert.deepEqual(group.Signed__c, {
      __typename: 'DateAggregate',
      max: { __typename: 'DateValue', value: '2026-12-31T23:30:00.000Z', displayValue: '1/1/2027, 8:30 AM' },
    })
  })

  for (const [field, member, type] of [
    ['Boolean__c', 'count', 'BooleanAggregate'],
    ['Time__c', 'min', 'TimeAggregate'],
    ['String__c', 'sum', 'StringAggregate'],
    ['Date__c', 'avg', 'DateAggregate'],
    ['Currency__c', 'grouping', 'CurrencyAggregate'],
    ['Textarea__c', 'label', 'TextAreaAggregate'],
  ]) {
    test(`A function that a type lacks refuses the document: ${member} of ${type}`, async () => {
      const message = await invalid(o, 'Sample__c', `Id { count { value } } ${field} { ${member} { value } }`)
      assert.ok(message.endsWith(`Field '${member}' in type '${type}' is undefined`), message)
    })
  }

  for (const [object, name] of [
    ['Sample__c', 'Tags__c'],
    ['Sample__c', 'Long__c'],
    ['Sample__c', 'Secret__c'],
    ['Sample__c', 'Place__c'],
    ['Sample__c', 'Children__r'],
    ['Task', 'What'],
  ]) {
    test(`What cannot be summed up is not there: ${object}.${name}`, async () => {
      const message = await invalid(o, object!, `${name} { count { value } }`)
      assert.ok(message.endsWith(`Field '${name}' in type '${object}Aggregate' is undefined`), message)
    })
  }
})

describe('Which records', () => {
  const count = (connection: string) => fetchGroup(o, connection, 'Id { count { value } }')

  test('where and scope narrow them', async () => {
    const where = '{ or: [{ Stage__c: { eq: "won" } }, { Account__r: { Industry: { eq: "Energy" } } }] }'
    assert.equal((await count(`Sale__c(where: ${where})`)).Id.count.value, 3)
    const join = '{ Id: { inq: { Sale__c: { Stage__c: { eq: "lost" } }, ApiName: "Account__c" } } }'
    assert.equal((await count(`Account(where: ${join})`)).Id.count.value, 1)
    assert.equal((await count('Sale__c(scope: MINE)')).Id.count.value, 5)
    assert.equal((await count('Sale__c(scope: MRU)')).Id.count.value, 0)
  })

  test('A where that the query language refuses fails as it does in a query', async () => {
    assert.match(
      await fetchRefusal(o, 'Sale__c(where: { Id: { eq: "nonsense" } })'),
      /invalid ID field: nonsense/,
    )
  })

  test('Somebody gets sums of what they may see only', async () => {
    const org = await openOrg()
    await org.deploy([{ ...SALE, sharing: 'private' }])
    await org.create('Sale__c', { Name: 'of another', Stage__c: 'won' })
    const person = await addPerson(org, 'clerk')
    await allow(org, person.setId, 'Sale__c', 'Create')
    await allowField(org, person.setId, 'Sale__c.Stage__c', 'Edit')
    await person.org.create('Sale__c', { Name: 'own', Stage__c: 'open' })
    const shown = 'Stage__c { value } Id { count { value } }'
    const groups = await fetchGroups(person.org, `Sale__c(groupBy: { Stage__c: ${GROUP} })`, shown)
    assert.deepEqual(groups, [{ Stage__c: { value: 'open' }, Id: { count: { value: 1 } } }])
    const fetchMessage = async (query: string) => (await sendDocument(person.org, query)).errors[0]!.message
    assert.match(
      await fetchMessage(groupsDocument('Sale__c', 'Amount__c { sum { value } }')),
      /Field 'Amount__c' in type 'Sale__cAggregate' is undefined/,
    )
    assert.match(
      await fetchMessage(groupsDocument('Account', 'Id { count { value } }')),
      /Field 'Account' in type 'RecordQueryAggregate' is undefined/,
    )
  })
})

describe('Documents', () => {
  const count = (name: string) => `${name} { count { value } }`

  test('The same may be asked for under several names, in fragments, and be left out', async () => {
    const query = `query ($with: Boolean!) { uiapi { aggregate { Account(groupBy: { Industry: ${GROUP} }, orderBy: { Industry: { order: DESC } }) {
      __typename edges { __typename node { __typename first: aggregate { ...all } second: aggregate { ${count('Id')} } } } } } } }
      fragment all on AccountAggregate { Id { n: count { value } m: count { v: value } } AnnualRevenue { ...sums } }
      fragment sums on CurrencyAggregate { a: sum { value } b: sum { displayValue } avg @include(if: $with) { value } }`
    const { aggregate } = await fetchUiapi(o, query, { variables: { with: false } })
    assert.deepEqual(aggregate.Account.edges[0], {
      __typename: 'AccountAggregateEdge',
      node: {
        __typename: 'AccountResult',
        first: {
          Id: { n: { value: 1 }, m: { v: 1 } },
          AnnualRevenue: { a: { value: 5000 }, b: { displayValue: '$5,000.00' } },
        },
        second: { Id: { count: { value: 1 } } },
      },
    })
    assert.equal(aggregate.Account.__typename, 'AccountAggregateConnection')
    const full = await fetchUiapi(o, query, { variables: { with: true } })
    assert.deepEqual(full.aggregate.Account.edges[0].node.first.AnnualRevenue.avg, { value: 5000 })
  })

  test('What is grouped by may change from one time to the next', async () => {
    const query = `query ($by: Account_GroupBy, $type: GroupByType, $of: Contact_GroupBy) { uiapi { aggregate {
      Account(groupBy: $by) { edges { node { aggregate { ${count('Id')} } } } }
      Contact(groupBy: { type: $type, Account: { Name: ${GROUP} } }) { totalCount } other: Contact(groupBy: $of) { totalCount } } } }`
    const totals = async (variables: object) => {
      const { aggregate } = await fetchUiapi(o, query, { variables: variables as Record<string, unknown> })
      return [aggregate.Account.edges.length, aggregate.Contact.totalCount, aggregate.other.totalCount]
    }
    assert.deepEqual(await totals({}), [1, 0, 1])
    assert.deepEqual(await totals({ by: { Industry: { group: true } }, type: 'CUBE' }), [2, 1, 1])
    assert.deepEqual(await totals({ by: { Name: { group: true } }, of: { Id: { group: true } } }), [2, 0, 0])
    assert.deepEqual(await totals({ by: null, type: null }), [1, 0, 1])
  })

  test('A wrong variable is named', async () => {
    const query =
      'query ($by: Account_GroupBy) { uiapi { aggregate { Account(groupBy: $by) { totalCount } } } }'
    const variables = { by: { AnnualRevenue: { group: true } } }
    assert.match(
      (await fetchRefusals(o, query, 'ValidationError', { variables }))[0]!,
      /contains a field name 'AnnualRevenue' that is not defined for input object type 'Account_GroupBy'/,
    )
  })

  test('A type that is named before a field leads to it is known', async () => {
    const query = `fragment root on Query { uiapi { ...ui } } fragment ui on UIAPI { query { Account { edges { node { ...record } } } } }
      fragment record on Record { Id } fragment page on PageInfo { hasNextPage } fragment name on StringValue { value }
      query ($order: OrderByClause, $name: StringOperators) { ...root uiapi { query {
        Account(orderBy: { Name: $order }, where: { Name: $name }) { pageInfo { ...page } edges { node { Name { ...name } } } } } } }`
    const uiapi = await fetchUiapi(
      o,
      query.replace('Account {', 'Account(orderBy: { Name: $order }, where: { Name: $name }) {'),
      {
        variables: { order: { order: 'DESC' }, name: { ne: null } },
      },
    )
    assert.deepEqual(
      uiapi.query.Account.edges.map(({ node }: { node: { Name: object } }) => node.Name),
      [{ value: 'beta' }, { value: 'Acme' }],
    )
  })

  test('A group shows as much as a statement holds, and more is refused', async () => {
    const reported = async (object: string) => {
      const { body } = await o.call('GET', `/sobjects/${object}/describe`)
      const fields: readonly { name: string; type: string }[] = body.fields
      return fields
        .filter(({ type }) =>
          ['string', 'email', 'phone', 'id', 'reference', 'datetime', 'int'].includes(type),
        )
        .map(({ name }) => `${name} { min { value } max { value } count { value } countDistinct { value } }`)
        .join(' ')
    }
    const fragments = `fragment user on UserAggregate { ${await reported('User')} }
      fragment sale on Sale__cAggregate { ${await reported('Sale__c')} Owner { ...user } CreatedBy { ...user } LastModifiedBy { ...user } }`
    const requested = (shown: string, more: string) => groupsDocument('Sale__c', shown, more) + fragments
    const [plain, counted] = await Promise.all(
      ['', 'totalCount'].map((more) => fetchUiapi(o, requested('...sale', more))),
    )
    assert.deepEqual(counted.aggregate.it, { totalCount: 1, ...plain.aggregate.it })
    const up = (levels: number): string => `...sale ${levels === 0 ? '' : `Part_Of__r { ${up(levels - 1)} }`}`
    for (const more of ['', 'totalCount']) {
      const { data, errors } = await sendDocument(o, requested(up(4), more))
      assert.equal(data.uiapi.aggregate.it, null)
      assert.match(errors[0]!.message, /selecting too many fields/)
    }
  })

  test('Each counts as one of the ten subqueries of a document', async () => {
    const aliased = (n: number) =>
      Array.from({ length: n }, (_, i) => `a${i}: Account { totalCount }`).join(' ')
    await fetchUiapi(o, `{ uiapi { aggregate { ${aliased(10)} } } }`)
    const [message] = await fetchRefusals(
      o,
      `{ uiapi { query { Account { totalCount } } aggregate { ${aliased(10)} } } }`,
      'ValidationError',
    )
    assert.match(message!, /at most 10 subqueries/)
  })

  test('There are aggregates from 58.0 on', async () => {
    const query = '{ uiapi { aggregate { Account { totalCount } } } }'
    assert.equal((await fetchUiapi(o, query, { version: 58 })).aggregate.Account.totalCount, 1)
    const messages = await fetchRefusals(o, query, 'ValidationError', { version: 57 })
    assert.match(messages[0]!, /Field 'aggregate' in type 'UIAPI' is undefined/)
    const named = '{ uiapi { query { Account { totalCount } } } } fragment f on CurrencyAggregate { value }'
    assert.match(
      (await fetchRefusals(o, named, 'ValidationError', { version: 57 }))[0]!,
      /Unknown type 'CurrencyAggregate'/,
    )
  })
})
