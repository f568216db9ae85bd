import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

/* The days of a named date: weeks by the user's locale, fiscal years by the org. (docs/reference/api/queries.md#dates) */

let o: TestOrg
/** A Wednesday. */
const NOW = new Date('2026-11-18T10:00:00Z')

/** Opportunities that are named after the day on which they close. */
before(async () => {
  let now = () => new Date()
  o = await openOrg({ clock: () => now() })
  now = () => NOW
  for (const day of ['2026-03-31', '2026-04-01', '2026-09-30', '2026-10-01', '2026-11-14', '2026-11-15']) {
    await o.create('Opportunity', { Name: day, StageName: 'Prospecting', CloseDate: day })
  }
  for (const day of ['2026-11-16', '2026-11-21', '2026-11-22', '2026-12-31', '2027-01-01', '2027-04-01']) {
    await o.create('Opportunity', { Name: day, StageName: 'Prospecting', CloseDate: day })
  }
})

const closing = (condition: string) => fetchNames(o, `Opportunity WHERE CloseDate ${condition} ORDER BY Name`)

test('a week begins on the day on which it does where the user lives', async () => {
  const weeks = {
    en_US: ['2026-11-15', '2026-11-16', '2026-11-21'],
    de_DE: ['2026-11-16', '2026-11-21', '2026-11-22'],
    fr_FR: ['2026-11-16', '2026-11-21', '2026-11-22'],
    ar_EG: ['2026-11-14', '2026-11-15', '2026-11-16'],
  }
  for (const [LocaleSidKey, days] of Object.entries(weeks)) {
    assert.equal(
      (await o.call('PATCH', `/sobjects/User/${o.userId}`, { body: { LocaleSidKey } })).status,
      204,
    )
    assert.deepEqual(await closing('= THIS_WEEK'), days, LocaleSidKey)
    const [row] = await fetchRecords(
      o,
      "SELECT DAY_IN_WEEK(CloseDate) d FROM Opportunity WHERE Name = '2026-11-15' GROUP BY CloseDate",
    )
    assert.equal(row!.d, 1)
  }
  await o.call('PATCH', `/sobjects/User/${o.userId}`, { body: { LocaleSidKey: 'en_US' } })
})

test('a fiscal year begins in the month that the org says, for all who ask from then on', async () => {
  const org = `/sobjects/Organization/${o.org.id}`
  const { fields } = (await o.call('GET', '/sobjects/Organization/describe')).body
  const month = fields.find(({ name }: { name: string }) => name === 'FiscalYearStartMonth')
  assert.deepEqual([month.createable, month.updateable], [false, true])
  assert.deepEqual(await closing('= THIS_FISCAL_YEAR AND CloseDate < 2026-10-01'), [
    ...['2026-03-31', '2026-04-01', '2026-09-30'],
  ])
  assert.equal((await o.call('PATCH', org, { body: { FiscalYearStartMonth: 4 } })).status, 204)
  assert.deepEqual(await closing('= THIS_FISCAL_YEAR AND CloseDate < 2026-10-01'), [
    '2026-04-01',
    '2026-09-30',
  ])
  assert.deepEqual(await closing('= NEXT_FISCAL_YEAR'), ['2027-04-01'])
  assert.deepEqual(await closing('= LAST_FISCAL_QUARTER'), ['2026-09-30'])
  assert.equal((await closing('= THIS_FISCAL_QUARTER')).at(-1), '2026-12-31')
  const parts = 'FISCAL_YEAR(CloseDate) y, FISCAL_QUARTER(CloseDate) q, FISCAL_MONTH(CloseDate) m'
  const rows = await fetchRecords(
    o,
    `SELECT ${parts} FROM Opportunity WHERE Name IN ('2026-03-31', '2026-04-01') GROUP BY CloseDate ORDER BY CloseDate`,
  )
  assert.deepEqual(rows, [
    { y: 2026, q: 4, m: 12 },
    { y: 2027, q: 1, m: 1 },
  ])
  for (const FiscalYearStartMonth of [0, 13, null]) {
    const answer = await o.call('PATCH', org, { body: { FiscalYearStartMonth } })
    assertRefused(answer, 400, 'NUMBER_OUTSIDE_VALID_RANGE', /Fiscal Year Starts In/, [
      'FiscalYearStartMonth',
    ])
  }
  const clerk = await addPerson(o, 'clerk')
  await allow(o, clerk.setId, 'Opportunity', 'Read', 'ViewAllRecords')
  assert.equal((await clerk.call('PATCH', org, { body: { FiscalYearStartMonth: 1 } })).status, 403)
})

test('DAY_ONLY is compared with a named date, as queries in use do it', async () => {
  const count = async (condition: string) =>
    (await fetchRecords(o, `SELECT COUNT(Id) n FROM Opportunity WHERE ${condition}`))[0]!.n
  assert.equal(await count('DAY_ONLY(CreatedDate) = TODAY'), 12)
  assert.equal(await count('DAY_ONLY(convertTimezone(CreatedDate)) != TODAY'), 0)
  assert.equal(
    await count('DAY_ONLY(CreatedDate) < TODAY OR DAY_ONLY(CreatedDate) IN (YESTERDAY, TOMORROW)'),
    0,
  )
  assert.equal(await count('DAY_ONLY(CreatedDate) = LAST_N_DAYS:3'), 12)
  const wrong = encodeURIComponent('SELECT Id FROM Opportunity WHERE CALENDAR_YEAR(CloseDate) = THIS_YEAR')
  const answer = await o.call('GET', `/query?q=${wrong}`)
  assertRefused(answer, 400, 'MALFORMED_QUERY', 'CALENDAR_YEAR is not compared with a named date')
})
