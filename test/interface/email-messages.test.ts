import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { standardObject } from '../support/standard-object.ts'

/* E-mails at cases and other records, and the roles of contacts for accounts. */

let o: TestOrg
before(async () => {
  o = await openOrg()
})

const subjects = async (who: TestOrg, rest: string) =>
  (await fetchRecords(who, `SELECT Subject FROM EmailMessage ${rest}`)).map(({ Subject }) => Subject)

describe('an e-mail', () => {
  test('is created, read, queried with its case, changed and deleted', async () => {
    const printer = await o.create('Case', { Subject: 'printer' })
    const id = await o.create('EmailMessage', {
      ParentId: printer,
      Status: '0',
      Incoming: true,
      Subject: 'It burns',
      FromAddress: 'ann@x.test',
      ToAddress: 'help@x.test; desk@x.test',
      HtmlBody: `<p>${'long '.repeat(10_000)}</p>`,
      MessageDate: '2026-03-05T10:00:00Z',
    })
    assert.match(id, /^02s/)
    const { body } = await o.call(
      'GET',
      `/sobjects/EmailMessage/${id}?fields=Incoming,HasAttachment,HtmlBody`,
    )
    assert.deepEqual([body.Incoming, body.HasAttachment, body.HtmlBody.length], [true, false, 50_007])
    const [found] = await fetchRecords(
      o,
      `SELECT CaseNumber, (SELECT Subject, Parent.Subject FROM EmailMessages) FROM Case WHERE Id = '${printer}'`,
    )
    const { records } = found!.EmailMessages as {
      records: { Subject: string; Parent: { Subject: string } }[]
    }
    assert.deepEqual(
      records.map(({ Subject, Parent }) => [Subject, Parent.Subject]),
      [['It burns', 'printer']],
    )
    const changed = await o.call('PATCH', `/sobjects/EmailMessage/${id}`, { body: { Status: '1' } })
    assert.equal(changed.status, 204, changed.text)
    assert.deepEqual(await subjects(o, "WHERE Status = '1'"), ['It burns'])
    assert.equal((await o.call('DELETE', `/sobjects/EmailMessage/${id}`)).status, 204)
  })

  test('has a status of the list, a case as its parent, and stays at it', async () => {
    const create = (body: object) => o.call('POST', '/sobjects/EmailMessage', { body })
    const fresh = await o.create('EmailMessage', { TextBody: 'x' })
    assert.equal((await o.call('GET', `/sobjects/EmailMessage/${fresh}`)).body.Status, '0')
    const unknown = await create({ Status: 'Sent' })
    assertRefused(unknown, 400, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', /Sent/, ['Status'])
    const account = await o.create('Account', { Name: 'no case' })
    const elsewhere = await create({ Status: '3', ParentId: account })
    assert.equal(elsewhere.status, 400, elsewhere.text)
    const id = await o.create('EmailMessage', { Status: '5', RelatedToId: account })
    const moved = await o.call('PATCH', `/sobjects/EmailMessage/${id}`, { body: { ParentId: null } })
    assertRefused(moved, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /ParentId/, ['ParentId'])
    const marked = await o.call('PATCH', `/sobjects/EmailMessage/${id}`, { body: { HasAttachment: true } })
    assertRefused(marked, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /HasAttachment/, ['HasAttachment'])
  })

  test('has attachments and files, and says whether', async () => {
    const id = await o.create('EmailMessage', { Status: '3', Subject: 'with papers' })
    const has = async () =>
      (await o.call('GET', `/sobjects/EmailMessage/${id}?fields=HasAttachment`)).body.HasAttachment
    const attach = (Name: string) => o.create('Attachment', { ParentId: id, Name, Body: 'aGk=' })
    const attachment = await attach('a.txt')
    assert.equal(await has(), true)
    assert.deepEqual(await subjects(o, 'WHERE HasAttachment = true'), ['with papers'])
    await o.call('DELETE', `/sobjects/Attachment/${attachment}`)
    assert.equal(await has(), false)
    const version = await o.create('ContentVersion', {
      PathOnClient: 'b.txt',
      VersionData: 'aGk=',
      FirstPublishLocationId: id,
    })
    assert.equal(await has(), true)
    const attached = await attach('c.txt')
    const [found] = await fetchRecords(
      o,
      `SELECT (SELECT Name FROM Attachments), (SELECT Id FROM ContentDocumentLinks),
              (SELECT Title, RecordType FROM CombinedAttachments ORDER BY Title)
       FROM EmailMessage WHERE Id = '${id}'`,
    )
    const list = (name: string) => (found![name] as { records: Record<string, unknown>[] }).records
    assert.deepEqual(
      list('Attachments').map(({ Name }) => Name),
      ['c.txt'],
    )
    assert.equal(list('ContentDocumentLinks').length, 1)
    assert.deepEqual(
      list('CombinedAttachments').map(({ Title, RecordType }) => [Title, RecordType]),
      [
        ['b', 'File'],
        ['c.txt', 'Attachment'],
      ],
    )
    assert.equal((await o.call('DELETE', `/sobjects/EmailMessage/${id}`)).status, 204)
    assert.deepEqual(await fetchNames(o, `Attachment WHERE Id = '${attached}'`), [])
    const kept = await o.call('GET', `/sobjects/ContentVersion/${version}`)
    assert.equal(kept.status, 200)
  })

  test('cannot be changed once it is no draft, but for its flags and its status', async () => {
    const change = (id: string, body: object) => o.call('PATCH', `/sobjects/EmailMessage/${id}`, { body })
    const draft = await o.create('EmailMessage', {
      Status: '5',
      Subject: 'draft',
      MessageDate: '2026-03-05T10:00:00Z',
    })
    assert.equal((await change(draft, { Subject: 'better', Status: '3' })).status, 204)
    const refused = await change(draft, { Subject: 'worse', TextBody: 'x', IsExternallyVisible: true })
    assertRefused(refused, 400, 'INSUFFICIENT_ACCESS_OR_READONLY', /drafts/, ['TextBody', 'Subject'])
    const reopened = await change(draft, { Status: '5' })
    assertRefused(reopened, 400, 'INSUFFICIENT_ACCESS_OR_READONLY', /drafts/, ['Status'])
    // A client that writes every field back changes what it may.
    const whole = { Subject: 'better', MessageDate: '2026-03-05T11:00:00.000+01:00', TextBody: null }
    assert.equal((await change(draft, { ...whole, IsExternallyVisible: true, Status: '2' })).status, 204)
    assert.deepEqual(await subjects(o, "WHERE IsExternallyVisible = true AND Status = '2'"), ['better'])
    const inList = await o.call('PATCH', '/composite/sobjects', {
      body: {
        records: [{ attributes: { type: 'EmailMessage' }, id: draft, Subject: 'worse' }],
      },
    })
    assert.equal(inList.body[0].errors[0].statusCode, 'INSUFFICIENT_ACCESS_OR_READONLY')
    assert.equal((await o.call('DELETE', `/sobjects/EmailMessage/${draft}`)).status, 204)
  })

  test('goes with its case', async () => {
    const gone = await o.create('Case', { Subject: 'gone' })
    await o.create('EmailMessage', { Status: '0', Subject: 'goes too', ParentId: gone })
    assert.equal((await o.call('DELETE', `/sobjects/Case/${gone}`)).status, 204)
    assert.deepEqual(await subjects(o, "WHERE Subject = 'goes too'"), [])
  })

  test('is seen and written with its case and with what it is about', async () => {
    const objects = ['Case', 'Opportunity'].map((name) => ({
      ...standardObject(name),
      sharing: 'private' as const,
    }))
    await o.services.runtimes
      .of(o.org)
      .snapshots.deploy(o.db, { objects, mode: 'keep', allowDestructive: true })
    const person = await addPerson(o, 'agent')
    for (const name of ['Case', 'EmailMessage', 'Opportunity']) {
      await allow(o, person.setId, name, 'Create', 'Edit', 'Delete', 'ViewAllFields', 'EditAllFields')
    }
    const hidden = await o.create('Case', { Subject: 'hidden' })
    const deal = await o.create('Opportunity', {
      Name: 'hidden',
      StageName: 'Prospecting',
      CloseDate: '2026-12-31',
    })
    const own = (await person.call('POST', '/sobjects/Case', { body: { Subject: 'own' } })).body.id
    const write = (fields: object) => o.create('EmailMessage', { Status: '3', ...fields })
    const secret = await write({ Subject: 'a hidden case', ParentId: hidden })
    await write({ Subject: 'a hidden deal', RelatedToId: deal })
    await write({ Subject: 'own, but the deal is hidden', ParentId: own, RelatedToId: deal })
    await write({ Subject: 'own', ParentId: own })
    await write({ Subject: 'at nothing' })
    assert.deepEqual(await subjects(person.org, 'WHERE Subject != null ORDER BY Subject'), [
      'at nothing',
      'own',
    ])
    assert.equal((await subjects(o, "WHERE Subject LIKE '%hidden%'")).length, 3)
    await allow(o, person.setId, 'Attachment', 'Create', 'Edit', 'Delete', 'ViewAllFields', 'EditAllFields')
    const paper = await o.create('Attachment', { ParentId: secret, Name: 'secret.txt', Body: 'aGk=' })
    assert.deepEqual(await fetchNames(person.org, 'Attachment'), [])
    assert.equal((await person.call('GET', `/sobjects/Attachment/${paper}/Body`)).status, 404)
    const answer = await person.call('PATCH', `/sobjects/EmailMessage/${secret}`, { body: { Status: '4' } })
    assert.ok([400, 404].includes(answer.status), answer.text)
    const added = await person.call('POST', '/sobjects/EmailMessage', {
      body: { Status: '3', ParentId: hidden },
    })
    assert.equal(added.status, 400, added.text)
    const why = await o.call('GET', `/setup/orgs/current/why?user=${person.id}&record=${secret}`)
    assert.match(JSON.stringify(why.body.verdicts[0]), /"allowed":false.*Case is private/)
  })
})

test('the role of a contact for an account goes with either', async () => {
  const account = await o.create('Account', { Name: 'Acme' })
  const contacts = await Promise.all(['Ann', 'Ben'].map((LastName) => o.create('Contact', { LastName })))
  for (const [n, ContactId] of contacts.entries()) {
    await o.create('AccountContactRole', {
      AccountId: account,
      ContactId,
      Role: 'Evaluator',
      IsPrimary: n === 0,
    })
  }
  const roles = () =>
    fetchRecords(
      o,
      `SELECT Contact.Name, Role, IsPrimary FROM AccountContactRole WHERE AccountId = '${account}' ORDER BY Contact.Name`,
    )
  assert.deepEqual(await roles(), [
    { Contact: { Name: 'Ann' }, Role: 'Evaluator', IsPrimary: true },
    { Contact: { Name: 'Ben' }, Role: 'Evaluator', IsPrimary: false },
  ])
  assert.deepEqual(
    await fetchNames(o, `Contact WHERE Id IN (SELECT ContactId FROM AccountContactRole) AND Name = 'Ann'`),
    ['Ann'],
  )
  assert.equal((await o.call('DELETE', `/sobjects/Contact/${contacts[0]}`)).status, 204)
  assert.equal((await roles()).length, 1)
  assert.equal((await o.call('DELETE', `/sobjects/Account/${account}`)).status, 204)
  assert.deepEqual(await roles(), [])
})
