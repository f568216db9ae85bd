import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'

/* The values of an opportunity at each step. */

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-05-10', Amount: 100 }

describe('the history of an opportunity', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  const change = async (id: string, body: object) =>
    assert.equal((await o.call('PATCH', `/sobjects/Opportunity/${id}`, { body })).status, 204)
  const list = async (id: string, asking = o) => {
    const text = `SELECT StageName, Amount, Probability, CloseDate, PrevAmount, PrevCloseDate FROM OpportunityHistory WHERE OpportunityId = '${id}' ORDER BY CreatedDate, Id`
    const rows = await fetchRecords(asking, text)
    return rows.map((row) => Object.values(row))
  }

  test('has what it was from its creation on, whenever its stage, amount, probability or date changed', async () => {
    const id = await o.create('Opportunity', DEAL)
    await change(id, { NextStep: 'call' })
    await change(id, { StageName: 'Negotiation/Review', Amount: 120 })
    await change(id, { StageName: 'Negotiation/Review', Amount: 120 })
    await change(id, { CloseDate: '2026-06-01', Probability: 80 })
    assert.deepEqual(await list(id), [
      ['Prospecting', 100, 10, '2026-05-10', null, null],
      ['Negotiation/Review', 120, 90, '2026-05-10', 100, '2026-05-10'],
      ['Negotiation/Review', 120, 80, '2026-06-01', 120, '2026-05-10'],
    ])
    const [row] = await fetchRecords(
      o,
      `SELECT (SELECT ForecastCategory, ExpectedRevenue, CreatedBy.Name FROM OpportunityHistories ORDER BY CreatedDate DESC, Id DESC LIMIT 1) FROM Opportunity WHERE Id = '${id}'`,
    )
    const [last] = (row!.OpportunityHistories as { records: Record<string, unknown>[] }).records
    assert.deepEqual([last!.ForecastCategory, last!.ExpectedRevenue], ['Pipeline', 96])
  })

  test('has the order of changes that are made at once', async () => {
    const id = await o.create('Opportunity', DEAL)
    await Promise.all([1, 2, 3, 4, 5, 6].map((Amount) => change(id, { Amount })))
    const rows = await list(id)
    assert.deepEqual(
      rows.map(([, , , , was]) => was),
      [null, ...rows.slice(0, -1).map(([, amount]) => amount)],
    )
    await assertValues(o, 'Opportunity', id, { Amount: rows.at(-1)![1] })
  })

  test('names its last changes, and counts how often its date was put off', async () => {
    const id = await o.create('Opportunity', DEAL)
    const empty = { LastAmountChangedHistoryId: null, LastCloseDateChangedHistoryId: null }
    await assertValues(o, 'Opportunity', id, { ...empty, LastStageChangeDate: null, PushCount: 0 })
    await change(id, { Amount: 120 })
    await change(id, { CloseDate: '2026-05-30' })
    await change(id, { CloseDate: '2026-06-01' })
    await change(id, { CloseDate: '2026-04-01' })
    await change(id, { CloseDate: '2027-04-01', StageName: 'Qualification' })
    const states = await fetchRecords(
      o,
      `SELECT Id FROM OpportunityHistory WHERE OpportunityId = '${id}' ORDER BY CreatedDate, Id`,
    )
    assert.equal(states.length, 6)
    await assertValues(o, 'Opportunity', id, {
      LastAmountChangedHistoryId: states[1]!.Id,
      LastCloseDateChangedHistoryId: states[5]!.Id,
      PushCount: 2,
    })
    const { body } = await o.call('GET', `/sobjects/Opportunity/${id}`)
    assert.match(body.LastStageChangeDate, /^\d{4}-/)
    const [named] = await fetchRecords(
      o,
      `SELECT LastAmountChangedHistory.PrevAmount FROM Opportunity WHERE Id = '${id}'`,
    )
    assert.equal((named!.LastAmountChangedHistory as { PrevAmount: number }).PrevAmount, 100)
  })

  test('has one state for each record of a list, and what lines and parallel writes make of it', async () => {
    const records = [1, 2, 3].map((Amount) => ({ attributes: { type: 'Opportunity' }, ...DEAL, Amount }))
    const made = await o.call('POST', '/composite/sobjects', { body: { records } })
    const ids = made.body.map(({ id }: { id: string }) => id) as string[]
    const changes = ids.map((id, index) => ({ attributes: { type: 'Opportunity' }, id, Amount: index + 2 }))
    await o.call('PATCH', '/composite/sobjects', { body: { records: changes } })
    for (const [index, id] of ids.entries()) {
      const amounts = (await list(id)).map((row) => row[1])
      assert.deepEqual(amounts, [index + 1, index + 2])
    }
    const [id] = ids as [string]
    await Promise.all([11, 12, 13, 14].map((Amount) => change(id, { Amount })))
    const rows = (await list(id)).slice(2)
    const next = new Map(rows.map((row) => [row[4], row[1]]))
    let last: unknown = 2
    for (let step = 0; step < 4; step++) last = next.get(last)
    await assertValues(o, 'Opportunity', id, { Amount: last })
  })

  test('has no fields that the caller may not see of the opportunity, and nobody writes it', async () => {
    const id = await o.create('Opportunity', DEAL)
    const person = await addPerson(o, 'seller')
    await allow(o, person.setId, 'Opportunity', 'Read')
    const refused = await person.call('GET', `/query?q=SELECT+PrevAmount+FROM+OpportunityHistory`)
    assert.equal(refused.status, 400)
    await allowField(o, person.setId, 'Opportunity.Amount', 'Read')
    await allowField(o, person.setId, 'Opportunity.Probability', 'Read')
    assert.equal((await list(id, person.org)).length, 1)
    assertRefused(
      await o.call('POST', '/sobjects/OpportunityHistory', { body: { OpportunityId: id } }),
      400,
      'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      'entity type cannot be inserted: Opportunity: Stage History',
    )
  })
})
