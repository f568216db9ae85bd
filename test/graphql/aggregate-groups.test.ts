import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchGroup, fetchGroups, fetchRefusal, type Group, invalid } from '../support/aggregate.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import type { TestOrg } from '../support/org.ts'
import { openSales } from '../support/sales.ts'

let o: TestOrg
let acme: string

before(async () => {
  ;({ o, acme } = await openSales())
})

const GROUP = '{ group: true }'

describe('Grouping', () => {
  test('Gives a group for each value, also for none, with its key and its label', async () => {
    const groups = await fetchGroups(
      o,
      `Sale__c(groupBy: { Stage__c: ${GROUP} })`,
      'Stage__c { value label displayValue } Amount__c { sum { value } } Units__c { avg { value } }',
    )
    const group = (value: string | null, label: string | null, sum: number | null, avg: number | null) => ({
      Stage__c: { value, label, displayValue: label },
      Amount__c: { sum: { value: sum } },
      Units__c: { avg: { value: avg } },
    })
    assert.deepEqual(groups, [
      group(null, null, 0, null),
      group('lost', 'lost', 300, 3),
      group('open', 'open', null, null),
      group('won', 'Closed Won', 1020.5, 2),
    ])
  })

  test('Takes booleans, references and ids', async () => {
    const big = await fetchGroups(
      o,
      `Sale__c(groupBy: { Big__c: ${GROUP} })`,
      'Big__c { value } Id { count { value } }',
    )
    assert.deepEqual(big, [
      { Big__c: { value: false }, Id: { count: { value: 4 } } },
      { Big__c: { value: true }, Id: { count: { value: 1 } } },
    ])
    const accounts = await fetchGroups(
      o,
      `Sale__c(groupBy: { Account__c: ${GROUP} })`,
      'Account__c { value }',
    )
    assert.deepEqual(accounts.map(({ Account__c }) => Account__c.value).slice(0, 2), [null, acme])
    assert.equal((await fetchGroups(o, `Sale__c(groupBy: { Id: ${GROUP} })`, 'Id { value }')).length, 5)
  })

  test('A field that is not to be grouped by is none, nor is a type alone', async () => {
    const group = await fetchGroup(
      o,
      'Sale__c(groupBy: { Stage__c: { group: false }, Units__c: null, type: CUBE })',
      'Id { count { value } }',
    )
    assert.equal(group.Id.count.value, 5)
  })

  test('Of parents their fields are keys and are summed up, up to five levels', async () => {
    const groups = await fetchGroups(
      o,
      `Sale__c(groupBy: { Account__r: { Industry: ${GROUP} } })`,
      'Account__r { Industry { value } Name { max { value } } AnnualRevenue { sum { value } } }',
    )
    const group = (industry: string | null, max: string | null, sum: number | null) => ({
      Account__r: {
        Industry: { value: industry },
        Name: { max: { value: max } },
        AnnualRevenue: { sum: { value: sum } },
      },
    })
    assert.deepEqual(groups, [
      group(null, null, null),
      group('Banking', 'beta', 140),
      group('Energy', 'Acme', 10_000),
    ])
    const up = (levels: number, inner: string) => 'Part_Of__r { '.repeat(levels) + inner + ' }'.repeat(levels)
    const key = (levels: number, inner: string) =>
      'Part_Of__r: { '.repeat(levels) + inner + ' }'.repeat(levels)
    const deepest = await fetchGroups(
      o,
      `Sale__c(groupBy: { ${key(5, `Stage__c: ${GROUP}`)} }, orderBy: { ${key(5, 'Stage__c: { order: DESC }')} })`,
      up(5, 'Stage__c { value } Id { count { value } }'),
    )
    assert.equal(deepest.length, 1)
    const tooFar = 'A query may follow at most 5 parent relationships'
    assert.equal(await invalid(o, 'Sale__c', up(6, 'Id { count { value } }')), tooFar)
    assert.equal(await fetchRefusal(o, `Sale__c(groupBy: { ${key(6, `Stage__c: ${GROUP}`)} })`), tooFar)
    const ordered = key(6, 'Stage__c: { function: MIN }')
    assert.equal(
      await fetchRefusal(o, `Sale__c(groupBy: { Stage__c: ${GROUP} }, orderBy: { ${ordered} })`),
      tooFar,
    )
  })

  test('A key has to be grouped by, and is not summed up as well', async () => {
    assert.equal(
      await fetchRefusal(o, 'Sale__c', 'Stage__c { label }'),
      'Field must be grouped or aggregated: Stage__c',
    )
    assert.equal(
      await fetchRefusal(
        o,
        `Sale__c(groupBy: { Name: ${GROUP} })`,
        'Account__r { Owner { Name { value } } }',
      ),
      'Field must be grouped or aggregated: Account__r.Owner.Name',
    )
    assert.equal(
      await fetchRefusal(o, `Sale__c(groupBy: { Name: ${GROUP} })`, 'Stage__c { grouping { value } }'),
      'Field must be grouped or aggregated: GROUPING(Stage__c)',
    )
    assert.equal(
      await fetchRefusal(o, `Sale__c(groupBy: { Name: ${GROUP} })`, 'Name { value count { value } }'),
      'Grouped field should not be aggregated: Name',
    )
    assert.equal(
      await fetchRefusal(o, 'Sale__c', 'Amount__c { value }'),
      'Field must be grouped or aggregated: Amount__c',
    )
  })

  test('One that fails leaves the others as they are', async () => {
    const query = `{ uiapi { aggregate {
      bad: Sale__c { edges { node { aggregate { Name { value } } } } }
      good: Sale__c { edges { node { aggregate { Id { count { value } } } } } } } } }`
    const { data, errors } = await sendDocument(o, query)
    assert.equal(data.uiapi.aggregate.bad, null)
    assert.equal(data.uiapi.aggregate.good.edges[0].node.aggregate.Id.count.value, 5)
    assert.equal(errors.length, 1)
  })
})

describe('Parts of dates', () => {
  const PARTS = {
    CALENDAR_MONTH: 'calendarMonth',
    CALENDAR_QUARTER: 'calendarQuarter',
    CALENDAR_YEAR: 'calendarYear',
    DAY_IN_MONTH: 'dayInMonth',
    DAY_IN_WEEK: 'dayInWeek',
    DAY_IN_YEAR: 'dayInYear',
    DAY_ONLY: 'dayOnly',
    FISCAL_MONTH: 'fiscalMonth',
    FISCAL_QUARTER: 'fiscalQuarter',
    FISCAL_YEAR: 'fiscalYear',
    HOUR_IN_DAY: 'hourInDay',
    WEEK_IN_MONTH: 'weekInMonth',
    WEEK_IN_YEAR: 'weekInYear',
  }
  const ofDates = Object.entries(PARTS).filter(([name]) => name !== 'DAY_ONLY' && name !== 'HOUR_IN_DAY')

  for (const [field, parts] of [
    ['Closed__c', ofDates],
    ['Signed__c', Object.entries(PARTS)],
  ] as const) {
    for (const [name, member] of parts) {
      test(`Records are grouped by ${name} of ${field}, as the query language does`, async () => {
        const groups = await fetchGroups(
          o,
          `Sale__c(groupBy: { ${field}: { function: ${name} } }, orderBy: { ${field}: { order: DESC, nulls: LAST } })`,
          `${field} { ${member} { value } } Id { count { value } }`,
        )
        const call = `${name}(${field})`
        const expected = await fetchRecords(
          o,
          `SELECT ${call} part, COUNT(Id) n FROM Sale__c GROUP BY ${call} ORDER BY ${call} DESC NULLS LAST`,
        )
        assert.ok(expected.length > 1)
        assert.deepEqual(
          groups.map((group) => ({ part: group[field][member].value, n: group.Id.count.value })),
          expected,
        )
      })
    }
  }

  test('A day is a date, with its type and its spelling', async () => {
    const [latest] = await fetchGroups(
      o,
      'Sale__c(groupBy: { Signed__c: { function: DAY_ONLY } }, orderBy: { Signed__c: { order: DESC, nulls: LAST } })',
      'Signed__c { dayOnly { value displayValue __typename } }',
    )
    assert.deepEqual(latest.Signed__c.dayOnly, {
      value: '2026-12-31',
      displayValue: '12/31/2026',
      __typename: 'DateValue',
    })
  })

  test('A part needs to be grouped by; a date that is grouped by has them all', async () => {
    assert.equal(
      await fetchRefusal(
        o,
        'Sale__c(groupBy: { Closed__c: { function: CALENDAR_YEAR } })',
        'Closed__c { fiscalYear { value } }',
      ),
      'Field must be grouped or aggregated: FISCAL_YEAR(Closed__c)',
    )
    assert.equal(
      await fetchRefusal(
        o,
        'Sale__c(groupBy: { Signed__c: { function: CALENDAR_YEAR } })',
        'Signed__c { value }',
      ),
      'Field must be grouped or aggregated: Signed__c',
    )
    const groups = await fetchGroups(
      o,
      `Sale__c(groupBy: { Closed__c: ${GROUP} })`,
      'Closed__c { value calendarYear { value } dayInMonth { value } }',
    )
    assert.deepEqual(groups.at(-1).Closed__c, {
      value: '2026-04-01',
      calendarYear: { value: 2026 },
      dayInMonth: { value: 1 },
    })
  })

  test('A date may be grouped by itself and by a part at once', async () => {
    const groups = await fetchGroups(
      o,
      'Sale__c(groupBy: { Closed__c: { group: true, function: CALENDAR_YEAR }, type: ROLLUP })',
      'Closed__c { value calendarYear { value } } Id { count { value } }',
    )
    assert.equal(groups.length, 9)
  })

  test('A date has no hour, and is no datetime', async () => {
    const explanation = /field 'Closed__c' of type date does not support the function/
    assert.match(
      await fetchRefusal(o, 'Sale__c(groupBy: { Closed__c: { function: DAY_ONLY } })'),
      explanation,
    )
    assert.match(await invalid(o, 'Sale__c', 'Closed__c { hourInDay { value } }'), explanation)
    const message = await invalid(o, `Sale__c(groupBy: { Signed__c: ${GROUP} })`, 'Id { count { value } }')
    assert.match(message, /"GroupByDateFunction" not to include unknown field "group"/)
  })
})

describe('Subtotals', () => {
  const shown = `Stage__c { value grouping { value } } Signed__c { calendarYear { value } grouping { value } }
                 Id { count { value } }`

  /** Rows as they are told: stage, whether it is summed up, year, whether it is, count. */
  async function fetchRows(type: string) {
    const groupBy = `{ type: ${type}, Stage__c: ${GROUP}, Signed__c: { function: CALENDAR_YEAR } }`
    const groups = await fetchGroups(
      o,
      `Sale__c(groupBy: ${groupBy}, where: { Stage__c: { ne: "won" } })`,
      shown,
    )
    return groups.map(({ Stage__c, Signed__c, Id }) => [
      Stage__c.value,
      Stage__c.grouping.value,
      Signed__c.calendarYear.value,
      Signed__c.grouping.value,
      Id.count.value,
    ])
  }

  const PLAIN = [
    [null, 0, 2025, 0, 1],
    ['lost', 0, null, 0, 1],
    ['open', 0, 2026, 0, 1],
  ]
  const ROLLED_UP = [
    [null, 0, null, 1, 1],
    ['lost', 0, null, 1, 1],
    ['open', 0, null, 1, 1],
    [null, 1, null, 1, 3],
  ]
  const CROSSED = [
    [null, 1, null, 0, 1],
    [null, 1, 2025, 0, 1],
    [null, 1, 2026, 0, 1],
  ]
  const asSet = (rows: readonly unknown[]) => new Set(rows.map((row) => JSON.stringify(row)))

  test('GROUP_BY has none', async () => {
    assert.deepEqual(asSet(await fetchRows('GROUP_BY')), asSet(PLAIN))
  })

  test('ROLLUP sums up over the last key, the last two, all of them, and tells so', async () => {
    const rows = await fetchRows('ROLLUP')
    assert.equal(rows.length, 7)
    assert.deepEqual(asSet(rows), asSet([...PLAIN, ...ROLLED_UP]))
  })

  test('CUBE sums up over every choice of keys', async () => {
    const rows = await fetchRows('CUBE')
    assert.equal(rows.length, 10)
    assert.deepEqual(asSet(rows), asSet([...PLAIN, ...ROLLED_UP, ...CROSSED]))
  })

  test('More than three keys have none, and the type is not one of a parent', async () => {
    const four = ['Name', 'Stage__c', 'Units__c', 'Big__c'].map((name) => `${name}: ${GROUP}`).join(', ')
    assert.equal(
      await fetchRefusal(o, `Sale__c(groupBy: { type: ROLLUP, ${four} })`),
      'ROLLUP and CUBE take at most 3 fields',
    )
    assert.equal(
      (await fetchGroups(o, `Sale__c(groupBy: { type: GROUP_BY, ${four} })`, 'Name { value }')).length,
      5,
    )
    assert.match(
      await fetchRefusal(o, `Sale__c(groupBy: { Account__r: { type: CUBE, Name: ${GROUP} } })`),
      /type of groupBy is not one of a parent/,
    )
  })
})

describe('Order', () => {
  const stages = async (orderBy: string, groupBy = `Stage__c: ${GROUP}`) =>
    (await fetchGroups(o, `Sale__c(groupBy: { ${groupBy} }, orderBy: ${orderBy})`, 'Stage__c { value }')).map(
      ({ Stage__c }) => Stage__c.value,
    )

  for (const [orderBy, expected] of [
    ['{ Stage__c: {} }', [null, 'won', 'open', 'lost']],
    ['{ Stage__c: { order: DESC, nulls: LAST } }', ['lost', 'open', 'won', null]],
    ['{ Amount__c: { function: SUM } }', ['open', null, 'lost', 'won']],
    ['{ Amount__c: { function: SUM, order: DESC, nulls: LAST } }', ['won', 'lost', null, 'open']],
    ['{ Amount__c: { function: AVG, order: DESC, nulls: LAST } }', ['won', 'lost', null, 'open']],
    ['{ Amount__c: { function: MIN, nulls: LAST } }', [null, 'won', 'lost', 'open']],
    ['{ Amount__c: { function: MAX, nulls: LAST } }', [null, 'lost', 'won', 'open']],
    ['{ Id: { function: COUNT, order: DESC }, Stage__c: { order: DESC } }', ['won', null, 'lost', 'open']],
    ['{ Id: { function: COUNT, order: DESC }, Stage__c: { order: ASC } }', ['won', null, 'open', 'lost']],
    ['{ Units__c: { function: COUNT_DISTINCT, order: DESC }, Stage__c: {} }', ['won', 'lost', null, 'open']],
    [
      '{ Account__r: { Name: { function: MAX, order: DESC, nulls: LAST } }, Stage__c: {} }',
      ['won', 'open', 'lost', null],
    ],
    ['{ Closed__c: { function: MAX, order: DESC, nulls: LAST } }', ['open', 'lost', null, 'won']],
    ['{ Stage__c: null }', [null, 'lost', 'open', 'won']],
  ] as const) {
    test(`Groups are sorted: ${orderBy}`, async () => {
      assert.deepEqual(await stages(orderBy), expected)
    })
  }

  test('The order of the members decides, in a variable too', async () => {
    const query = `query ($order: Sale__c_AggregateOrderBy) { uiapi { aggregate {
      Sale__c(groupBy: { Stage__c: ${GROUP} }, orderBy: $order) { edges { node { aggregate { Stage__c { value } } } } } } } }`
    const count = { function: 'COUNT', order: 'DESC' }
    const ask = async (order: object) => {
      const { aggregate } = await fetchUiapi(o, query, { variables: { order } })
      return aggregate.Sale__c.edges.map((edge: Group) => edge.node.aggregate)
    }
    const first = await ask({ Id: count, Stage__c: { order: 'DESC' } })
    const second = await ask({ Stage__c: { order: 'DESC' }, Id: count })
    assert.deepEqual(first[0], { Stage__c: { value: 'won' } })
    assert.deepEqual(second[1], { Stage__c: { value: 'lost' } })
  })

  test('Booleans and references are sorted by what is grouped, without a function', async () => {
    const groups = await fetchGroups(
      o,
      `Sale__c(groupBy: { Big__c: ${GROUP}, Account__c: ${GROUP} }, orderBy: { Big__c: { order: DESC }, Account__c: { nulls: LAST } })`,
      'Big__c { value } Account__c { value }',
    )
    assert.equal(groups[0].Big__c.value, true)
    assert.equal(groups.at(-1).Account__c.value, null)
    for (const name of ['Big__c', 'Account__c']) {
      const message = await invalid(
        o,
        `Sale__c(groupBy: { ${name}: ${GROUP} }, orderBy: { ${name}: { function: COUNT } })`,
        'Id { count { value } }',
      )
      assert.match(message, /"NoFunctionAggregateOrderByClause" not to include unknown field "function"/)
    }
  })

  test('A text has no sum to be sorted by', async () => {
    const message = await invalid(
      o,
      `Sale__c(groupBy: { Name: ${GROUP} }, orderBy: { Name: { function: SUM } })`,
      'Name { value }',
    )
    assert.match(message, /SUM.*AggregateOrderByStringFunction/)
  })

  test('What groups are sorted by is grouped or summed up, and there are groups', async () => {
    assert.equal(
      await fetchRefusal(
        o,
        `Sale__c(groupBy: { Stage__c: ${GROUP} }, orderBy: { Account__r: { Name: {} } })`,
      ),
      'Ordered field must be grouped or aggregated: Account__r.Name',
    )
    assert.equal(
      await fetchRefusal(o, 'Sale__c(orderBy: { Amount__c: { function: SUM } })'),
      'Non-grouped query that uses overall aggregate functions cannot also use ORDER BY',
    )
  })
})
