import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Connection } from 'jsforce'
import { type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'

/* jsforce, unmodified, on records, beside writing and querying them, over a real port. */

let conn: Connection
let close: JsforceClient['close']
let account: string

before(async () => {
  ;({ conn, close } = await openJsforceClient())
  account = (await conn.sobject('Account').create({ Name: 'Acme' })).id!
})
after(() => close())

/** The bytes that a record has in a field. */
async function fetchBlob(object: string, id: string, field: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of conn.sobject(object).record(id).blob(field)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('jsforce lists what was used last, of one object and of all', async () => {
  const { id } = await conn.sobject('Contact').create({ LastName: 'Roe' })
  await conn.sobject('Account').retrieve(account)
  const [newest] = await conn.sobject('Account').recent()
  assert.deepEqual([newest!.Id, newest!.Name], [account, 'Acme'])
  const all = await conn.recent(10)
  assert.deepEqual(new Set(all.slice(0, 2).map(({ Id }) => Id)), new Set([account, id]))
})

test('jsforce asks what was updated and deleted, with its own way to write times', async () => {
  const stays = (await conn.sobject('Account').create({ Name: 'stays' })).id!
  const { id } = await conn.sobject('Account').create({ Name: 'gone' })
  await conn.sobject('Account').destroy(id!)
  const [start, end] = [new Date(Date.now() - 120_000), new Date(Date.now() + 120_000)]
  const updated = await conn.sobject('Account').updated(start, end)
  assert.ok(updated.ids.includes(stays))
  assert.match(updated.latestDateCovered, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+0000$/)
  const { deletedRecords } = await conn.sobject('Account').deleted(start, end)
  assert.deepEqual(
    deletedRecords.map((record) => record.id),
    [id],
  )
})

test('jsforce writes an attachment as base64 and reads its bytes', async () => {
  const bytes = randomBytes(5000)
  const { id } = await conn
    .sobject('Attachment')
    .create({ ParentId: account, Name: 'a.bin', Body: bytes.toString('base64') })
  assert.ok((await fetchBlob('Attachment', id!, 'Body')).equals(bytes))
})

test('jsforce writes a file as a part of a multipart body', async () => {
  const bytes = randomBytes(3_000_000)
  const { id } = await conn
    .sobject('ContentVersion')
    .create(
      { Title: 'A file', PathOnClient: 'a.png', VersionData: bytes.toString('base64') },
      { multipartFileFields: { VersionData: { filename: 'a.png', contentType: 'image/png' } } },
    )
  assert.ok((await fetchBlob('ContentVersion', id!, 'VersionData')).equals(bytes))
  const version = await conn.sobject('ContentVersion').retrieve(id!)
  assert.deepEqual([version.ContentSize, version.FileType, version.IsLatest], [3_000_000, 'PNG', true])
})
