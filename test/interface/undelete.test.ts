import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* Records come back through the org of a trigger: this one does what the title of a task says. */

const reported: { results?: unknown; seen: unknown[] } = { seen: [] }
Object.assign(globalThis, { reported })

let o: TestOrg

before(async () => {
  const triggers = await triggersFrom({
    'task.ts': `export default {
      object: 'Task',
      async beforeInsert(changes: any[], org: any) {
        const [object, ...ids] = changes[0].record.Subject.split(' ')
        ;(globalThis as any).reported.results = await org.undelete(object, ids, { allOrNone: false })
      },
    }`,
    'house.ts': `export default {
      object: 'House__c',
      afterUndelete(changes: any[]) {
        (globalThis as any).reported.seen.push(changes.map(({ record }) => record.Name))
        for (const { record, addError } of changes) if (record.Name === 'haunted') addError('it stays where it is')
      },
    }`,
  })
  o = await openOrg({ triggers })
  await o.deploy(HIERARCHY_SCHEMA)
})

beforeEach(() => {
  reported.seen.length = 0
})

const remove = (object: string, id: string) => o.call('DELETE', `/sobjects/${object}/${id}`)

interface Result {
  readonly id: string
  readonly success: boolean
  readonly errors: readonly { readonly errorCode: string; readonly message: string }[]
}

/** Returns for each record its id, or why it did not come back. */
async function undelete(object: string, ...ids: string[]): Promise<string[]> {
  const answer = await o.call('POST', '/sobjects/Task', { body: { Subject: [object, ...ids].join(' ') } })
  assert.equal(answer.status, 201, answer.text)
  const results = reported.results as Result[]
  return results.map(({ id, success, errors }) =>
    success ? id : `${errors[0]!.errorCode}: ${errors[0]!.message}`,
  )
}

interface Collected {
  readonly id?: string
  readonly success: boolean
  readonly errors: readonly { readonly statusCode: string }[]
}

const codeOrId = ({ id, success, errors }: Collected) => (success ? id : errors[0]!.statusCode)

describe('POST /undelete', () => {
  const restore = (body: unknown) => o.call('POST', '/undelete', { body })

  test('brings records of several objects back, each with a result of its own', async () => {
    const account = await o.create('Account', { Name: 'Back' })
    const contact = await o.create('Contact', { LastName: 'Back', AccountId: account })
    const lead = await o.create('Lead', { LastName: 'Back', Company: 'x' })
    const living = await o.create('Lead', { LastName: 'There', Company: 'x' })
    await remove('Account', account)
    await remove('Lead', lead)
    const { status, body } = await restore({ ids: [account, lead, living, 'nothing'] })
    assert.equal(status, 200)
    assert.deepEqual(body.map(codeOrId), [account, lead, 'UNDELETE_FAILED', 'MALFORMED_ID'])
    assert.deepEqual(await fetchNames(o, `Contact WHERE Id = '${contact}'`), ['Back'])
  })

  test('all or nothing brings nothing back when one record cannot be', async () => {
    const lead = await o.create('Lead', { LastName: 'Waits', Company: 'x' })
    const living = await o.create('Lead', { LastName: 'Lives', Company: 'x' })
    await remove('Lead', lead)
    const { body } = await restore({ ids: [lead, living], allOrNone: true })
    assert.deepEqual(
      body.map(({ success }: Collected) => success),
      [false, false],
    )
    assert.deepEqual(await fetchNames(o, `Lead WHERE Id = '${lead}'`), [])
  })

  test('needs a list of ids, of at most 200', async () => {
    assertRefused(await restore({}), 400, 'MISSING_ARGUMENT', /list of ids/)
    assertRefused(await restore({ ids: [] }), 400, 'MISSING_ARGUMENT', /list of ids/)
    const many = Array.from({ length: 201 }, () => '001000000000001AAA')
    assertRefused(await restore({ ids: many }), 400, 'EXCEEDED_ID_LIMIT', /200/)
  })

  test('nobody brings back what they could not have deleted, through whatever calls it', async () => {
    const [shape] = HIERARCHY_SCHEMA
    await o.deploy([{ ...shape!, name: 'Secret__c', sharing: 'private', fields: shape!.fields.slice(0, 1) }])
    const ann = await addPerson(o, 'ann')
    await allow(o, ann.setId, 'Secret__c', 'Read', 'Create', 'Edit', 'Delete')
    const [theirs, own] = [
      await o.create('Secret__c', { Name: 'Theirs' }),
      await ann.org.create('Secret__c', { Name: 'Own' }),
    ]
    await remove('Secret__c', theirs)
    await remove('Secret__c', own)
    const { body } = await ann.call('POST', '/undelete', { body: { ids: [theirs, own] } })
    assert.deepEqual(body.map(codeOrId), ['UNDELETE_FAILED', own])
  })
})

describe('a record comes back from the recycle bin', () => {
  test('with everything that went with it, and nothing that went before', async () => {
    const house = await o.create('House__c', { Name: 'Manor' })
    const [hall, attic] = [
      await o.create('Room__c', { Name: 'Hall', House__c: house }),
      await o.create('Room__c', { Name: 'Attic', House__c: house }),
    ]
    await o.create('Chair__c', { Name: 'Throne', Room__c: hall })
    await o.create('Letter__c', { Name: 'Deed', Archive__c: house })
    await remove('Room__c', attic)
    await remove('House__c', house)
    assert.deepEqual(await fetchNames(o, "Room__c WHERE Name IN ('Hall', 'Attic')"), [])
    assert.deepEqual(await undelete('House__c', house), [house])
    assert.deepEqual(await fetchNames(o, "Room__c WHERE Name IN ('Hall', 'Attic')"), ['Hall'])
    assert.deepEqual(await fetchRecords(o, 'SELECT Name, Room__r.House__r.Name FROM Chair__c'), [
      { Name: 'Throne', Room__r: { House__r: { Name: 'Manor' } } },
    ])
    assert.deepEqual(await fetchNames(o, 'Letter__c'), ['Deed'])
    assert.deepEqual(reported.seen, [['Manor']])
  })

  test('without references to what is gone by now', async () => {
    const [house, other] = [
      await o.create('House__c', { Name: 'One' }),
      await o.create('House__c', { Name: 'Other' }),
    ]
    const letter = await o.create('Letter__c', { Name: 'Lost', Sender__c: house, Receiver__c: other })
    await remove('Letter__c', letter)
    await remove('House__c', house)
    assert.deepEqual(await undelete('Letter__c', letter), [letter])
    assert.deepEqual(
      await fetchRecords(o, "SELECT Sender__c, Receiver__c FROM Letter__c WHERE Name = 'Lost'"),
      [{ Sender__c: null, Receiver__c: other }],
    )
  })

  test('never without its master', async () => {
    const house = await o.create('House__c', { Name: 'Ruin' })
    const room = await o.create('Room__c', { Name: 'Cellar', House__c: house })
    await remove('Room__c', room)
    await remove('House__c', house)
    assert.deepEqual(await undelete('Room__c', room), [
      'UNDELETE_FAILED: House: the record that it points to is deleted',
    ])
    assert.deepEqual(await undelete('House__c', house), [house])
    assert.deepEqual(await undelete('Room__c', room), [room])
  })

  test('never where a value of it, or of a record that went with it, is taken by now', async () => {
    const house = await o.create('House__c', { Name: 'Old' })
    const room = await o.create('Room__c', { Name: 'Front', House__c: house, Door__c: 'green' })
    await remove('House__c', house)
    const fresh = await o.create('House__c', { Name: 'New' })
    const taken = await o.create('Room__c', { Name: 'Front', House__c: fresh, Door__c: 'GREEN' })
    assert.deepEqual(await undelete('House__c', house), [
      'UNDELETE_FAILED: a unique value of the Rooms deleted with it is used by another record',
    ])
    assert.equal((await o.call('GET', `/sobjects/House__c/${house}`)).status, 404)
    await remove('Room__c', taken)
    assert.deepEqual(await undelete('House__c', house), [house])
    assert.deepEqual(await undelete('Room__c', taken), [
      `DUPLICATE_VALUE: duplicate value found: Door__c duplicates value on record with id: ${room.slice(0, 15)}`,
    ])
  })

  test('only if it is there', async () => {
    const house = await o.create('House__c', { Name: 'Alive' })
    const gone = await o.create('House__c', { Name: 'Gone' })
    await remove('House__c', gone)
    const prefix = house.slice(0, 3)
    assert.deepEqual(await undelete('House__c', house, gone, `${prefix}000000000000`), [
      'UNDELETE_FAILED: entity is not in the recycle bin',
      gone,
      'UNDELETE_FAILED: entity is not in the recycle bin',
    ])
  })

  test('unless a trigger refuses it', async () => {
    const house = await o.create('House__c', { Name: 'haunted' })
    await remove('House__c', house)
    assert.deepEqual(await undelete('House__c', house), [
      'FIELD_CUSTOM_VALIDATION_EXCEPTION: it stays where it is',
    ])
    assert.equal((await o.call('GET', `/sobjects/House__c/${house}`)).status, 404)
  })
})
