import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openOrg, type TestOrg } from '../support/org.ts'
import { triggersFrom } from '../support/trigger-files.ts'

const FILES = {
  /** Writes the accounts that the title names, one after the other, in the order of the title. */
  'contact.ts': `
    export default {
      object: 'Contact',
      async afterInsert(changes: any[], org: any) {
        for (const { record } of changes)
          for (const id of record.Title.split(' ')) await org.update('Account', [{ Id: id, Site: record.LastName }])
      },
      async afterDelete(changes: any[], org: any) {
        for (const { old } of changes)
          for (const id of old.Title.split(' ')) await org.update('Account', [{ Id: id, Site: null }])
      },
    }`,
}

const WRITERS = 64

let org: TestOrg
let accounts: string[]

before(async () => {
  org = await openOrg({ triggers: await triggersFrom(FILES) })
  accounts = await Promise.all(
    Array.from({ length: 6 }, (_, index) => org.create('Account', { Name: `Account ${index}` })),
  )
})

/** Three accounts, in an order that differs from writer to writer. */
const pick = (writer: number): string => {
  const turned = [...accounts.slice(writer % 6), ...accounts.slice(0, writer % 6)]
  return (writer % 2 === 0 ? turned : turned.reverse()).slice(0, 3).join(' ')
}

describe('Writes whose triggers write the same records in different orders', () => {
  test('are all done, however many come at once', async () => {
    const created = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) =>
        org.call('POST', '/sobjects/Contact', {
          body: { LastName: `Writer ${writer}`, Title: pick(writer) },
        }),
      ),
    )
    assert.deepEqual(
      created.map(({ status, body }) => (status === 201 ? status : body)),
      Array(WRITERS).fill(201),
    )
    const deleted = await Promise.all(
      created.map(({ body }) => org.call('DELETE', `/sobjects/Contact/${body.id}`)),
    )
    assert.deepEqual(
      deleted.map(({ status, body }) => (status === 204 ? status : body)),
      Array(WRITERS).fill(204),
    )
  })
})
