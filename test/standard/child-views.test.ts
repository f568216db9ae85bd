import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { standardObject } from '../support/standard-object.ts'

/* Objects that are read as children of the records that activities, notes, attachments and files hang on. */

const HISTORY = 'ActivityHistories ORDER BY ActivityDate DESC, LastModifiedDate DESC LIMIT 499'
const OPEN = 'OpenActivities ORDER BY ActivityDate ASC, LastModifiedDate DESC LIMIT 100'
const DAY = 86_400_000

const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

describe('open activities and the history of activities', () => {
  let o: TestOrg
  let account: string
  let contact: string
  let opportunity: string
  before(async () => {
    o = await openOrg()
    account = await o.create('Account', { Name: 'Acme' })
    contact = await o.create('Contact', { LastName: 'Lee', AccountId: account })
    const deal = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-01', AccountId: account }
    opportunity = await o.create('Opportunity', deal)
    const task = (Subject: string, more: object) => o.create('Task', { Subject, ...more })
    const event = (Subject: string, days: number, more: object) =>
      o.create('Event', { Subject, StartDateTime: inDays(days), DurationInMinutes: 30, ...more })
    await task('open', { WhatId: account, ActivityDate: '2026-01-02' })
    await task('done', { WhatId: account, ActivityDate: '2026-01-03', Status: 'Completed' })
    await task('of the contact', { WhoId: contact })
    await task('of the deal', { WhatId: opportunity, WhoId: contact, Status: 'Completed' })
    await event('past', -2, { WhatId: opportunity })
    await event('future', 2, { WhoId: contact })
    const Subject = 'today, all day'
    await o.create('Event', {
      Subject,
      IsAllDayEvent: true,
      ActivityDate: inDays(0).slice(0, 10),
      WhatId: account,
    })
  })

  const subjects = async (from: string, object: string, id: string) => {
    const query = `SELECT Id, (SELECT Id, Subject, IsTask, ActivityDate, IsClosed, What.Name, Who.Name, Owner.Name, Account.Name FROM ${from}) FROM ${object} WHERE Id = '${id}'`
    const [record] = await fetchRecords(o, query)
    const children = record![from.split(' ')[0]!] as { records: Record<string, unknown>[] } | null
    return (children?.records ?? []).map((child) => child.Subject).sort()
  }

  test('an account has those of its contacts and opportunities too', async () => {
    assert.deepEqual(await subjects(OPEN, 'Account', account), [
      'future',
      'of the contact',
      'open',
      'today, all day',
    ])
    assert.deepEqual(await subjects(HISTORY, 'Account', account), ['done', 'of the deal', 'past'])
  })

  test('a person has those with it, an opportunity those about it', async () => {
    assert.deepEqual(await subjects(OPEN, 'Contact', contact), ['future', 'of the contact'])
    assert.deepEqual(await subjects(HISTORY, 'Contact', contact), ['of the deal'])
    assert.deepEqual(await subjects(HISTORY, 'Opportunity', opportunity), ['of the deal', 'past'])
    assert.deepEqual(await subjects(OPEN, 'Opportunity', opportunity), [])
  })

  test('they are the tasks and events themselves', async () => {
    const query = `SELECT (SELECT Id, Subject, IsTask, ActivitySubtype, Status, DurationInMinutes, IsDeleted FROM ActivityHistories ORDER BY Subject) FROM Opportunity WHERE Id = '${opportunity}'`
    const [record] = await fetchRecords(o, query)
    const [task, event] = (record!.ActivityHistories as { records: Record<string, unknown>[] }).records
    assert.deepEqual(
      [task!.IsTask, task!.Status, task!.ActivitySubtype, task!.DurationInMinutes],
      [true, 'Completed', 'Task', null],
    )
    assert.deepEqual([event!.IsTask, event!.DurationInMinutes], [false, 30])
    assert.match(task!.Id as string, /^00T/)
    assert.match(event!.Id as string, /^00U/)
    assert.equal((task!.attributes as { type: string }).type, 'ActivityHistory')
  })

  test('the children can be filtered, for many records at once, and by their address', async () => {
    const query =
      "SELECT Name, (SELECT Subject FROM OpenActivities WHERE IsTask = true) FROM Account WHERE Name LIKE 'A%'"
    const [record] = await fetchRecords(o, query)
    const children = record!.OpenActivities as { totalSize: number; done: boolean }
    assert.deepEqual([children.totalSize, children.done], [2, true])
    const path = (id: string) => `/sobjects/Account/${id}/OpenActivities?fields=Subject`
    const { status, body } = await o.call('GET', path(account))
    assert.deepEqual([status, body.totalSize], [200, 4])
    const empty = await o.call('GET', path(await o.create('Account', { Name: 'No activities' })))
    assert.deepEqual([empty.status, empty.body.totalSize, empty.body.records], [200, 0, []])
  })

  test('are not queried by themselves', async () => {
    for (const name of ['OpenActivity', 'ActivityHistory', 'CombinedAttachment', 'AttachedContentDocument']) {
      const message = `entity type ${name} does not support query`
      assertRefused(await ask(o, `SELECT Id FROM ${name}`), 400, 'INVALID_TYPE_FOR_OPERATION', message)
      const { body } = await o.call('GET', `/sobjects/${name}/describe`)
      const { queryable, createable, retrieveable, keyPrefix } = body
      assert.deepEqual([queryable, createable, retrieveable, keyPrefix], [false, false, true, null])
    }
  })

  test('have only what the caller may see of tasks and events', async () => {
    const objects = [{ ...standardObject('Task'), sharing: 'private' as const }]
    const options = { objects, mode: 'keep' as const, allowDestructive: true }
    await o.services.runtimes.of(o.org).snapshots.deploy(o.db, options)
    const reader = await addPerson(o, 'reader')
    await allow(o, reader.setId, 'Account', 'Read')
    const see = async () => {
      const query = `SELECT (SELECT Subject, Description FROM OpenActivities ORDER BY Subject) FROM Account WHERE Id = '${account}'`
      const [record] = await fetchRecords(reader.org, query)
      const children = record!.OpenActivities as { records: Record<string, unknown>[] } | null
      return (children?.records ?? []).map(({ Subject, Description }) => [Subject, Description])
    }
    assert.deepEqual(await see(), [])
    await allow(o, reader.setId, 'Task', 'Read', 'Create')
    const body = { Subject: 'own', WhatId: account, Description: 'read by those who may' }
    await o.create('Task', { ...body, OwnerId: reader.id })
    assert.deepEqual(await see(), [['own', null]])
    await allow(o, reader.setId, 'Task', 'ViewAllFields')
    assert.deepEqual(await see(), [['own', body.Description]])
  })

  test('describes say by which field each object has them', async () => {
    const found: Record<string, unknown> = {}
    for (const name of ['Account', 'Contact', 'Lead', 'Opportunity', 'Case']) {
      const { body } = await o.call('GET', `/sobjects/${name}/describe`)
      const ways = body.childRelationships as { relationshipName: string | null; field: string }[]
      const own = ways.filter(({ relationshipName }) => relationshipName === 'OpenActivities')
      found[name] = own.map(({ field }) => field)
    }
    assert.deepEqual(found, {
      Account: ['AccountId'],
      Contact: ['WhoId'],
      Lead: ['WhoId'],
      Opportunity: ['WhatId'],
      Case: ['WhatId'],
    })
  })
})

describe('what hangs on a record', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('files, attachments and notes are read together and apart', async () => {
    const account = await o.create('Account', { Name: 'Acme' })
    await o.create('Note', { ParentId: account, Title: 'a note', Body: 'b' })
    await o.create('Attachment', { ParentId: account, Name: 'old.txt', Body: 'aGVsbG8=' })
    await o.create('ContentVersion', {
      Title: 'plan',
      PathOnClient: 'plan.pdf',
      VersionData: 'aGVsbG8=',
      FirstPublishLocationId: account,
    })
    const [record] = await fetchRecords(
      o,
      `SELECT (SELECT ContentDocumentId, Title, FileType, FileExtension, ContentSize FROM AttachedContentDocuments),
              (SELECT Id, RecordType, Title, ContentSize FROM CombinedAttachments ORDER BY RecordType DESC),
              (SELECT Id, IsNote, Title, Owner.Name FROM NotesAndAttachments ORDER BY Title)
       FROM Account WHERE Id = '${account}'`.replaceAll(/\s+/g, ' '),
    )
    const rows = (name: string) => (record![name] as { records: Record<string, unknown>[] }).records
    const [file] = rows('AttachedContentDocuments')
    assert.deepEqual(
      [file!.Title, file!.FileType, file!.FileExtension, file!.ContentSize],
      ['plan', 'PDF', 'pdf', 5],
    )
    assert.deepEqual(
      rows('CombinedAttachments').map(({ RecordType, Title, ContentSize }) => [
        RecordType,
        Title,
        ContentSize,
      ]),
      [
        ['Note', 'a note', null],
        ['Attachment', 'old.txt', 5],
        ['File', 'plan', 5],
      ],
    )
    assert.deepEqual(
      rows('NotesAndAttachments').map(({ IsNote, Title }) => [IsNote, Title]),
      [
        [true, 'a note'],
        [false, 'old.txt'],
      ],
    )
  })
})
