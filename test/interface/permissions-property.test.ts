import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { ObjectDefinition, Sharing } from '../../src/schema/definitions/definition.ts'
import { queryPath } from '../support/ask.ts'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person, type Right } from '../support/people.ts'
import { rowsSeen } from '../support/rows-seen.sql.ts'
import { runs } from '../support/runs.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/*
 * For random rights the records that somebody sees are those that a plain model computes, in every API; and one
 * more grant never takes a record away.
 */

const RUNS = runs(4)

/** Boxes have owners, parts go with their box. */
const boxes = (sharing: Sharing): ObjectDefinition[] => [
  {
    name: 'Box__c',
    label: 'Box',
    labelPlural: 'Boxes',
    keyPrefix: '',
    sharing,
    fields: [{ name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true }],
  },
  {
    name: 'Part__c',
    label: 'Part',
    labelPlural: 'Parts',
    keyPrefix: '',
    ownerless: true,
    sharing: 'controlledByParent',
    fields: [
      { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
      {
        name: 'Box__c',
        label: 'Box',
        type: 'reference',
        to: ['Box__c'],
        relationship: 'Box__r',
        children: 'Parts__r',
        masterDetail: 0,
      },
    ],
  },
]

/** Deployed code that looks for records in the name of its caller. */
const FIND = `
export default {
  path: '/find',
  async POST({ body: { object, ids } }, org) {
    const found = []
    for (const id of ids) {
      try { if ((await org.read(object, id)) !== undefined) found.push(id) } catch {}
    }
    try {
      const rows = await org.query('SELECT Id FROM ' + object)
      return { found, listed: rows.map(({ Id }) => Id) }
    } catch { return { found } }
  },
}`

interface Box {
  readonly id: string
  readonly owner: number
  readonly parts: readonly string[]
  /** People that it is shared with, and whether they may edit it. */
  readonly shared: ReadonlyMap<number, boolean>
}

/** The org of a test: people in a line of roles, one below the other, and one without. */
interface World {
  readonly o: TestOrg
  readonly sharing: Sharing
  readonly people: readonly Person[]
  readonly boxes: readonly Box[]
}

const PEOPLE = 5
/** The last one has no role; the one before it has the same as its neighbour. */
const RANKS = [0, 1, 2, 2, undefined]
const BOXES = 14

async function makeWorld(sharing: Sharing): Promise<World> {
  const o = await openOrg({ deployment: writeDeployment({ 'resources/find.js': FIND }) })
  await o.deploy(boxes(sharing))
  const roles: string[] = []
  for (let rank = 0; rank < 3; rank++) {
    roles.push(await o.create('UserRole', { Name: `Rank ${rank}`, ParentRoleId: roles.at(-1) ?? null }))
  }
  const people: Person[] = []
  for (const [index, rank] of RANKS.entries()) {
    const person = await addPerson(o, `person${index}`, {
      UserRoleId: rank === undefined ? null : roles[rank],
    })
    await o.create('SetupEntityAccess', { ParentId: person.setId, ResourceName: 'find' })
    people.push(person)
  }
  const group = await o.create('Group', { Name: 'Pair', Type: 'Regular' })
  for (const index of [1, 4])
    await o.create('GroupMember', { GroupId: group, UserOrGroupId: people[index]!.id })
  const made: Box[] = []
  for (let n = 0; n < BOXES; n++) {
    const owner = n % PEOPLE
    const id = await o.create('Box__c', { Name: `Crate ${n}`, OwnerId: people[owner]!.id })
    const parts = [await o.create('Part__c', { Name: `Piece ${n} a`, Box__c: id })]
    if (n % 2 === 0) parts.push(await o.create('Part__c', { Name: `Piece ${n} b`, Box__c: id }))
    const shared = new Map<number, boolean>()
    if (sharing !== 'readWrite' && n % 3 === 0) {
      const whom = (n + 2) % PEOPLE
      const level = n % 2 === 0 ? 'Edit' : 'Read'
      await o.create('Box__Share', { ParentId: id, UserOrGroupId: people[whom]!.id, AccessLevel: level })
      shared.set(whom, level === 'Edit')
    }
    if (sharing !== 'readWrite' && n % 5 === 0) {
      await o.create('Box__Share', { ParentId: id, UserOrGroupId: group, AccessLevel: 'Read' })
      for (const whom of [1, 4]) shared.set(whom, shared.get(whom) ?? false)
    }
    made.push({ id, owner, parts, shared })
  }
  return { o, sharing, people, boxes: made }
}

type Rights = ReadonlySet<Right>

/** Adds the rights that the given ones on one object bring with them. */
function complete(given: Rights) {
  const remove = given.has('Delete') || given.has('ModifyAllRecords')
  const edit = given.has('Edit') || remove
  const viewAll = given.has('ViewAllRecords') || given.has('ModifyAllRecords')
  return {
    read: given.has('Read') || given.has('Create') || edit || viewAll,
    edit,
    viewAll,
    modifyAll: given.has('ModifyAllRecords'),
  }
}

const isAbove = (a: number, b: number) => {
  const [mine, theirs] = [RANKS[a], RANKS[b]]
  return mine !== undefined && theirs !== undefined && mine < theirs
}

/** Returns the records that a person sees and edits, as one would compute it by hand. */
function model({ sharing, boxes: all }: World, who: number, box: Rights, part: Rights) {
  const [onBox, onPart] = [complete(box), complete(part)]
  const owns = ({ owner }: Box) => owner === who || isAbove(who, owner)
  const reaches = (one: Box) => owns(one) || sharing !== 'private' || one.shared.has(who)
  const mayChange = (one: Box) => owns(one) || sharing === 'readWrite' || one.shared.get(who) === true
  const seesBox = (one: Box) => onBox.read && (onBox.viewAll || reaches(one))
  const editsBox = (one: Box) => onBox.edit && (onBox.modifyAll || (seesBox(one) && mayChange(one)))
  const seesParts = (one: Box) => onPart.read && (onPart.viewAll || seesBox(one))
  const idsOf = (filtered: readonly Box[]) => filtered.map(({ id }) => id).sort()
  return {
    boxes: idsOf(all.filter(seesBox)),
    editable: idsOf(all.filter(editsBox)),
    parts: all
      .filter(seesParts)
      .flatMap(({ parts }) => parts)
      .sort(),
    readsBoxes: onBox.read,
    readsParts: onPart.read,
  }
}

async function idsIn(person: Person, query: string): Promise<string[]> {
  const { status, body, text } = await person.call('GET', queryPath(query))
  assert.equal(status, 200, text)
  return body.records.map(({ Id }: { Id: string }) => Id).sort()
}

interface Connection {
  readonly totalCount: number
  readonly edges: readonly { readonly node: { readonly Id: string; readonly Parts__r?: Connection } }[]
}

const nodesOf = ({ edges }: Connection) => edges.map(({ node }) => node)
const nodeIds = (connection: Connection) => nodesOf(connection).map(({ Id }) => Id)

/** The same by GraphQL: what is not readable does not exist in the schema, what is not editable has no mutation. */
async function checkGraphql(world: World, who: number, expected: ReturnType<typeof model>): Promise<void> {
  const person = world.people[who]!
  const page = '(first: 200, where: {Name: {like: "%"}}) { totalCount edges { node { Id } } }'
  for (const [object, readable, ids] of [
    ['Box__c', expected.readsBoxes, expected.boxes],
    ['Part__c', expected.readsParts, expected.parts],
  ] as const) {
    const { data, errors } = await sendDocument(person, `{ uiapi { query { ${object}${page} } } }`)
    if (readable) {
      const found: Connection = data.uiapi.query[object]
      assert.deepEqual(nodeIds(found).sort(), ids, `graphql ${object}`)
      assert.equal(found.totalCount, ids.length, `graphql total of ${object}`)
      const summed = await fetchUiapi(
        person,
        `{ uiapi { aggregate { ${object} { edges { node { aggregate { Id { count { value } min { value } } } } } } } } }`,
      )
      const { count, min } = summed.aggregate[object].edges[0].node.aggregate.Id
      assert.deepEqual(
        [count.value, min.value],
        [ids.length, ids[0] ?? null],
        `graphql aggregate of ${object}`,
      )
    } else {
      assert.match(errors[0]!.message, /FieldUndefined/)
    }
  }
  if (expected.readsBoxes && expected.readsParts) {
    const parts = `Parts__r(first: 50) { totalCount edges { node { Id Box__r { Name { value } } } } }`
    const nested = await fetchUiapi(
      person,
      `{ uiapi { query { Box__c(first: 200) { edges { node { Id ${parts} } } } } } }`,
    )
    for (const { Id, Parts__r } of nodesOf(nested.query.Box__c)) {
      const inBox = world.boxes.find(({ id }) => id === Id)!.parts.filter((id) => expected.parts.includes(id))
      assert.deepEqual(nodeIds(Parts__r!).sort(), inBox.toSorted(), 'graphql children')
      assert.equal(Parts__r!.totalCount, inBox.length)
    }
  }
  const updates = world.boxes.map(
    ({ id }, n) => `u${n}: Box__cUpdate(input: {Id: "${id}", Box__c: {}}) { success }`,
  )
  const { data } = await sendDocument(
    person,
    `mutation { uiapi(input: {allOrNone: false}) { ${updates.join(' ')} } }`,
  )
  const edited = world.boxes.filter((_, n) => data.uiapi?.[`u${n}`]?.success).map(({ id }) => id)
  assert.deepEqual(edited.sort(), expected.editable, 'graphql updates')
}

/** The same by deployed code, in batches, among the changed records, and by the access that is told of. */
async function checkOthers({ people, boxes }: World, who: number, expected: ReturnType<typeof model>) {
  const person = people[who]!
  for (const [object, readable, all, seen] of [
    ['Box__c', expected.readsBoxes, boxes.map(({ id }) => id), expected.boxes],
    ['Part__c', expected.readsParts, boxes.flatMap(({ parts }) => parts), expected.parts],
  ] as const) {
    const ids = all.slice(0, 25)
    const among = ids.filter((id) => seen.includes(id))
    const deployed = await person.call('POST', '/services/customrest/find', { body: { object, ids } })
    assert.deepEqual(deployed.body.found, among, `deployed code reads ${object}`)
    assert.deepEqual(deployed.body.listed?.sort(), readable ? seen : undefined, `deployed code: ${object}`)
    const body = {
      batchRequests: ids.map((id) => ({ method: 'GET', url: `v64.0/sobjects/${object}/${id}` })),
    }
    const batch = await person.call('POST', '/composite/batch', { body })
    const found = ids.filter((_, index) => batch.body.results[index].statusCode === 200)
    assert.deepEqual(found, among, `batch of ${object}`)
    const [start, end] = [-3_600_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString())
    const changed = await person.call('GET', `/sobjects/${object}/updated?start=${start}&end=${end}`)
    assert.deepEqual(changed.body.ids?.sort(), readable ? seen : undefined, `updated ${object}`)
    const listed = ids.map((id) => `'${id}'`).join()
    const access = await person.call(
      'GET',
      queryPath(
        `SELECT RecordId, HasReadAccess FROM UserRecordAccess WHERE UserId = '${person.id}' AND RecordId IN (${listed})`,
      ),
    )
    type Row = { readonly RecordId: string; readonly HasReadAccess: boolean }
    const told = new Map(access.body.records.map((row: Row) => [row.RecordId, row.HasReadAccess]))
    assert.deepEqual(
      ids.filter((id) => told.get(id) === true),
      among,
      `UserRecordAccess of ${object}`,
    )
  }
}

/** Every API for boxes and parts shows what the model says. */
async function checkRoads(world: World, who: number, expected: ReturnType<typeof model>): Promise<void> {
  const person = world.people[who]!
  const all = world.boxes.map(({ id }) => id)
  const byId: string[] = []
  const editable: string[] = []
  for (const id of all) {
    if ((await person.call('GET', `/sobjects/Box__c/${id}`)).status === 200) byId.push(id)
    if ((await person.call('PATCH', `/sobjects/Box__c/${id}`, { body: {} })).status === 204) editable.push(id)
  }
  assert.deepEqual(byId.sort(), expected.boxes, 'by id')
  assert.deepEqual(editable.sort(), expected.editable, 'editable')
  if (!expected.readsBoxes) {
    assert.equal((await person.call('GET', queryPath('SELECT Id FROM Box__c'))).status, 400)
  } else {
    assert.deepEqual(await idsIn(person, 'SELECT Id FROM Box__c'), expected.boxes, 'query')
    const ordered = await idsIn(
      person,
      "SELECT Id FROM Box__c WHERE Name LIKE 'Crate%' ORDER BY Name LIMIT 2000",
    )
    assert.deepEqual(ordered, expected.boxes, 'ordered query')
    const listed = await person.call('POST', '/composite/sobjects/Box__c', {
      body: { ids: all, fields: ['Id'] },
    })
    const found = listed.body.flatMap((one: { Id: string } | null) => one?.Id ?? []).sort()
    assert.deepEqual(found, expected.boxes, 'collection')
    const [row] = (await person.call('GET', queryPath('SELECT COUNT(Id) total, MIN(Id) least FROM Box__c')))
      .body.records
    assert.deepEqual([row.total, row.least], [expected.boxes.length, expected.boxes[0] ?? null], 'aggregate')
    const search = await person.call(
      'GET',
      `/search?q=${encodeURIComponent('FIND {Crate} RETURNING Box__c(Id)')}`,
    )
    const hits = search.body.searchRecords.map(({ Id }: { Id: string }) => Id).sort()
    assert.deepEqual(hits, expected.boxes, 'search')
    const body = {
      compositeRequest: [
        { method: 'GET', referenceId: 'q', url: `/services/data/v64.0${queryPath('SELECT Id FROM Box__c')}` },
      ],
    }
    const composite = await person.call('POST', '/composite', { body })
    const inside = composite.body.compositeResponse[0].body.records.map(({ Id }: { Id: string }) => Id).sort()
    assert.deepEqual(inside, expected.boxes, 'composite')
  }
  await checkGraphql(world, who, expected)
  await checkOthers(world, who, expected)
  // Few or many visible records are found in different ways, and are the same records.
  for (const spread of ['few', 'any'] as const) {
    assert.deepEqual(await rowsSeen(world.o, person.id, 'Box__c', 'read', spread), expected.boxes, spread)
  }
  for (const { id } of world.boxes.slice(0, 4)) {
    const { body } = await world.o.call('GET', `/setup/orgs/current/why?user=${person.id}&record=${id}`)
    const allowed = body.verdicts.map((verdict: { allowed: boolean }) => verdict.allowed).slice(0, 2)
    assert.deepEqual(allowed, [expected.boxes.includes(id), expected.editable.includes(id)], 'why')
  }
  if (!expected.readsParts) return
  assert.deepEqual(await idsIn(person, 'SELECT Id FROM Part__c'), expected.parts, 'parts')
  if (!expected.readsBoxes) return
  const partsIn = world.boxes.filter(({ id }) => expected.boxes.includes(id)).flatMap(({ parts }) => parts)
  const inBoxes = partsIn.filter((id) => expected.parts.includes(id)).sort()
  const answer = await person.call('GET', queryPath('SELECT Id, (SELECT Id FROM Parts__r) FROM Box__c'))
  type Nested = { Parts__r: { records: { Id: string }[] } | null }
  const children = answer.body.records.flatMap(({ Parts__r }: Nested) => Parts__r?.records ?? [])
  assert.deepEqual(children.map(({ Id }: { Id: string }) => Id).sort(), inBoxes, 'child query')
  const joined = await idsIn(person, 'SELECT Id FROM Part__c WHERE Box__c IN (SELECT Id FROM Box__c)')
  assert.deepEqual(joined, inBoxes, 'semi-join')
  const upward = await idsIn(person, "SELECT Id FROM Part__c WHERE Box__r.Name LIKE 'Crate%'")
  assert.deepEqual(upward, inBoxes, 'through the parent')
}

const RIGHTS: readonly Right[] = ['Read', 'Create', 'Edit', 'Delete', 'ViewAllRecords', 'ModifyAllRecords']
/** Most people may read something; few may read everything. */
const rights = fc
  .uniqueArray(fc.constantFrom<Right>('Read', 'Read', 'Read', 'Edit', ...RIGHTS), { maxLength: 2 })
  .map((given) => new Set(given) as Rights)

for (const sharing of ['private', 'read', 'readWrite'] as const) {
  describe(`who sees what of an object whose records are shared: ${sharing}`, () => {
    let world: World
    before(async () => {
      world = await makeWorld(sharing)
    })

    test('every API shows what the model says, and one more grant hides nothing', async () => {
      const { o, people } = world
      const run = async (who: number, box: Rights, part: Rights, more: Right) => {
        const person = people[who]!
        const setId = await o.create('PermissionSet', { Name: 'Random', Label: 'Random' })
        await o.create('PermissionSetAssignment', { PermissionSetId: setId, AssigneeId: person.id })
        await allow(o, setId, 'Box__c', ...box)
        await allow(o, setId, 'Part__c', ...part)
        const before = model(world, who, box, part)
        await checkRoads(world, who, before)
        await allow(o, setId, 'Box__c', more)
        const after = model(world, who, new Set([...box, more]), part)
        await checkRoads(world, who, after)
        for (const ids of ['boxes', 'parts', 'editable'] as const) {
          assert.ok(before[ids].every((id) => after[ids].includes(id)))
        }
        await o.call('DELETE', `/sobjects/PermissionSet/${setId}`)
      }
      const everybody = fc.integer({ min: 0, max: PEOPLE - 1 })
      await fc.assert(fc.asyncProperty(everybody, rights, rights, fc.constantFrom(...RIGHTS), run), {
        numRuns: RUNS,
      })
    })
  })
}
