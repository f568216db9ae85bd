import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import type { FieldDefinition } from '../../src/schema/fields/field-definition.ts'
import { fetchRecords } from '../support/ask.ts'
import { untilRun } from '../support/jobs.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person, type Right } from '../support/people.ts'
import { writeDeployment } from '../support/trigger-files.ts'

// docs/how-to/custom-resources.md: deployed code writes what its caller may write

const CALL = `
const call = async (org, [operation, ...args]) => {
  try { return { done: await org[operation](...args) } } catch (error) { return { code: error.errorCode } }
}`

const DEPLOYMENT = {
  'resources/call.js': `${CALL}\nexport default { path: '/call', POST: ({ body }, org) => call(org, body) }`,
  'resources/enqueue.js': `export default { path: '/enqueue', POST: async ({ body }, org) => ({ id: await org.enqueue('call', body) }) }`,
  'jobs/call.js': `export default { run: (args, org) => org[args[0]](...args.slice(1)), retries: [] }`,
}

const text = (name: string) => ({ name, label: name, type: 'string', length: 255 }) as const
const NAME = { ...text('Name'), nameField: true } as const
const object = (name: string, fields: readonly FieldDefinition[]): ObjectDefinition => ({
  name: `${name}__c`,
  label: name,
  labelPlural: `${name}s`,
  keyPrefix: '',
  fields: [NAME, ...fields],
})
const THING = object('Thing', [
  { ...text('Key__c'), externalId: true, unique: true },
  text('Open__c'),
  text('Shown__c'),
  text('Hidden__c'),
])

const HOST = `${randomUUID()}.example.com`

type Args = readonly [operation: string, ...args: unknown[]]

let o: TestOrg

/** A new record, and one in the recycle bin, with their owner. */
async function makeThings(OwnerId = o.userId) {
  const [living, deleted] = [
    await o.create('Thing__c', { Key__c: randomUUID(), Open__c: 'before', Hidden__c: 'kept', OwnerId }),
    await o.create('Thing__c', { Key__c: randomUUID(), OwnerId }),
  ]
  await o.call('DELETE', `/sobjects/Thing__c/${deleted}`)
  const [{ Key__c: key } = {}] = await fetchRecords(o, `SELECT Key__c FROM Thing__c WHERE Id = '${living}'`)
  return { living, deleted, key: String(key) }
}

type Things = Awaited<ReturnType<typeof makeThings>>

/** Every write of deployed code, with the rights that it needs. */
const WRITES: Readonly<Record<string, { readonly needs: readonly Right[]; args(things: Things): Args }>> = {
  create: { needs: ['Create'], args: () => ['create', 'Thing__c', [{ Open__c: 'after' }]] },
  update: {
    needs: ['Edit'],
    args: ({ living }) => ['update', 'Thing__c', [{ Id: living, Open__c: 'after' }]],
  },
  'upsert of a new record': {
    needs: ['Create', 'Edit'],
    args: () => ['upsert', 'Thing__c', 'Key__c', [{ Key__c: randomUUID(), Open__c: 'after' }]],
  },
  'upsert of an existing record': {
    needs: ['Create', 'Edit'],
    args: ({ key }) => ['upsert', 'Thing__c', 'Key__c', [{ Key__c: key, Open__c: 'after' }]],
  },
  delete: { needs: ['Delete'], args: ({ living }) => ['delete', 'Thing__c', [living]] },
  undelete: { needs: ['Delete'], args: ({ deleted }) => ['undelete', 'Thing__c', [deleted]] },
}

const OBJECT_RIGHTS = ['Create', 'Edit', 'Delete'] as const

const fetchThings = () =>
  fetchRecords(o, 'SELECT Id, Key__c, Open__c, Shown__c, Hidden__c FROM Thing__c ORDER BY Id')

async function makePerson(name: string, ...rights: readonly Right[]): Promise<Person> {
  const person = await addPerson(o, name)
  await allow(o, person.setId, 'Thing__c', 'Read', ...rights)
  for (const field of ['Thing__c.Key__c', 'Thing__c.Open__c'])
    await allowField(o, person.setId, field, 'Edit')
  await allowField(o, person.setId, 'Thing__c.Shown__c')
  for (const ResourceName of ['call', 'enqueue'])
    await o.create('SetupEntityAccess', { ParentId: person.setId, ResourceName })
  return person
}

/** Nothing of the objects changes while the call is made. */
async function assertUnchanged(what: () => Promise<void>): Promise<void> {
  const held = await fetchThings()
  await what()
  assert.deepEqual(await fetchThings(), held)
}

describe('deployed code without a right of its caller', () => {
  const resource = async (person: Person, args: Args) => {
    const { status, body, text } = await person.call('POST', '/services/customrest/call', { body: args })
    assert.equal(status, 200, text)
    return body
  }

  before(async () => {
    o = await openOrg({ deployment: writeDeployment(DEPLOYMENT), host: HOST })
    await o.deploy([THING])
  })

  for (const [what, { needs, args }] of Object.entries(WRITES)) {
    for (const missing of needs) {
      test(`is refused: ${what} without ${missing}, in a resource and in a job`, async () => {
        // Whoever may delete may edit, too.
        const given = OBJECT_RIGHTS.filter(
          (right) => right !== missing && !(missing === 'Edit' && right === 'Delete'),
        )
        const person = await makePerson(`no ${missing} ${what}`.replaceAll(' ', ''), ...given)
        const things = await makeThings(person.id)
        await assertUnchanged(async () => {
          assert.deepEqual(await resource(person, args(things)), { code: 'INSUFFICIENT_ACCESS' })
          const { body } = await person.call('POST', '/services/customrest/enqueue', { body: args(things) })
          await untilRun(o, body.id, 'Dead')
        })
      })
    }

    test(`is done with exactly its rights: ${what}`, async () => {
      const person = await makePerson(`only ${what}`.replaceAll(' ', ''), ...needs)
      const { done } = await resource(person, args(await makeThings(person.id)))
      assert.equal(done?.[0].success, true)
    })
  }

  test('is refused fields that the caller only reads or does not see, and cannot read those', async () => {
    const person = await makePerson('fields', ...OBJECT_RIGHTS)
    const { living, key } = await makeThings()
    await assertUnchanged(async () => {
      for (const [field, code] of [
        ['Shown__c', 'INVALID_FIELD_FOR_INSERT_UPDATE'],
        ['Hidden__c', 'INVALID_FIELD'],
      ] as const) {
        const fields = { [field]: 'after' }
        const calls: Args[] = [
          ['create', 'Thing__c', [fields]],
          ['update', 'Thing__c', [{ Id: living, ...fields }]],
          ['upsert', 'Thing__c', 'Key__c', [{ Key__c: key, ...fields }]],
          ['upsert', 'Thing__c', 'Key__c', [{ Key__c: randomUUID(), ...fields }]],
        ]
        for (const args of calls) assert.deepEqual(await resource(person, args), { code }, `${args}`)
      }
    })
    const reads: Args[] = [
      ['query', 'SELECT Hidden__c FROM Thing__c'],
      ['read', 'Thing__c', living, ['Hidden__c']],
    ]
    for (const args of reads) assert.deepEqual(await resource(person, args), { code: 'INVALID_FIELD' })
    const { done } = await resource(person, ['read', 'Thing__c', living])
    assert.equal('Hidden__c' in done, false)
  })

  test('is refused a new record by a key that the caller cannot write, at the address of the key too', async () => {
    const person = await makePerson('key', ...OBJECT_RIGHTS)
    const grants = await fetchRecords(
      o,
      `SELECT Id FROM FieldPermissions WHERE ParentId = '${person.setId}' AND Field = 'Thing__c.Key__c'`,
    )
    const reading = { PermissionsRead: true, PermissionsEdit: false }
    await o.call('PATCH', `/sobjects/FieldPermissions/${grants[0]!.Id}`, { body: reading })
    const { key } = await makeThings()
    const byKey = (value: string) =>
      person.call('PATCH', `/sobjects/Thing__c/Key__c/${value}`, { body: { Open__c: 'after' } })
    await assertUnchanged(async () => {
      const refused = await byKey('new')
      assert.equal(refused.body[0]?.errorCode, 'INVALID_FIELD_FOR_INSERT_UPDATE')
    })
    assert.equal((await byKey(key)).status, 200)
  })

  test('is refused everything but reading to a guest who only reads', async () => {
    const [set] = await fetchRecords(
      o,
      "SELECT Id FROM PermissionSet WHERE IsOwnedByProfile = true AND Profile.Name = 'Guest'",
    )
    await allow(o, String(set!.Id), 'Thing__c', 'Read')
    for (const field of ['Thing__c.Key__c', 'Thing__c.Open__c'])
      await allowField(o, String(set!.Id), field, 'Edit')
    await o.create('SetupEntityAccess', { ParentId: set!.Id, ResourceName: 'call' })
    const site = async (args: Args): Promise<Answer> =>
      makeAnswer(
        await o.site.inject({
          method: 'POST',
          url: '/services/customrest/call',
          headers: { host: HOST, 'content-type': 'application/json' },
          payload: JSON.stringify(args),
        }),
      )
    const things = await makeThings()
    await assertUnchanged(async () => {
      for (const [what, { args }] of Object.entries(WRITES)) {
        const { body, text } = await site(args(things))
        assert.deepEqual(body, { code: 'INSUFFICIENT_ACCESS' }, `${what}: ${text}`)
      }
    })
  })
})
