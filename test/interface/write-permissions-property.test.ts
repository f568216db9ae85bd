import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Sharing } from '../../src/schema/definitions/definition.ts'
import { fetchRecords } from '../support/ask.ts'
import { ingest } from '../support/bulk.ts'
import { fetchSteps, type Objects } from '../support/deploying.ts'
import { sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person, type Right } from '../support/people.ts'
import { runs } from '../support/runs.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* For random rights, every way to write one and the same change gives the same yes or no. */

const RUNS = runs(4)

const text = { type: 'string' } as const
const key = { type: 'string', externalId: true, unique: true } as const
const to = (name: string, more: object = {}) =>
  ({ type: 'reference', to: 'Home__c', relationship: 'Home__r', children: `${name}__r`, ...more }) as const

/** A thing has an owner and a home, a part goes with its home. */
const schemaFor = (sharing: Sharing) =>
  ({
    Home__c: { sharing, fields: { Key__c: key } },
    Thing__c: { sharing, fields: { Key__c: key, Note__c: text, Home__c: to('Things') } },
    Part__c: { fields: { Key__c: key, Note__c: text, Home__c: to('Parts', { masterDetail: 0 }) } },
  }) as unknown as Objects

const RESOURCE = `
export default {
  path: '/call',
  async POST({ body: [operation, ...args] }, org) {
    try { return await org[operation](...args) } catch (error) { return { refused: error.errorCode } }
  },
}`

interface World {
  readonly o: TestOrg
  readonly person: Person
  /** Homes of the person and of somebody else, each with its key. */
  readonly homes: readonly { readonly id: string; readonly key: string }[]
}

const worlds = new Map<Sharing, Promise<World>>()

async function makeWorld(sharing: Sharing): Promise<World> {
  const o = await openOrg({ deployment: writeDeployment({ 'resources/call.js': RESOURCE }) })
  await fetchSteps(o, schemaFor(sharing), { mode: 'keep' })
  const person = await addPerson(o, 'somebody')
  await o.create('SetupEntityAccess', { ParentId: person.setId, ResourceName: 'call' })
  const homes = []
  for (const [index, OwnerId] of [person.id, o.userId].entries())
    homes.push({
      id: await o.create('Home__c', { Name: 'Home', Key__c: `home${index}`, OwnerId }),
      key: `home${index}`,
    })
  return { o, person, homes }
}

const OBJECTS = ['Thing__c', 'Part__c'] as const
type Name = (typeof OBJECTS)[number]
const VERBS = ['create', 'update', 'create by key', 'update by key', 'delete', 'undelete'] as const

interface Drawn {
  readonly sharing: Sharing
  readonly object: Name
  readonly verb: (typeof VERBS)[number]
  readonly rights: readonly Right[]
  readonly homeRights: readonly Right[]
  readonly key: 'Read' | 'Edit'
  readonly note: 'none' | 'Read' | 'Edit'
  readonly reference: 'none' | 'Read' | 'Edit'
  /** Of the records that are changed, and of the home and the owner that they get: the person's or somebody else's. */
  readonly isOwn: boolean
  readonly isHomeOwn: boolean
  /** The fields that are written beside the name. */
  readonly writes: readonly ('Note__c' | 'Home__c' | 'OwnerId')[]
}

const RIGHTS: readonly Right[] = ['Read', 'Create', 'Edit', 'Delete', 'ViewAllRecords', 'ModifyAllRecords']
const often = <T>(value: T, ...others: T[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const drawn: fc.Arbitrary<Drawn> = fc.record({
  sharing: fc.constantFrom<Sharing>('private', 'read', 'readWrite'),
  object: fc.constantFrom(...OBJECTS),
  verb: fc.constantFrom(...VERBS),
  rights: fc.oneof(
    fc.uniqueArray(fc.constantFrom(...RIGHTS), { maxLength: 3 }),
    fc.constant<Right[]>(['Read', 'Create', 'Edit', 'Delete']),
  ),
  homeRights: fc.uniqueArray(
    fc.constantFrom<Right>('Read', 'Read', 'Edit', 'ViewAllRecords', 'ModifyAllRecords'),
    {
      maxLength: 2,
    },
  ),
  key: often('Edit', 'Read'),
  note: often('Edit', 'Read', 'none'),
  reference: often('Edit', 'Read', 'none'),
  isOwn: fc.boolean(),
  isHomeOwn: fc.boolean(),
  writes: fc.subarray(['Note__c', 'Home__c', 'OwnerId']),
})

type Fields = Readonly<Record<string, unknown>>

/** One record that is to be written in one way. */
interface Target {
  readonly object: Name
  /** Of a record that is there. */
  readonly id: string
  readonly key: string
  readonly fields: Fields
  /** The same with the home by its key. */
  readonly byKey: Fields
}

type Way = (person: Person, targets: readonly Target[]) => Promise<unknown>

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const send = (person: Person, { method, path, body }: Call) =>
  person.call(method, path, body === undefined ? {} : { body })

const V64 = '/services/data/v64.0'

/** The ways to carry out calls, each about one record. */
function inContainers(name: string, make: (target: Target) => Call): Record<string, Way> {
  const steps = (targets: readonly Target[]) =>
    targets.map((target, index) => {
      const { method, path, body } = make(target)
      return { method, url: `${V64}${path}`, referenceId: `r${index}`, body }
    })
  const compose = (more: object): Way => {
    return (person, targets) =>
      person.call('POST', '/composite', { body: { ...more, compositeRequest: steps(targets) } })
  }
  return {
    [name]: async (person, targets) => {
      for (const target of targets) await send(person, make(target))
    },
    [`${name} in composites`]: compose({}),
    [`${name} in composites, all or none`]: compose({ allOrNone: true }),
    [`${name} in composites, one after the other`]: compose({ collateSubrequests: false }),
    [`${name} in batches`]: (person, targets) =>
      person.call('POST', '/composite/batch', {
        body: {
          batchRequests: steps(targets).map(({ method, url, body }) => ({ method, url, richInput: body })),
        },
      }),
    [`${name} in graphs`]: (person, targets) =>
      person.call('POST', '/composite/graph', {
        body: { graphs: [{ graphId: 'g', compositeRequest: steps(targets) }] },
      }),
  }
}

function inCollections(name: string, make: (targets: readonly Target[]) => Call): Record<string, Way> {
  return {
    [name]: (person, targets) => send(person, make(targets)),
    [`${name} in composites`]: (person, targets) => {
      const { method, path, body } = make(targets)
      const compositeRequest = [{ method, url: `${V64}${path}`, referenceId: 'r', body }]
      return person.call('POST', '/composite', { body: { compositeRequest } })
    },
  }
}

const recordOf = ({ object, fields }: Target, more: object = {}) => ({
  attributes: { type: object },
  ...more,
  ...fields,
})

const literal = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')

/** GraphQL names records by their ids alone. It would refuse to give away a record that it is to show. */
const mutate =
  (verb: 'Create' | 'Update' | 'Delete'): Way =>
  (person, targets) => {
    const parts = targets.map(({ object, id, fields }, index) => {
      const own = verb === 'Create' ? '' : `Id: "${id}"`
      const input = verb === 'Delete' ? own : `${own} ${object}: {${literal(fields)}}`
      const answer = verb === 'Create' ? '{ __typename }' : verb === 'Update' ? '{ success }' : '{ Id }'
      return `m${index}: ${object}${verb}(input: {${input}}) ${answer}`
    })
    return sendDocument(person, `mutation { uiapi(input: {allOrNone: false}) { ${parts.join(' ')} } }`)
  }

/** Rows of a job; a home is named by its key. */
const bulk =
  (operation: string, columnsOf: (target: Target) => Fields, more: object = {}): Way =>
  async (person, targets) => {
    const rows = targets.map((target) => {
      const { Home__r, ...columns } = columnsOf(target) as { Home__r?: { Key__c: string } }
      return { ...columns, ...(Home__r !== undefined && { 'Home__r.Key__c': Home__r.Key__c }) }
    })
    const names = Object.keys(rows[0]!)
    const lines = rows.map((row) => names.map((name) => (row as Fields)[name]).join())
    const job = { object: targets[0]!.object, operation, ...more }
    const created = await person.call('POST', '/jobs/ingest', { body: job })
    // A job that is refused as a whole writes nothing.
    if (created.status !== 200) return
    await ingest(person.org, job, `${names.join()}\n${lines.join('\n')}\n`)
  }

const deployed =
  (operation: string, ...argsOf: ((targets: readonly Target[]) => unknown)[]): Way =>
  (person, targets) =>
    person.call('POST', '/services/customrest/call', {
      body: [operation, targets[0]!.object, ...argsOf.map((make) => make(targets))],
    })

const WAYS: Readonly<Record<Drawn['verb'], Readonly<Record<string, Way>>>> = {
  create: {
    ...inContainers('single', ({ object, fields }) => ({
      method: 'POST',
      path: `/sobjects/${object}`,
      body: fields,
    })),
    ...inContainers('single, home by key', ({ object, byKey }) => ({
      method: 'POST',
      path: `/sobjects/${object}`,
      body: byKey,
    })),
    ...inCollections('collection', (targets) => ({
      method: 'POST',
      path: '/composite/sobjects',
      body: { records: targets.map((target) => recordOf(target)) },
    })),
    tree: (person, targets) =>
      send(person, {
        method: 'POST',
        path: `/composite/tree/${targets[0]!.object}`,
        body: {
          records: targets.map(({ object, fields }, index) => ({
            attributes: { type: object, referenceId: `r${index}` },
            ...fields,
          })),
        },
      }),
    graphql: mutate('Create'),
    bulk: bulk('insert', ({ byKey }) => byKey),
    'deployed code': deployed('create', (targets) => targets.map(({ fields }) => fields)),
    'deployed code, home by key': deployed('create', (targets) => targets.map(({ byKey }) => byKey)),
  },
  update: {
    ...inContainers('single', ({ object, id, fields }) => ({
      method: 'PATCH',
      path: `/sobjects/${object}/${id}`,
      body: fields,
    })),
    ...inContainers('single, home by key', ({ object, id, byKey }) => ({
      method: 'PATCH',
      path: `/sobjects/${object}/${id}`,
      body: byKey,
    })),
    ...inContainers('single by the key Id', ({ object, id, fields }) => ({
      method: 'PATCH',
      path: `/sobjects/${object}/Id/${id}`,
      body: fields,
    })),
    'single by its key, update only': async (person, targets) => {
      for (const { object, key, fields } of targets)
        await person.call('PATCH', `/sobjects/${object}/Key__c/${key}?updateOnly=true`, { body: fields })
    },
    ...inCollections('collection', (targets) => ({
      method: 'PATCH',
      path: '/composite/sobjects',
      body: { records: targets.map((target) => recordOf(target, { Id: target.id })) },
    })),
    ...inCollections('collection by the key Id', (targets) => ({
      method: 'PATCH',
      path: `/composite/sobjects/${targets[0]!.object}/Id`,
      body: { records: targets.map((target) => recordOf(target, { Id: target.id })) },
    })),
    graphql: mutate('Update'),
    bulk: bulk('update', ({ id, byKey }) => ({ Id: id, ...byKey })),
    'bulk by the key Id': bulk('upsert', ({ id, byKey }) => ({ Id: id, ...byKey }), {
      externalIdFieldName: 'Id',
    }),
    'deployed code': deployed('update', (targets) =>
      targets.map(({ id, fields }) => ({ Id: id, ...fields })),
    ),
    'deployed code, home by key': deployed('update', (targets) =>
      targets.map(({ id, byKey }) => ({ Id: id, ...byKey })),
    ),
  },
  'create by key': {},
  'update by key': {},
  delete: {
    ...inContainers('single', ({ object, id }) => ({ method: 'DELETE', path: `/sobjects/${object}/${id}` })),
    ...inContainers('single by its key', ({ object, key }) => ({
      method: 'DELETE',
      path: `/sobjects/${object}/Key__c/${key}`,
    })),
    ...inCollections('collection', (targets) => ({
      method: 'DELETE',
      path: `/composite/sobjects?ids=${targets.map(({ id }) => id).join()}`,
    })),
    graphql: mutate('Delete'),
    bulk: bulk('delete', ({ id }) => ({ Id: id })),
    'deployed code': deployed('delete', (targets) => targets.map(({ id }) => id)),
  },
  undelete: {
    call: (person, targets) =>
      person.call('POST', '/undelete', { body: { ids: targets.map(({ id }) => id) } }),
    'deployed code': deployed('undelete', (targets) => targets.map(({ id }) => id)),
  },
}

const upserts: Readonly<Record<string, Way>> = {
  ...inContainers('single', ({ object, key, fields }) => ({
    method: 'PATCH',
    path: `/sobjects/${object}/Key__c/${key}`,
    body: fields,
  })),
  ...inContainers('single, home by key', ({ object, key, byKey }) => ({
    method: 'PATCH',
    path: `/sobjects/${object}/Key__c/${key}`,
    body: byKey,
  })),
  ...inCollections('collection', (targets) => ({
    method: 'PATCH',
    path: `/composite/sobjects/${targets[0]!.object}/Key__c`,
    body: { records: targets.map((target) => recordOf(target, { Key__c: target.key })) },
  })),
  bulk: bulk('upsert', ({ key, byKey }) => ({ Key__c: key, ...byKey }), { externalIdFieldName: 'Key__c' }),
  'deployed code': deployed(
    'upsert',
    () => 'Key__c',
    (targets) => targets.map(({ key, fields }) => ({ Key__c: key, ...fields })),
  ),
}
const waysOf = (verb: Drawn['verb']) => (verb.endsWith('by key') ? upserts : WAYS[verb])

let made = 0

/** Records of each way that are to be written: two, which calls may write together. */
async function makeTargets({ o, person, homes }: World, what: Drawn, ways: readonly string[]) {
  const { object, verb, isOwn, isHomeOwn, writes } = what
  const [own, other] = homes
  const home = isHomeOwn ? own! : other!
  const isThere = verb !== 'create' && verb !== 'create by key'
  const names = ways.flatMap(() => [`n${made++}`, `n${made++}`])
  const records = names.map((name) => ({
    attributes: { type: object },
    Name: 'before',
    Key__c: name,
    ...(object === 'Thing__c'
      ? { OwnerId: isOwn ? person.id : o.userId }
      : { Home__c: isOwn ? own!.id : other!.id }),
  }))
  const { body } = isThere ? await o.call('POST', '/composite/sobjects', { body: { records } }) : { body: [] }
  const ids: string[] = names.map((_, index) => body[index]?.id)
  if (verb === 'undelete') await o.call('DELETE', `/composite/sobjects?ids=${ids.join()}`)
  // The master of a part is given to new ones, and never changed.
  const hasHome = object === 'Part__c' ? !isThere : writes.includes('Home__c')
  return names.map((name, index): Target => {
    const fields = {
      Name: name,
      ...(writes.includes('Note__c') && { Note__c: 'after' }),
      ...(writes.includes('OwnerId') &&
        object === 'Thing__c' && { OwnerId: isHomeOwn ? person.id : o.userId }),
    }
    return {
      object,
      id: ids[index]!,
      key: name,
      fields: { ...fields, ...(hasHome && { Home__c: home.id }) },
      byKey: { ...fields, ...(hasHome && { Home__r: { Key__c: home.key } }) },
    }
  })
}

/** The names of the records that were written, all of what was to be written. */
async function listWritten({ o }: World, { object, verb }: Drawn, targets: readonly Target[]) {
  const listed = targets.map(({ key }) => `'${key}'`).join()
  const where = verb.startsWith('create') ? `Name IN (${listed})` : `Key__c IN (${listed})`
  const owner = object === 'Thing__c' ? ', OwnerId' : ''
  const rows = await fetchRecords(
    o,
    `SELECT Name, Key__c, Note__c, Home__c${owner} FROM ${object} WHERE ${where}`,
  )
  if (verb === 'undelete') return rows.map(({ Key__c }) => Key__c)
  if (verb === 'delete') {
    const living = new Set(rows.map(({ Key__c }) => Key__c))
    return targets.map(({ key }) => key).filter((key) => !living.has(key))
  }
  return rows.flatMap((row) => {
    const target = targets.find(({ key }) => key === row.Name)
    if (target === undefined) return []
    for (const [name, value] of Object.entries(target.fields)) assert.equal(row[name], value)
    return [target.key]
  })
}

async function give({ o, person }: World, { object, rights, homeRights, key, note, reference }: Drawn) {
  const setId = await o.create('PermissionSet', { Name: 'Random', Label: 'Random' })
  await o.create('PermissionSetAssignment', { PermissionSetId: setId, AssigneeId: person.id })
  if (rights.length > 0) await allow(o, setId, object, ...rights)
  if (homeRights.length > 0) await allow(o, setId, 'Home__c', ...homeRights)
  await allowField(o, setId, 'Home__c.Key__c')
  await allowField(o, setId, `${object}.Key__c`, key)
  if (note !== 'none') await allowField(o, setId, `${object}.Note__c`, note)
  if (reference !== 'none' && object === 'Thing__c')
    await allowField(o, setId, `${object}.Home__c`, reference)
  return setId
}

test('every way to write one and the same change gives the same yes or no', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (what) => {
      const known = worlds.get(what.sharing) ?? makeWorld(what.sharing)
      worlds.set(what.sharing, known)
      const world = await known
      const setId = await give(world, what)
      const ways = Object.entries(waysOf(what.verb))
      const targets = await makeTargets(
        world,
        what,
        ways.map(([name]) => name),
      )
      for (const [index, [, write]] of ways.entries())
        await write(world.person, targets.slice(2 * index, 2 * index + 2))
      const written = new Set(await listWritten(world, what, targets))
      const verdicts = Object.fromEntries(
        ways.map(([name], index) => [
          name,
          targets.slice(2 * index, 2 * index + 2).map(({ key }) => written.has(key)),
        ]),
      )
      await world.o.call('DELETE', `/sobjects/PermissionSet/${setId}`)
      const [first] = Object.values(verdicts)[0]!
      for (const [name, verdict] of Object.entries(verdicts))
        assert.deepEqual(verdict, [first, first], `${name}: ${JSON.stringify({ ...what, verdicts })}`)
    }),
    { numRuns: RUNS },
  )
})
