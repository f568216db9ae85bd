import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { queryPath } from '../support/ask.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'
import { runs } from '../support/runs.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/*
 * For a random schema, random rights and records, no answer has a value that its caller cannot read: every value is a text of its own, and
 * all answers, with their headers and errors, are searched for those that are hidden.
 */

const RUNS = runs(4)

const OBJECTS = ['Ark__c', 'Bay__c'] as const
const TYPES = {
  string: { type: 'string', trackHistory: true },
  text: { type: 'longtextarea' },
  textarea: { type: 'textarea', trackHistory: true },
  url: { type: 'url' },
  encrypted: { type: 'encryptedstring', length: 80, trackHistory: true },
} as const
type Kind = keyof typeof TYPES

interface Drawn {
  readonly sharing: readonly ('private' | 'read' | 'readWrite')[]
  /** Of each object. */
  readonly fields: readonly (readonly Kind[])[]
  readonly rights: readonly ('none' | 'read' | 'edit' | 'viewAll')[]
  /** Of the fields of each object, the reference the last. */
  readonly granted: readonly (readonly ('none' | 'read' | 'edit')[])[]
  /** True if the records of each object belong to the reader. */
  readonly owned: readonly (readonly boolean[])[]
}

const FIELDS = 4
const RECORDS = 3

const pair = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one)
const several = <T>(one: fc.Arbitrary<T>, count: number) =>
  fc.array(one, { minLength: count, maxLength: count })

const drawn: fc.Arbitrary<Drawn> = fc.record({
  sharing: pair(fc.constantFrom('private', 'read', 'readWrite')),
  fields: pair(several(fc.constantFrom(...(Object.keys(TYPES) as Kind[])), FIELDS)),
  rights: pair(fc.constantFrom('none', 'read', 'edit', 'edit', 'viewAll')),
  granted: pair(several(fc.constantFrom('none', 'read', 'edit'), FIELDS + 1)),
  owned: pair(several(fc.boolean(), RECORDS)),
})

const fieldName = (index: number) => (index === FIELDS ? 'Other__c' : `Field${index}__c`)

/** Deployed code that does what its caller asks for, and tells all of its errors. */
const RESOURCE = `
export default {
  path: '/call',
  async POST({ body: [operation, ...args] }, org) {
    try { return { done: await org[operation](...args) } }
    catch (error) { return { refused: error.message, details: JSON.stringify(error) } }
  },
}`

let made = 0
/** A text that is nowhere else. */
const mark = () => `mark${(made++).toString().padStart(6, '0')}x`

interface World {
  readonly o: TestOrg
  readonly reader: Person
  readonly ids: readonly (readonly string[])[]
  readonly hidden: readonly string[]
}

/** Makes what was drawn, and tells which texts the reader cannot read. */
async function makeWorld({ sharing, fields, rights, granted, owned }: Drawn): Promise<World> {
  const o = await openOrg({ deployment: writeDeployment({ 'resources/call.js': RESOURCE }) })
  const hidden: string[] = []
  const sees = (object: number, field: number) =>
    rights[object] !== 'none' && granted[object]![field] !== 'none'
  const definitions = OBJECTS.map((name, object) => {
    const wanted = mark()
    // Only what can be compared can filter a list view.
    const filtered = fields[object]!.findIndex(
      (kind) => kind === 'string' || kind === 'textarea' || kind === 'url',
    )
    if (filtered >= 0 && !sees(object, filtered)) hidden.push(wanted)
    const own = fields[object]!.map((kind, index) => [fieldName(index), TYPES[kind]] as const)
    const readable = fields[object]!.findIndex((kind) => kind === 'string' || kind === 'url')
    return [
      name,
      {
        sharing: sharing[object],
        trackHistory: true,
        fields: {
          ...Object.fromEntries(own),
          Switch__c: { type: 'string' },
          Other__c: {
            type: 'reference',
            to: OBJECTS[1 - object],
            relationship: 'Other__r',
            children: `Others${object}__r`,
            trackHistory: true,
          },
        },
        ...(filtered >= 0 && {
          listViews: {
            Some: { columns: ['Name', fieldName(filtered)], where: `${fieldName(filtered)} != '${wanted}'` },
          },
        }),
        ...(readable >= 0 && {
          validations: {
            Number: { condition: `Switch__c = "on" && VALUE(${fieldName(readable)}) > 1`, message: 'Never.' },
          },
        }),
      },
    ] as const
  })
  await fetchSteps(o, Object.fromEntries(definitions) as never)
  const reader = await addPerson(o, 'reader')
  await o.create('SetupEntityAccess', { ParentId: reader.setId, ResourceName: 'call' })
  for (const [object, name] of OBJECTS.entries()) {
    const right = rights[object]!
    if (right === 'none') continue
    await allow(
      o,
      reader.setId,
      name,
      'Read',
      ...(right === 'edit' ? (['Create', 'Edit', 'Delete'] as const) : []),
      ...(right === 'viewAll' ? (['ViewAllRecords'] as const) : []),
    )
    await allowField(o, reader.setId, `${name}.Switch__c`, 'Edit')
    for (const [field, grant] of granted[object]!.entries())
      if (grant !== 'none')
        await allowField(o, reader.setId, `${name}.${fieldName(field)}`, grant === 'edit' ? 'Edit' : 'Read')
  }
  const ids: string[][] = [[], []]
  for (const [object, name] of OBJECTS.entries()) {
    for (let n = 0; n < RECORDS; n++) {
      const isOwn = owned[object]![n]!
      const isSeen =
        rights[object] !== 'none' && (isOwn || sharing[object] !== 'private' || rights[object] === 'viewAll')
      const note = (text: string, isVisible: boolean) => {
        if (!isVisible) hidden.push(text)
        return text
      }
      const values = () =>
        Object.fromEntries(
          fields[object]!.map((kind, field) => [
            fieldName(field),
            // Nobody in this world sees encrypted values but the administrator.
            note(mark(), isSeen && sees(object, field) && kind !== 'encrypted'),
          ]),
        )
      const id = await o.create(name, {
        Name: note(mark(), isSeen),
        OwnerId: isOwn ? reader.id : o.userId,
        ...values(),
      })
      ids[object]!.push(id)
      // The history has the former value.
      await o.call('PATCH', `/sobjects/${name}/${id}`, { body: values() })
    }
  }
  for (const [object, name] of OBJECTS.entries()) {
    for (const [n, id] of ids[object]!.entries())
      await o.call('PATCH', `/sobjects/${name}/${id}`, { body: { Other__c: ids[1 - object]![n] } })
  }
  return { o, reader, ids, hidden }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const get = (path: string): Sent => ({ method: 'GET', path })
const query = (soql: string): Sent => get(queryPath(soql))
const deployed = (...body: readonly unknown[]): Sent => ({
  method: 'POST',
  path: '/services/customrest/call',
  body,
})
const all = Array.from({ length: FIELDS + 1 }, (_, index) => fieldName(index))

function* listCalls({ ids }: World): Generator<Sent> {
  yield get('/sobjects')
  for (const [object, name] of OBJECTS.entries()) {
    const history = name.replace('__c', '__History')
    yield get(`/sobjects/${name}/describe`)
    yield get(`/sobjects/${name}/describe/layouts`)
    yield get(`/sobjects/${name}`)
    yield get(`/sobjects/${name}/listviews`)
    for (const part of ['', '/describe', '/results']) yield get(`/sobjects/${name}/listviews/Some${part}`)
    for (const clause of [
      'FIELDS(ALL) FROM',
      'FIELDS(CUSTOM) FROM',
      `${all.join(', ')} FROM`,
      'Name, Other__r.Name, Other__r.Owner.Name FROM',
    ]) {
      yield query(`SELECT ${clause} ${name} LIMIT 50`)
      yield deployed('query', `SELECT ${clause} ${name} LIMIT 50`)
      yield get(`/query?explain=${encodeURIComponent(`SELECT ${clause} ${name} LIMIT 50`)}`)
    }
    for (const field of ['Name', ...all]) {
      yield query(`SELECT ${field}, Other__r.${field} FROM ${name}`)
      yield query(`SELECT Id, (SELECT ${field} FROM Others${1 - object}__r) FROM ${name}`)
      yield deployed('query', `SELECT ${field}, (SELECT ${field} FROM Others${1 - object}__r) FROM ${name}`)
      yield query(`SELECT FORMAT(${field}) a, toLabel(${field}) b FROM ${name}`)
      yield query(`SELECT ${field} a, COUNT(Id) n, MIN(${field}) m FROM ${name} GROUP BY ${field}`)
      yield query(`SELECT Id FROM ${name} WHERE ${field} LIKE 'mark%' ORDER BY ${field}`)
    }
    yield query(`SELECT Field, OldValue, NewValue, Parent.Name FROM ${history}`)
    yield query(`SELECT Id, (SELECT Field, OldValue, NewValue FROM Histories) FROM ${name}`)
    yield get(`/search?q=${encodeURIComponent(`FIND {mark*} RETURNING ${name}(Id, Name)`)}`)
    yield get(`/parameterizedSearch?q=mark&sobject=${name}&${name}.fields=Name`)
    const node = ['Name', ...all.slice(0, FIELDS)].map((field) => `${field} { value displayValue }`).join(' ')
    yield {
      method: 'POST',
      path: '/graphql',
      body: {
        query: `{ uiapi { query { ${name} { edges { node { Id ${node} Other__r { Name { value } } } } } } } }`,
      },
    }
    for (const id of ids[object]!) {
      yield get(`/sobjects/${name}/${id}`)
      yield get(`/sobjects/${name}/${id}?fields=${all.join()}`)
      yield deployed('read', name, id)
      yield deployed('read', name, id, all)
      yield deployed('update', name, [{ Id: id, Switch__c: 'on' }])
      yield deployed('update', name, [{ Id: id, Other__c: id }])
      yield get(`/sobjects/${name}/${id}/Other__r`)
      yield get(`/sobjects/${name}/${id}/Others${1 - object}__r`)
      yield {
        method: 'POST',
        path: '/composite/batch',
        body: { batchRequests: [{ method: 'GET', url: `v64.0/sobjects/${name}/${id}` }] },
      }
      yield { method: 'PATCH', path: `/sobjects/${name}/${id}`, body: { Switch__c: 'on' } }
      yield { method: 'PATCH', path: `/sobjects/${name}/${id}`, body: { Other__c: id } }
      yield {
        method: 'PATCH',
        path: '/composite/sobjects',
        body: { records: [{ attributes: { type: name }, Id: id, Switch__c: 'on' }] },
      }
      yield { method: 'DELETE', path: `/sobjects/User/${id}` }
    }
    yield get('/recent')
  }
}

test('no answer has a value that its caller cannot read', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(drawn, async (what) => {
      const world = await makeWorld(what)
      const hidden = new Set(world.hidden)
      for (const { method, path, body } of listCalls(world)) {
        const answer = await world.reader.call(method, path, body === undefined ? {} : { body })
        assert.notEqual(answer.status, 500, `${method} ${path}: ${answer.text}`)
        if (path.startsWith('/services/customrest')) assert.equal(answer.status, 200, answer.text)
        const text = `${JSON.stringify(answer.headers)}\n${answer.text}`
        const found = [...text.matchAll(/mark\d{6}x/g)].map(([mark]) => mark)
        for (const mark of found) seen.add(mark)
        const shown = found.filter((mark) => hidden.has(mark))
        assert.deepEqual(
          shown,
          [],
          `${method} ${decodeURIComponent(path)} ${JSON.stringify(body)}: ${answer.text}`,
        )
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  // Somebody has to see something for that to mean anything.
  assert.ok(seen.size > 20, String(seen.size))
})
