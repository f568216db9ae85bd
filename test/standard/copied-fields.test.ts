import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Fields that show those of the record that a reference points to. */

const REACHED = { Phone: '1', MobilePhone: '2', Email: 'ann@example.com', Fax: '4' }

describe('fields that show those of a person', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  const addContact = (fields: object = {}) => o.create('Contact', { LastName: 'Lee', ...REACHED, ...fields })
  const change = async (object: string, id: string, body: object) =>
    assert.equal((await o.call('PATCH', `/sobjects/${object}/${id}`, { body })).status, 204)

  test('of a case follow its contact, without a write of the case', async () => {
    const contact = await addContact()
    const id = await o.create('Case', { ContactId: contact })
    const read = async () => (await o.call('GET', `/sobjects/Case/${id}`)).body
    const { ContactPhone, ContactMobile, ContactEmail, ContactFax, SystemModstamp } = await read()
    assert.deepEqual([ContactPhone, ContactMobile, ContactEmail, ContactFax], Object.values(REACHED))
    await change('Contact', contact, { Phone: '10', Email: null })
    const after = await read()
    assert.deepEqual([after.ContactPhone, after.ContactEmail], ['10', null])
    assert.equal(after.SystemModstamp, SystemModstamp)
    await change('Case', id, { ContactId: null })
    await assertValues(o, 'Case', id, { ContactPhone: null, ContactMobile: null })
  })

  test('can be compared, sorted, grouped and counted', async () => {
    for (const Phone of ['555', '556', '556'])
      await o.create('Case', { ContactId: await addContact({ Phone }) })
    const where = "WHERE ContactPhone LIKE '55%'"
    const cases = await fetchRecords(o, `SELECT ContactPhone FROM Case ${where} ORDER BY ContactPhone DESC`)
    assert.deepEqual(
      cases.map((record) => record.ContactPhone),
      ['556', '556', '555'],
    )
    const groups = await fetchRecords(
      o,
      `SELECT ContactPhone, COUNT(Id) n FROM Case ${where} GROUP BY ContactPhone HAVING COUNT(Id) > 1 ORDER BY ContactPhone`,
    )
    assert.deepEqual(
      groups.map(({ ContactPhone, n }) => [ContactPhone, n]),
      [['556', 2]],
    )
    const semi = await fetchRecords(
      o,
      `SELECT Id FROM Contact WHERE Id IN (SELECT ContactId FROM Case WHERE ContactPhone = '555')`,
    )
    assert.equal(semi.length, 1)
  })

  test('of a campaign member are those of its lead or contact', async () => {
    const account = await o.create('Account', { Name: 'Acme' })
    const contact = await addContact({
      AccountId: account,
      Salutation: 'Ms.',
      FirstName: 'Ann',
      MailingCity: 'Bonn',
      DoNotCall: true,
    })
    const lead = await o.create('Lead', {
      LastName: 'Ng',
      Company: 'Globex',
      City: 'Rome',
      LeadSource: 'Web',
      Email: 'ng@example.com',
    })
    const campaign = await o.create('Campaign', { Name: 'C' })
    const byContact = await o.create('CampaignMember', { CampaignId: campaign, ContactId: contact })
    const byLead = await o.create('CampaignMember', { CampaignId: campaign, LeadId: lead })
    await assertValues(o, 'CampaignMember', byContact, {
      Name: 'Ms. Ann Lee',
      FirstName: 'Ann',
      LastName: 'Lee',
      City: 'Bonn',
      Email: 'ann@example.com',
      CompanyOrAccount: 'Acme',
      Type: 'Contact',
      LeadOrContactId: contact,
      LeadOrContactOwnerId: o.userId,
      DoNotCall: true,
      HasOptedOutOfFax: false,
    })
    await assertValues(o, 'CampaignMember', byLead, {
      Name: 'Ng',
      FirstName: null,
      City: 'Rome',
      Email: 'ng@example.com',
      LeadSource: 'Web',
      CompanyOrAccount: 'Globex',
      Type: 'Lead',
      LeadOrContactId: lead,
      DoNotCall: false,
    })
    await change('Account', account, { Name: 'Acme Ltd' })
    const found = await fetchRecords(
      o,
      `SELECT LeadOrContactOwner.Name, LeadOrContact.Name FROM CampaignMember WHERE CompanyOrAccount = 'Acme Ltd'`,
    )
    assert.equal(found.length, 1)
    const inCampaign = await ask(
      o,
      `SELECT Id, (SELECT Name, Email FROM CampaignMembers ORDER BY Name) FROM Campaign WHERE Id = '${campaign}'`,
    )
    assert.deepEqual(
      inCampaign.body.records[0].CampaignMembers.records.map(({ Name }: { Name: string }) => Name),
      ['Ms. Ann Lee', 'Ng'],
    )
  })

  test('are written by nobody', async () => {
    const answer = await o.call('POST', '/sobjects/Case', { body: { ContactPhone: '1' } })
    assertRefused(
      answer,
      400,
      'INVALID_FIELD_FOR_INSERT_UPDATE',
      /^Unable to create\/update fields: ContactPhone/,
      ['ContactPhone'],
    )
    const describe = (await o.call('GET', '/sobjects/Case/describe')).body
    const field = describe.fields.find(({ name }: { name: string }) => name === 'ContactPhone')
    assert.deepEqual(
      [field.createable, field.updateable, field.filterable, field.nillable],
      [false, false, true, true],
    )
  })

  test('are empty when the person is taken away', async () => {
    const id = await o.create('Case', { ContactId: await addContact() })
    await o.call('PATCH', `/sobjects/Case/${id}`, { body: { ContactId: null } })
    await assertValues(o, 'Case', id, { ContactId: null, ContactPhone: null })
  })
})
