import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertSteps, assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Campaigns with their members and opportunities. */

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-05-10' }

describe('a campaign', () => {
  let o: TestOrg
  let campaign: string
  before(async () => {
    o = await openOrg()
  })

  const addCampaign = async (): Promise<string> => {
    campaign = await o.create('Campaign', { Name: 'C' })
    return campaign
  }
  const addLead = () => o.create('Lead', { LastName: 'L', Company: 'C' })
  const addMember = async (fields: object = {}) =>
    o.create('CampaignMember', { CampaignId: campaign, LeadId: await addLead(), ...fields })

  test('is made with two statuses for its members', async () => {
    const id = await addCampaign()
    const statuses = await fetchRecords(
      o,
      `SELECT Label, IsDefault, HasResponded, SortOrder FROM CampaignMemberStatus WHERE CampaignId = '${id}' ORDER BY SortOrder`,
    )
    assert.deepEqual(
      statuses.map((status) => Object.values(status)),
      [
        ['Sent', true, false, 1],
        ['Responded', false, true, 2],
      ],
    )
  })

  test('knows who responded by the status of the member', async () => {
    await addCampaign()
    const id = await addMember()
    await assertValues(o, 'CampaignMember', id, {
      Status: 'Sent',
      HasResponded: false,
      FirstRespondedDate: null,
    })
    await o.call('PATCH', `/sobjects/CampaignMember/${id}`, { body: { Status: 'responded' } })
    await assertValues(o, 'CampaignMember', id, { Status: 'Responded', HasResponded: true })
    const [{ FirstRespondedDate } = {}] = await fetchRecords(
      o,
      `SELECT FirstRespondedDate FROM CampaignMember WHERE Id = '${id}'`,
    )
    assert.match(String(FirstRespondedDate), /^\d{4}-\d\d-\d\d$/)
    await o.call('PATCH', `/sobjects/CampaignMember/${id}`, { body: { Status: 'Sent' } })
    await assertValues(o, 'CampaignMember', id, { HasResponded: false, FirstRespondedDate })
  })

  test('has statuses of its own, and its default where a member names none of them', async () => {
    const id = await addCampaign()
    await o.create('CampaignMemberStatus', { CampaignId: id, Label: 'Came', HasResponded: true })
    await assertValues(o, 'CampaignMember', await addMember({ Status: 'Came' }), { HasResponded: true })
    await assertValues(o, 'CampaignMember', await addMember({ Status: 'Nowhere' }), { Status: 'Sent' })
  })

  test('counts its members as long as they are there', async () => {
    const id = await addCampaign()
    const contact = await o.create('Contact', { LastName: 'C' })
    const first = await addMember({ Status: 'Responded' })
    await addMember({ LeadId: null, ContactId: contact })
    await assertValues(o, 'Campaign', id, { NumberOfLeads: 1, NumberOfContacts: 1, NumberOfResponses: 1 })
    await o.call('DELETE', `/sobjects/CampaignMember/${first}`)
    await assertValues(o, 'Campaign', id, { NumberOfLeads: 0, NumberOfResponses: 0 })
    // The member goes with the person.
    await o.call('DELETE', `/sobjects/Contact/${contact}`)
    await assertValues(o, 'Campaign', id, { NumberOfContacts: 0 })
  })

  test('counts a person once', async () => {
    await addCampaign()
    const person = { LeadId: await addLead() }
    await addMember(person)
    const again = await o.call('POST', '/sobjects/CampaignMember', {
      body: { CampaignId: campaign, ...person },
    })
    assertRefused(again, 400, 'DUPLICATE_VALUE', 'Already a campaign member.')
    const nobody = await o.call('POST', '/sobjects/CampaignMember', { body: { CampaignId: campaign } })
    assertRefused(nobody, 400, 'FIELD_INTEGRITY_EXCEPTION', /a lead or a contact/, ['LeadId'])
  })

  test('adds up its opportunities, without being changed by anybody', async () => {
    const id = await addCampaign()
    const other = await o.create('Campaign', { Name: 'D' })
    const [before] = await fetchRecords(o, `SELECT LastModifiedDate FROM Campaign WHERE Id = '${id}'`)
    const deal = await o.create('Opportunity', { ...DEAL, CampaignId: id, Amount: 10 })
    await o.create('Opportunity', { ...DEAL, CampaignId: id, Amount: 5, StageName: 'Closed Won' })
    await assertValues(o, 'Campaign', id, {
      NumberOfOpportunities: 2,
      NumberOfWonOpportunities: 1,
      AmountAllOpportunities: 15,
      AmountWonOpportunities: 5,
      LastModifiedDate: before!.LastModifiedDate,
    })
    await o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { StageName: 'Closed Won' } })
    await assertValues(o, 'Campaign', id, { NumberOfWonOpportunities: 2, AmountWonOpportunities: 15 })
    await o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { CampaignId: other } })
    await assertValues(o, 'Campaign', id, { NumberOfOpportunities: 1, AmountAllOpportunities: 5 })
    await assertValues(o, 'Campaign', other, { NumberOfOpportunities: 1, AmountWonOpportunities: 10 })
    await o.call('DELETE', `/sobjects/Opportunity/${deal}`)
    await assertValues(o, 'Campaign', other, { NumberOfOpportunities: 0, AmountWonOpportunities: 0 })
  })
})

describe('a record', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  for (const [object, reference, fields] of [
    ['Account', 'ParentId', { Name: 'A' }],
    ['Case', 'ParentId', { Subject: 'A' }],
    ['Campaign', 'ParentId', { Name: 'A' }],
    ['Contact', 'ReportsToId', { LastName: 'A' }],
  ] as const) {
    test(`of ${object} is never above itself`, async () => {
      const top = await o.create(object, fields)
      const middle = await o.create(object, { ...fields, [reference]: top })
      const bottom = await o.create(object, { ...fields, [reference]: middle })
      for (const parent of [bottom, middle, top]) {
        const answer = await o.call('PATCH', `/sobjects/${object}/${top}`, { body: { [reference]: parent } })
        assertRefused(answer, 400, 'CIRCULAR_DEPENDENCY', 'attempt to violate hierarchy constraints', [
          reference,
        ])
      }
      const moved = await o.call('PATCH', `/sobjects/${object}/${bottom}`, { body: { [reference]: top } })
      assert.equal(moved.status, 204, moved.text)
    })
  }

  test('is not put above itself by two writes at once', async () => {
    const [a, b] = [await o.create('Account', { Name: 'A' }), await o.create('Account', { Name: 'B' })]
    const answers = await Promise.all([
      o.call('PATCH', `/sobjects/Account/${a}`, { body: { ParentId: b } }),
      o.call('PATCH', `/sobjects/Account/${b}`, { body: { ParentId: a } }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400])
  })

  test('of a campaign is at most the fifth from the top', async () => {
    let parent: string | null = null
    for (let level = 1; level <= 5; level++)
      parent = await o.create('Campaign', { Name: `${level}`, ParentId: parent })
    const answer = await o.call('POST', '/sobjects/Campaign', { body: { Name: '6', ParentId: parent } })
    assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', 'A hierarchy has at most 5 levels', ['ParentId'])
  })

  test('of a campaign is not moved to where others would be below the fifth', async () => {
    const middle = await o.create('Campaign', {
      Name: 'M',
      ParentId: await o.create('Campaign', { Name: 'T' }),
    })
    const top = await o.create('Campaign', { Name: '1' })
    let parent = top
    for (let level = 2; level <= 4; level++)
      parent = await o.create('Campaign', { Name: `${level}`, ParentId: parent })
    const move = (ParentId: string) => o.call('PATCH', `/sobjects/Campaign/${top}`, { body: { ParentId } })
    assertRefused(await move(middle), 400, 'FIELD_INTEGRITY_EXCEPTION', /at most 5 levels/, ['ParentId'])
    assert.equal((await o.call('DELETE', `/sobjects/Campaign/${parent}`)).status, 204)
    assert.equal((await move(middle)).status, 204)
  })

  test('of a list that closes a loop is refused alone', async () => {
    const [a, b, c, d, e] = await Promise.all(
      ['A', 'B', 'C', 'D', 'E'].map((Name) => o.create('Account', { Name })),
    )
    const records = [
      { id: a, ParentId: b },
      { id: d, ParentId: e },
      { id: b, ParentId: c },
      { id: c, ParentId: a },
      { id: e, ParentId: d },
    ].map((one) => ({ attributes: { type: 'Account' }, ...one }))
    const { body } = await o.call('PATCH', '/composite/sobjects', { body: { records } })
    const codes = body.map(({ errors }: { errors: { statusCode: string }[] }) => errors[0]?.statusCode)
    assert.deepEqual(codes, [undefined, undefined, undefined, 'CIRCULAR_DEPENDENCY', 'CIRCULAR_DEPENDENCY'])
  })
})

describe('an event', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })
  const START = '2026-05-10T10:00:00.000+0000'

  test('has an end by its duration and a duration by its end', async () => {
    await assertSteps(o, 'Event', [
      [
        { StartDateTime: '2026-05-10T10:00:00Z', DurationInMinutes: 90 },
        {
          ActivityDateTime: START,
          ActivityDate: '2026-05-10',
          EndDateTime: '2026-05-10T11:30:00.000+0000',
          EndDate: '2026-05-10',
        },
      ],
      [{ EndDateTime: '2026-05-11T10:00:00Z' }, { DurationInMinutes: 1440, EndDate: '2026-05-11' }],
      [
        { ActivityDateTime: '2026-05-12T08:00:00Z' },
        {
          StartDateTime: '2026-05-12T08:00:00.000+0000',
          DurationInMinutes: 1440,
          EndDateTime: '2026-05-13T08:00:00.000+0000',
        },
      ],
    ])
    await assertSteps(o, 'Event', [
      [
        { ActivityDateTime: '2026-05-10T10:00:00Z', EndDateTime: '2026-05-10T10:30:00Z' },
        { StartDateTime: START, DurationInMinutes: 30 },
      ],
    ])
  })

  test('of a whole day is one day unless it says otherwise', async () => {
    await assertSteps(o, 'Event', [
      [
        { IsAllDayEvent: true, ActivityDate: '2026-05-10' },
        { StartDateTime: '2026-05-10T00:00:00.000+0000', DurationInMinutes: 1440, EndDate: '2026-05-10' },
      ],
      [{ DurationInMinutes: 2880 }, { EndDate: '2026-05-11' }],
      [{ DurationInMinutes: 1500 }, { DurationInMinutes: 2880, EndDate: '2026-05-11' }],
      [{ EndDateTime: '2026-05-10T09:00:00Z' }, { DurationInMinutes: 1440, EndDate: '2026-05-10' }],
    ])
    await assertSteps(o, 'Event', [
      [{ StartDateTime: START, DurationInMinutes: 30 }, { ActivityDate: '2026-05-10' }],
      [{ IsAllDayEvent: true }, { StartDateTime: '2026-05-10T00:00:00.000+0000', DurationInMinutes: 1440 }],
    ])
  })

  test('is moved to another day at the same time by that day alone', async () => {
    await assertSteps(o, 'Event', [
      [{ StartDateTime: START, DurationInMinutes: 30 }, { ActivityDate: '2026-05-10' }],
      [
        { ActivityDate: '2026-06-01' },
        { StartDateTime: '2026-06-01T10:00:00.000+0000', EndDateTime: '2026-06-01T10:30:00.000+0000' },
      ],
    ])
  })

  for (const [title, fields, code, field] of [
    ['without a start', { DurationInMinutes: 5 }, 'REQUIRED_FIELD_MISSING', 'StartDateTime'],
    ['without an end', { StartDateTime: START }, 'REQUIRED_FIELD_MISSING', 'EndDateTime'],
    [
      'with an empty duration',
      { StartDateTime: START, DurationInMinutes: null },
      'REQUIRED_FIELD_MISSING',
      'DurationInMinutes',
    ],
    [
      'with two starts',
      { StartDateTime: START, ActivityDateTime: '2026-05-10T11:00:00Z', DurationInMinutes: 5 },
      'FIELD_INTEGRITY_EXCEPTION',
      'ActivityDateTime',
    ],
    [
      'with an end that is not its duration',
      { StartDateTime: START, EndDateTime: '2026-05-10T11:00:00Z', DurationInMinutes: 5 },
      'FIELD_INTEGRITY_EXCEPTION',
      'DurationInMinutes',
    ],
    [
      'that ends before it begins',
      { StartDateTime: START, EndDateTime: '2026-05-10T09:00:00Z' },
      'FIELD_INTEGRITY_EXCEPTION',
      'EndDateTime',
    ],
    [
      'of more than two weeks',
      { StartDateTime: START, DurationInMinutes: 20_161 },
      'FIELD_INTEGRITY_EXCEPTION',
      'DurationInMinutes',
    ],
  ] as const) {
    test(`${title} is refused`, async () => {
      const answer = await o.call('POST', '/sobjects/Event', { body: fields })
      assertRefused(answer, 400, code, /./, [field])
    })
  }

  test('without an end is told of its duration up to version 38', async () => {
    const body = { StartDateTime: START }
    for (const [version, field] of [
      ['38.0', 'DurationInMinutes'],
      ['39.0', 'EndDateTime'],
    ]) {
      const answer = await o.call('POST', `/services/data/v${version}/sobjects/Event`, { body })
      assertRefused(answer, 400, 'REQUIRED_FIELD_MISSING', `Required fields are missing: [${field}]`, [
        field!,
      ])
    }
  })

  test('keeps the pattern of its series, which only a create gives', async () => {
    const Recurrence2PatternText = 'RRULE:FREQ=DAILY;COUNT=3'
    const id = await o.create('Event', { StartDateTime: START, DurationInMinutes: 5, Recurrence2PatternText })
    await assertValues(o, 'Event', id, { Recurrence2PatternText, IsRecurrence2: false })
    const body = { Recurrence2PatternText: 'RRULE:FREQ=WEEKLY' }
    const answer = await o.call('PATCH', `/sobjects/Event/${id}`, { body })
    assertRefused(answer, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /Recurrence2PatternText/, [
      'Recurrence2PatternText',
    ])
  })
})
