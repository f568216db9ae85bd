import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords, fetchRefusal } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

/* Files and notes of records of custom objects, to which loaders of the sf command attach them. (docs/reference/api/records.md#files) */

let o: TestOrg
let box: string
let document: string

// biome-ignore lint/suspicious/noExplicitAny: a describe
type Body = any

const HELLO = 'aGVsbG8='

before(async () => {
  o = await openOrg()
  await fetchSteps(o, { Box__c: { activities: true }, Shelf__c: { sharing: 'private' } })
  box = await o.create('Box__c', { Name: 'box' })
  await o.create('Attachment', { Name: 'a.txt', ParentId: box, Body: HELLO })
  await o.create('Note', { Title: 'note', ParentId: box })
  await o.create('Task', { Subject: 'task', WhatId: box })
  const version = { PathOnClient: 'f.txt', VersionData: HELLO, FirstPublishLocationId: box }
  const id = await o.create('ContentVersion', version)
  document = (await o.call('GET', `/sobjects/ContentVersion/${id}`)).body.ContentDocumentId
})

describe('a custom object', () => {
  test('has attachments, notes, files and tasks as children, from the call that deploys it on', async () => {
    const { childRelationships } = (await o.call('GET', '/sobjects/Box__c/describe')).body
    const names = childRelationships.map((one: Body) => one.relationshipName)
    for (const name of ['Attachments', 'Notes', 'ContentDocumentLinks', 'Tasks', 'Events']) {
      assert.ok(names.includes(name), name)
    }
    const shelf = (await o.call('GET', '/sobjects/Shelf__c/describe')).body
    const kinds = shelf.childRelationships.map((one: Body) => one.relationshipName)
    assert.deepEqual([kinds.includes('Attachments'), kinds.includes('Tasks')], [true, false])
    const describe = (await o.call('GET', '/sobjects/Attachment/describe')).body
    const { referenceTo } = describe.fields.find((field: Body) => field.name === 'ParentId')
    assert.ok(referenceTo.includes('Box__c') && referenceTo.includes('Account'))
    const children = '(SELECT Name FROM Attachments), (SELECT Title FROM Notes), (SELECT Subject FROM Tasks)'
    const [row] = await fetchRecords(o, `SELECT ${children} FROM Box__c`)
    assert.deepEqual(
      ['Attachments', 'Notes', 'Tasks'].map((name) => (row![name] as Body).totalSize),
      [1, 1, 1],
    )
  })

  test('is a parent in queries and semi-joins', async () => {
    for (const object of ['Attachment', 'Note']) {
      const from = `FROM ${object} WHERE ParentId IN (SELECT Id FROM Box__c WHERE Name = 'box')`
      assert.deepEqual(await fetchRecords(o, `SELECT Parent.Name, Parent.Type ${from}`), [
        { Parent: { Name: 'box', Type: 'Box__c' } },
      ])
    }
    const inner = `SELECT LinkedEntityId FROM ContentDocumentLink WHERE ContentDocumentId = '${document}'`
    assert.deepEqual(await fetchRecords(o, `SELECT Name FROM Box__c WHERE Id IN (${inner})`), [
      { Name: 'box' },
    ])
    const typed = `SELECT TYPEOF LinkedEntity WHEN Box__c THEN Name END FROM ContentDocumentLink WHERE LinkedEntityId = '${box}'`
    assert.deepEqual(await fetchRecords(o, typed), [{ LinkedEntity: { Name: 'box' } }])
    const wrong = 'SELECT Id FROM Contact WHERE AccountId IN (SELECT Id FROM Box__c)'
    assert.equal((await fetchRefusal(o, wrong)).code, 'MALFORMED_QUERY')
  })

  test('decides who sees what is attached to it', async () => {
    const reader = await addPerson(o, 'reader')
    const stranger = await addPerson(o, 'stranger')
    for (const person of [reader, stranger]) {
      await allow(o, person.setId, 'Attachment', 'Read')
      await allow(o, person.setId, 'ContentDocument', 'Read')
    }
    await allow(o, reader.setId, 'Box__c', 'Read')
    await allow(o, reader.setId, 'Shelf__c', 'Read')
    const shelf = await o.create('Shelf__c', { Name: 'mine' })
    await o.create('Attachment', { Name: 'hidden.txt', ParentId: shelf, Body: HELLO })
    const attachments = 'SELECT Name FROM Attachment'
    assert.deepEqual(await fetchRecords(reader.org, attachments), [{ Name: 'a.txt' }])
    assert.deepEqual(await fetchRecords(stranger.org, attachments), [])
    const files = 'SELECT Title FROM ContentDocument'
    assert.deepEqual(await fetchRecords(reader.org, files), [{ Title: 'f' }])
    assert.deepEqual(await fetchRecords(stranger.org, files), [])
  })

  test('takes activities only if it allows them', async () => {
    const shelf = await o.create('Shelf__c', { Name: 'quiet' })
    const body = { Subject: 'task', WhatId: shelf }
    assertRefused(await o.call('POST', '/sobjects/Task', { body }), 400, 'MALFORMED_ID', /WhatId|Related/, [
      'WhatId',
    ])
  })

  test('takes what belongs to a record with it into the recycle bin, files excepted', async () => {
    const gone = await o.create('Box__c', { Name: 'gone' })
    await o.create('Attachment', { Name: 'gone.txt', ParentId: gone, Body: HELLO })
    const LinkedEntityId = gone
    await o.create('ContentDocumentLink', { ContentDocumentId: document, LinkedEntityId, ShareType: 'V' })
    assert.equal((await o.call('DELETE', `/sobjects/Box__c/${gone}`)).status, 204)
    assert.deepEqual(await fetchRecords(o, "SELECT Id FROM Attachment WHERE Name = 'gone.txt'"), [])
    const links = `SELECT Id FROM ContentDocumentLink WHERE LinkedEntityId = '${gone}'`
    assert.deepEqual(await fetchRecords(o, links), [])
    assert.equal((await o.call('GET', `/sobjects/ContentDocument/${document}`)).status, 200)
  })
})
