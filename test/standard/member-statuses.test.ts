import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* The statuses that a campaign's members may have. */

describe('the statuses of a campaign', () => {
  let o: TestOrg
  let campaign: string
  before(async () => {
    o = await openOrg()
  })
  beforeEach(async () => {
    campaign = await o.create('Campaign', { Name: 'C' })
  })

  const add = (fields: object) => o.create('CampaignMemberStatus', { CampaignId: campaign, ...fields })
  const find = async (label: string): Promise<string> => {
    const [status] = await fetchRecords(
      o,
      `SELECT Id FROM CampaignMemberStatus WHERE CampaignId = '${campaign}' AND Label = '${label}'`,
    )
    return String(status!.Id)
  }
  const listDefaults = async () => {
    const found = await fetchRecords(
      o,
      `SELECT Label FROM CampaignMemberStatus WHERE CampaignId = '${campaign}' AND IsDefault = true`,
    )
    return found.map(({ Label }) => Label)
  }
  const change = async (label: string, body: object) =>
    o.call('PATCH', `/sobjects/CampaignMemberStatus/${await find(label)}`, { body })
  const addMember = async (Status: string) =>
    o.create('CampaignMember', {
      CampaignId: campaign,
      Status,
      LeadId: await o.create('Lead', { LastName: 'L', Company: 'C' }),
    })

  test('have one default: a new one takes the place of the one before', async () => {
    await add({ Label: 'Invited', IsDefault: true })
    assert.deepEqual(await listDefaults(), ['Invited'])
    assert.equal((await change('Sent', { IsDefault: true })).status, 204)
    assert.deepEqual(await listDefaults(), ['Sent'])
    const both = ['Invited', 'Responded'].map(async (label) => ({
      attributes: { type: 'CampaignMemberStatus' },
      id: await find(label),
      IsDefault: true,
    }))
    const answer = await o.call('PATCH', '/composite/sobjects', {
      body: { records: await Promise.all(both) },
    })
    assert.ok(answer.body.every(({ success }: { success: boolean }) => success))
    assert.deepEqual(await listDefaults(), ['Invited'])
  })

  test('have a default and one that means a response, always', async () => {
    const remove = async (label: string) =>
      o.call('DELETE', `/sobjects/CampaignMemberStatus/${await find(label)}`)
    const noDefault = 'A campaign has a default status for its members'
    const noResponse = 'A campaign has a status of members that responded'
    for (const answer of [await change('Sent', { IsDefault: false }), await remove('Sent')])
      assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', noDefault, ['IsDefault'])
    for (const answer of [await change('Responded', { HasResponded: false }), await remove('Responded')])
      assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', noResponse, ['HasResponded'])
    await add({ Label: 'Came', HasResponded: true })
    assert.equal((await remove('Responded')).status, 204)
  })

  test('come last where they give no order', async () => {
    const campaign = await o.create('Campaign', { Name: 'C' })
    const records = ['A', 'B'].map((Label) => ({
      attributes: { type: 'CampaignMemberStatus' },
      CampaignId: campaign,
      Label,
    }))
    const added = await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.ok(
      added.body.every(({ success }: { success: boolean }) => success),
      added.text,
    )
    const statuses = await fetchRecords(
      o,
      `SELECT Label, SortOrder FROM CampaignMemberStatus WHERE CampaignId = '${campaign}' ORDER BY SortOrder`,
    )
    assert.deepEqual(
      statuses.map(({ Label, SortOrder }) => [Label, SortOrder]),
      [
        ['Sent', 1],
        ['Responded', 2],
        ['A', 3],
        ['B', 4],
      ],
    )
  })

  test('have labels of their own', async () => {
    const twice = () =>
      o.call('POST', '/sobjects/CampaignMemberStatus', { body: { CampaignId: campaign, Label: 'sENT' } })
    const message = 'The campaign has a status with this label'
    assertRefused(await twice(), 400, 'DUPLICATE_VALUE', message, ['Label'])
    assertRefused(await change('Responded', { Label: 'Sent' }), 400, 'DUPLICATE_VALUE', message, ['Label'])
    const list = ['New', 'new'].map((Label) => ({
      attributes: { type: 'CampaignMemberStatus' },
      CampaignId: campaign,
      Label,
    }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records: list } })
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false],
    )
    assert.equal((await change('Sent', { Label: 'SENT' })).status, 204)
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        o.call('POST', '/sobjects/CampaignMemberStatus', {
          body: { CampaignId: campaign, Label: 'At once' },
        }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
  })

  test('are followed by the members that have them', async () => {
    const id = await addMember('Sent')
    const other = await addMember('Responded')
    await assertValues(o, 'Campaign', campaign, { NumberOfResponses: 1 })
    const swapped = [
      { id: await find('Sent'), Label: 'Responded', HasResponded: true },
      { id: await find('Responded'), Label: 'Sent' },
    ].map((record) => ({ attributes: { type: 'CampaignMemberStatus' }, ...record }))
    const answer = await o.call('PATCH', '/composite/sobjects', {
      body: { allOrNone: true, records: swapped },
    })
    assert.ok(
      answer.body.every(({ success }: { success: boolean }) => success),
      answer.text,
    )
    await assertValues(o, 'CampaignMember', id, { Status: 'Responded', HasResponded: true })
    await assertValues(o, 'CampaignMember', other, { Status: 'Sent', HasResponded: true })
    const [{ FirstRespondedDate } = {}] = await fetchRecords(
      o,
      `SELECT FirstRespondedDate FROM CampaignMember WHERE Id = '${id}'`,
    )
    assert.match(String(FirstRespondedDate), /^\d{4}-\d\d-\d\d$/)
    await assertValues(o, 'Campaign', campaign, { NumberOfResponses: 2 })
  })

  test('are at most 50', async () => {
    const list = Array.from({ length: 49 }, (_, index) => ({
      attributes: { type: 'CampaignMemberStatus' },
      CampaignId: campaign,
      Label: `S${index}`,
    }))
    const { body } = await o.call('POST', '/composite/sobjects', {
      body: { allOrNone: true, records: list },
    })
    assert.ok(
      body.some(
        ({ errors }: { errors: { statusCode: string }[] }) => errors[0]?.statusCode === 'LIMIT_EXCEEDED',
      ),
    )
    const { body: fewer } = await o.call('POST', '/composite/sobjects', { body: { records: list.slice(1) } })
    assert.ok(fewer.every(({ success }: { success: boolean }) => success))
  })

  test('go with their campaign', async () => {
    assert.equal((await o.call('DELETE', `/sobjects/Campaign/${campaign}`)).status, 204)
    assert.deepEqual(await listDefaults(), [])
  })
})
