import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { DefinitionFiles } from '../../src/definitions/formats/object-file.ts'
import { fetchRecords } from '../support/ask.ts'
import { deploy, fetchPlan, fetchRefusals } from '../support/deploying.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Settings of the org as definition files, sent to the admin API as JSON. */

type Settings = NonNullable<DefinitionFiles['settings']>

let o: TestOrg

const company = (fiscalYear: NonNullable<Settings['Company']>['fiscalYear']): Settings => ({
  Company: { fiscalYear },
})

const plan = (settings: Settings, more: object = {}) => fetchPlan(o, {}, { settings, ...more })

const fetchSettings = async () => (await o.call('GET', '/setup/orgs/current/schema')).body.settings

const fetchOrganization = async () =>
  (
    await fetchRecords(
      o,
      'SELECT Id, FiscalYearStartMonth, LastModifiedById, LastModifiedDate FROM Organization',
    )
  )[0]!

describe('the first month of the fiscal year', () => {
  const CHANGE = '~ Organization.FiscalYearStartMonth: fiscal year starts in April, was January'
  const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-05-10' }
  let early: string

  before(async () => {
    o = await openOrg()
    early = await o.create('Opportunity', DEAL)
  })

  test('is no file where it is that of a new org', async () => {
    assert.deepEqual(await fetchSettings(), {})
  })

  test('is planned in words, and a plan changes nothing', async () => {
    assert.deepEqual(await plan(company({ startMonth: 4 }), { planOnly: true }), [CHANGE])
    assert.equal((await fetchOrganization()).FiscalYearStartMonth, 1)
  })

  test('is deployed in the name of who deploys, and is the same the second time', async () => {
    const { version } = (await deploy(o, {})).body
    assert.deepEqual(await plan(company({ startMonth: 4 })), [CHANGE])
    const organization = await fetchOrganization()
    assert.deepEqual([organization.FiscalYearStartMonth, organization.LastModifiedById], [4, o.userId])
    assert.deepEqual(await plan(company({ startMonth: 4 })), [])
    assert.deepEqual(await fetchOrganization(), organization)
    assert.equal((await deploy(o, {})).body.version, version)
  })

  test('decides at once about fiscal periods of what is written and of what is asked for', async () => {
    const id = await o.create('Opportunity', DEAL)
    await assertValues(o, 'Opportunity', id, { FiscalYear: 2027, FiscalQuarter: 1, Fiscal: '2027 1' })
    const [row] = await fetchRecords(
      o,
      `SELECT FISCAL_YEAR(CloseDate) y FROM Opportunity WHERE Id = '${early}' GROUP BY CloseDate`,
    )
    assert.equal(row!.y, 2027)
  })

  test('leaves the period of an opportunity as it was, until it is written with its date or recomputed', async () => {
    await assertValues(o, 'Opportunity', early, { Fiscal: '2026 2' })
    const late = await o.create('Opportunity', { ...DEAL, Name: 'Late' })
    await plan(company({ startMonth: 7 }))
    const recompute = { body: { object: 'Opportunity' } }
    assert.equal((await o.call('POST', '/setup/orgs/current/recompute', recompute)).status, 200)
    for (const id of [early, late]) await assertValues(o, 'Opportunity', id, { Fiscal: '2026 4' })
    await plan(company({ startMonth: 4 }))
    const body = { CloseDate: '2026-05-11' }
    assert.equal((await o.call('PATCH', `/sobjects/Opportunity/${early}`, { body })).status, 204)
    await assertValues(o, 'Opportunity', early, { Fiscal: '2027 1' })
  })

  test('is exported as the file that gives it', async () => {
    assert.deepEqual(await fetchSettings(), company({ startMonth: 4 }))
    assert.deepEqual(await plan(await fetchSettings()), [])
  })

  test('stays when its file is gone or does not say it', async () => {
    for (const settings of [{}, { Company: null }, { Company: {} }, company({})]) {
      assert.deepEqual(await plan(settings), [], JSON.stringify(settings))
    }
    assert.equal((await fetchOrganization()).FiscalYearStartMonth, 4)
  })

  test('comes with its deployment or not at all', async () => {
    const objects = { Box__c: { fields: { Name: { type: 'string', unique: true } } } } as const
    await fetchPlan(o, objects)
    for (const Name of ['A', 'B']) await o.create('Box__c', { Name })
    await fetchRefusals(o, {}, { settings: company({ startMonth: 7 }) })
    assert.equal((await fetchOrganization()).FiscalYearStartMonth, 4)
    assert.deepEqual(await fetchPlan(o, objects, { settings: company({ startMonth: 7 }) }), [
      '~ Organization.FiscalYearStartMonth: fiscal year starts in July, was April',
    ])
  })

  test('may be changed by clients too, and is that of the file with the next deployment', async () => {
    const { Id } = await fetchOrganization()
    const body = { FiscalYearStartMonth: 2 }
    assert.equal((await o.call('PATCH', `/sobjects/Organization/${Id}`, { body })).status, 204)
    assert.deepEqual(await fetchSettings(), company({ startMonth: 2 }))
    assert.deepEqual(await plan(company({ startMonth: 1 }), { allowDestructive: true }), [
      '- Box__c: goes with its records',
      '~ Organization.FiscalYearStartMonth: fiscal year starts in January, was February',
    ])
    assert.deepEqual(await fetchSettings(), {})
  })
})

describe('the name of the fiscal year', () => {
  const CHANGE =
    '~ Organization.UsesStartDateAsFiscalYearName: fiscal year is named by its start date, was by its end date'
  const DAYS = ['2026-03-31', '2026-04-01', '2026-12-31', '2027-01-01']
  let ids: string[]

  const createDeals = async () => {
    ids = []
    for (const CloseDate of DAYS) {
      ids.push(await o.create('Opportunity', { Name: 'Deal', StageName: 'Prospecting', CloseDate }))
    }
  }
  const assertYears = async (years: readonly number[]) => {
    for (const [at, FiscalYear] of years.entries()) {
      await assertValues(o, 'Opportunity', ids[at]!, { FiscalYear })
    }
    const rows = await fetchRecords(
      o,
      'SELECT FISCAL_YEAR(CloseDate) y FROM Opportunity GROUP BY CloseDate ORDER BY CloseDate',
    )
    assert.deepEqual(
      rows.map(({ y }) => y),
      years,
    )
  }

  before(async () => {
    o = await openOrg()
  })

  test('is the calendar year of its end, or of its start when the file says so', async () => {
    await plan(company({ startMonth: 4 }))
    await createDeals()
    await assertYears([2026, 2027, 2027, 2027])
    assert.deepEqual(await plan(company({ namedBy: 'startDate' })), [CHANGE])
    for (const id of ids) await o.call('DELETE', `/sobjects/Opportunity/${id}`)
    await createDeals()
    await assertYears([2025, 2026, 2026, 2026])
  })

  test('keeps which month is the first, and days of named dates are the same', async () => {
    assert.deepEqual(await fetchSettings(), company({ startMonth: 4, namedBy: 'startDate' }))
    assert.deepEqual(await plan(await fetchSettings()), [])
    const quarters = 'FISCAL_QUARTER(CloseDate) q, FISCAL_MONTH(CloseDate) m'
    const rows = await fetchRecords(
      o,
      `SELECT ${quarters} FROM Opportunity GROUP BY CloseDate ORDER BY CloseDate`,
    )
    assert.deepEqual(
      rows.map(({ q, m }) => [q, m]),
      [
        [4, 12],
        [1, 1],
        [3, 9],
        [4, 10],
      ],
    )
  })

  test('is the same either way when the year starts in January', async () => {
    assert.deepEqual(await plan(company({ startMonth: 1 })), [
      '~ Organization.FiscalYearStartMonth: fiscal year starts in January, was April',
    ])
    for (const id of ids) await o.call('DELETE', `/sobjects/Opportunity/${id}`)
    await createDeals()
    await assertYears([2026, 2026, 2026, 2027])
  })

  test('changes together with the first month', async () => {
    assert.deepEqual(await plan(company({ startMonth: 7, namedBy: 'endDate' })), [
      '~ Organization.FiscalYearStartMonth: fiscal year starts in July, was January',
      '~ Organization.UsesStartDateAsFiscalYearName: fiscal year is named by its end date, was by its start date',
    ])
    assert.deepEqual(await fetchSettings(), company({ startMonth: 7 }))
  })
})

describe('settings that cannot be', () => {
  before(async () => {
    o = await openOrg()
  })

  const cases: readonly (readonly [object, string])[] = [
    [company({ startMonth: 0 }), 'settings.Company.fiscalYear.startMonth: must be at least 1, not 0'],
    [company({ startMonth: 13 }), 'settings.Company.fiscalYear.startMonth: must be at most 12, not 13'],
    [company({ startMonth: 1.5 }), 'settings.Company.fiscalYear.startMonth: must be a whole number, not 1.5'],
    [
      { Company: { fiscalYear: { namedBy: 'startMonth' } } },
      'settings.Company.fiscalYear.namedBy: must be startDate or endDate, not "startMonth"',
    ],
    [
      { Company: { fiscalYear: null } },
      'settings.Company.fiscalYear: must be a map of names to values, not null',
    ],
    [{ Company: [] }, 'settings.Company: must be a map of names to values, not []'],
    [{ company: {} }, 'settings.company: "company" is no name of settings; did you mean Company?'],
  ]
  for (const [settings, message] of cases) {
    test(`${JSON.stringify(settings)} are refused`, async () => {
      assert.deepEqual(await fetchRefusals(o, {}, { settings: settings as Settings }), [message])
    })
  }
})
