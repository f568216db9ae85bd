import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ObjectFile } from '../../src/definitions/formats/object-file.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { ingest, results } from '../support/bulk.ts'
import { deploy, fetchPlan, fetchRefusals } from '../support/deploying.ts'
import { type EventStream, openEventStream, type Streamed } from '../support/event-stream.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { triggersFrom, writeDeployment } from '../support/trigger-files.ts'

// docs/reference/api/streaming.md#platform-events

const ORDER_PLACED: ObjectFile = {
  fields: {
    Number__c: { type: 'string', length: 10, required: true },
    Note__c: { type: 'longtextarea' },
    Total__c: { type: 'double', precision: 8, scale: 2 },
    Is_Urgent__c: { type: 'boolean', default: true },
    Day__c: { type: 'date', defaultFormula: 'DATE(2026, 1, 2)' },
    At__c: { type: 'datetime' },
    Source__c: { type: 'string', length: 20, default: 'web' },
  },
}

const AUDIT: ObjectFile = {
  publish: 'immediately',
  fields: { What__c: { type: 'string', length: 80, required: true } },
}

const EVENTS = { Order_Placed__e: ORDER_PLACED, Audit__e: AUDIT }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An answer that says that an event was published. */
function assertPublished(result: Answer['body']): void {
  const { id, success, errors } = result
  assert.match(id, /^e0[0-9A-Za-z]{16}$/)
  assert.equal(success, true)
  assert.equal(errors.length, 1)
  const { message } = errors[0]
  assert.deepEqual(errors, [{ statusCode: 'OPERATION_ENQUEUED', message, fields: [] }])
  assert.match(message, UUID)
}

describe('a platform event', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
    assert.deepEqual(await fetchPlan(o, EVENTS), [
      '+ Audit__e: new object with 1 field',
      '+ Order_Placed__e: new object with 7 fields',
    ])
  })

  test('is described with its own fields and those of all events', async () => {
    const { body } = await o.call('GET', '/sobjects/Order_Placed__e/describe')
    assert.deepEqual(
      body.fields.map(({ name, type, createable, updateable, nillable }: Answer['body']) => [
        name,
        type,
        createable,
        updateable,
        nillable,
      ]),
      [
        ['ReplayId', 'string', false, false, true],
        ['EventUuid', 'string', false, false, true],
        ['CreatedDate', 'datetime', false, false, false],
        ['CreatedById', 'reference', false, false, false],
        ['Number__c', 'string', true, false, false],
        ['Note__c', 'textarea', true, false, true],
        ['Total__c', 'double', true, false, true],
        ['Is_Urgent__c', 'boolean', true, false, false],
        ['Day__c', 'date', true, false, true],
        ['At__c', 'datetime', true, false, true],
        ['Source__c', 'string', true, false, true],
      ],
    )
    assert.equal(body.label, 'Order Placed')
  })

  test('is listed among the objects, as one that is created and nothing else', async () => {
    const { body } = await o.call('GET', '/sobjects')
    const found = body.sobjects.find(({ name }: Answer['body']) => name === 'Order_Placed__e')
    assert.match(found.keyPrefix, /^e0[0-9A-Za-z]$/)
    assert.equal(found.custom, true)
    for (const [may, expected] of Object.entries({
      createable: true,
      updateable: false,
      deletable: false,
      undeletable: false,
      queryable: false,
      retrieveable: false,
      replicateable: false,
      searchable: false,
      layoutable: false,
      triggerable: false,
    })) {
      assert.equal(found[may], expected, may)
    }
  })

  test('is published by creating it', async () => {
    const answer = await o.call('POST', '/sobjects/Order_Placed__e', {
      body: { Number__c: 'A-1', Total__c: 2.5 },
    })
    assert.equal(answer.status, 201, answer.text)
    assertPublished(answer.body)
  })

  test('is checked as a record is', async () => {
    const refused: [object, Parameters<typeof assertRefused>[2], RegExp, string[]][] = [
      [{}, 'REQUIRED_FIELD_MISSING', /Number__c/, ['Number__c']],
      [{ Number__c: '12345678901' }, 'STRING_TOO_LONG', /max length=10/, ['Number__c']],
      [{ Number__c: '1', Total__c: 1e7 }, 'NUMBER_OUTSIDE_VALID_RANGE', /Total/, ['Total__c']],
      [{ Number__c: '1', Total__c: 'much' }, 'JSON_PARSER_ERROR', /double/, []],
      [{ Number__c: '1', Day__c: 'soon' }, 'JSON_PARSER_ERROR', /date/, []],
      [{ Number__c: '1', Color__c: 'red' }, 'INVALID_FIELD', /No such column 'Color__c'/, []],
      [{ Number__c: '1', ReplayId: '7' }, 'INVALID_FIELD_FOR_INSERT_UPDATE', /ReplayId/, ['ReplayId']],
      [{ Number__c: '1', EventUuid: 'x' }, 'INVALID_FIELD_FOR_INSERT_UPDATE', /EventUuid/, ['EventUuid']],
      [{ Number__c: '1', Id: 'e00000000000001AAA' }, 'INVALID_FIELD', /'Id'/, []],
    ]
    for (const [body, code, message, fields] of refused)
      assertRefused(await o.call('POST', '/sobjects/Order_Placed__e', { body }), 400, code, message, fields)
  })

  test('is published in collections, composites, batches, graphs and trees', async () => {
    const listed = await o.call('POST', '/composite/sobjects', {
      body: {
        records: [
          { attributes: { type: 'Order_Placed__e' }, Number__c: 'C-1' },
          { attributes: { type: 'Order_Placed__e' } },
          { attributes: { type: 'Audit__e' }, What__c: 'read' },
        ],
      },
    })
    assertPublished(listed.body[0])
    assert.equal(listed.body[1].errors[0].statusCode, 'REQUIRED_FIELD_MISSING')
    assertPublished(listed.body[2])

    const step = (referenceId: string) => ({
      method: 'POST',
      url: '/services/data/v64.0/sobjects/Order_Placed__e',
      referenceId,
      body: { Number__c: 'D-1' },
    })
    const composite = await o.call('POST', '/composite', {
      body: { allOrNone: true, compositeRequest: [step('a'), step('b')] },
    })
    for (const { body, httpStatusCode } of composite.body.compositeResponse) {
      assert.equal(httpStatusCode, 201)
      assertPublished(body)
    }

    const batch = await o.call('POST', '/composite/batch', {
      body: {
        batchRequests: [{ method: 'POST', url: 'v64.0/sobjects/Audit__e', richInput: { What__c: 'batch' } }],
      },
    })
    assertPublished(batch.body.results[0].result)

    const graph = await o.call('POST', '/composite/graph', {
      body: { graphs: [{ graphId: 'one', compositeRequest: [step('a'), step('b')] }] },
    })
    for (const { body } of graph.body.graphs[0].graphResponse.compositeResponse) assertPublished(body)

    const tree = await o.call('POST', '/composite/tree/Order_Placed__e', {
      body: {
        records: [{ attributes: { type: 'Order_Placed__e', referenceId: 'one' }, Number__c: 'E-1' }],
      },
    })
    assert.equal(tree.status, 201, tree.text)
  })

  test('is published by bulk jobs that insert', async () => {
    const job = await ingest(o, { object: 'Audit__e', operation: 'insert' }, 'What__c\none\n""\n')
    assert.deepEqual([job.state, job.numberRecordsProcessed, job.numberRecordsFailed], ['JobComplete', 2, 1])
    assert.match((await results(o, job.id)).successful, /^"sf__Id","sf__Created","What__c"\n"e0/)
    for (const operation of ['update', 'delete', 'upsert']) {
      const body = { object: 'Audit__e', operation, externalIdFieldName: 'Id' }
      const answer = await o.call('POST', '/jobs/ingest', { body })
      assert.equal(answer.status, 400, answer.text)
    }
  })

  test('is neither queried nor read, changed or deleted', async () => {
    const { id } = (await o.call('POST', '/sobjects/Audit__e', { body: { What__c: 'kept by nobody' } })).body
    const path = `/sobjects/Audit__e/${id}`
    const noQuery = 'entity type Audit__e does not support query'
    const noReading = 'entity type Audit__e does not support retrieve'
    for (const query of ['SELECT What__c FROM Audit__e', 'SELECT COUNT() FROM Audit__e']) {
      const answer = await o.call('GET', `/query?q=${encodeURIComponent(query)}`)
      assertRefused(answer, 400, 'INVALID_TYPE_FOR_OPERATION', noQuery)
    }
    assertRefused(await o.call('GET', path), 400, 'INVALID_TYPE_FOR_OPERATION', noReading)
    assertRefused(await o.call('GET', `${path}?fields=What__c`), 400, 'INVALID_TYPE_FOR_OPERATION', noReading)
    const listed = await o.call('GET', `/composite/sobjects/Audit__e?ids=${id}&fields=What__c`)
    assertRefused(listed, 400, 'INVALID_TYPE_FOR_OPERATION', noReading)
    const entity = 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY'
    const changed = await o.call('PATCH', path, { body: { What__c: 'x' } })
    assertRefused(changed, 400, entity, 'entity type cannot be updated: Audit')
    assertRefused(await o.call('DELETE', path), 400, entity, 'entity type cannot be deleted: Audit')
    assert.equal((await o.call('PATCH', '/sobjects/Audit__e/What__c/x', { body: {} })).status, 404)
  })

  test('has no address at which anything fails', async () => {
    const { id } = (await o.call('POST', '/sobjects/Audit__e', { body: { What__c: 'anything' } })).body
    const days = `start=${new Date(Date.now() - 3_600_000).toISOString()}&end=${new Date().toISOString()}`
    for (const path of [
      '/sobjects/Audit__e',
      '/sobjects/Audit__e/describe/layouts',
      '/sobjects/Audit__e/describe/compactLayouts',
      '/sobjects/Audit__e/describe/approvalLayouts',
      '/sobjects/Audit__e/listviews',
      '/sobjects/Audit__e/quickActions',
      '/sobjects/Audit__e/defaultValues',
      `/sobjects/Audit__e/updated?${days}`,
      `/sobjects/Audit__e/deleted?${days}`,
      `/sobjects/Audit__e/${id}/CreatedBy`,
      `/sobjects/Audit__e/CreatedById/${o.userId}`,
      `/sobjects/Audit__e/Id/${id}`,
      '/limits/recordCount?sObjects=Audit__e',
      `/search?q=${encodeURIComponent('FIND {any} RETURNING Audit__e(What__c)')}`,
      '/parameterizedSearch?q=any&sobject=Audit__e',
      '/query?q=' +
        encodeURIComponent(
          "SELECT QualifiedApiName FROM EntityDefinition WHERE QualifiedApiName = 'Audit__e'",
        ),
      '/query?q=' +
        encodeURIComponent(
          "SELECT QualifiedApiName FROM FieldDefinition WHERE EntityDefinition.QualifiedApiName = 'Audit__e'",
        ),
      `/query?q=${encodeURIComponent('SELECT Id FROM User WHERE Id IN (SELECT CreatedById FROM Audit__e)')}`,
      `/query?q=${encodeURIComponent('SELECT FIELDS(ALL) FROM Audit__e LIMIT 1')}`,
      `/query?explain=${encodeURIComponent('SELECT What__c FROM Audit__e')}`,
      '/tabs',
      '/recent',
    ]) {
      const answer = await o.call('GET', path)
      assert.ok(answer.status < 500, `${path}: ${answer.status} ${answer.text}`)
    }
    for (const headers of [{ 'if-modified-since': new Date().toUTCString() }, { 'if-match': '"1"' }])
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await o.call(method, `/sobjects/Audit__e/${id}`, { headers, body: {} })
        assert.ok(answer.status < 500, `${method}: ${answer.status} ${answer.text}`)
      }
    for (const [method, path, body] of [
      ['PATCH', '/sobjects/Audit__e/Id', { What__c: 'x' }],
      ['PATCH', `/sobjects/Audit__e/Id/${id}`, { What__c: 'x' }],
      ['PATCH', '/composite/sobjects', { records: [{ attributes: { type: 'Audit__e' }, id, What__c: 'x' }] }],
      ['PATCH', '/composite/sobjects/Audit__e/Id', { records: [{ attributes: { type: 'Audit__e' } }] }],
      ['DELETE', `/composite/sobjects?ids=${id}`, undefined],
      ['POST', '/undelete', { ids: [id] }],
    ] as const) {
      const answer = await o.call(method, path, { body })
      assert.ok(answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`)
    }
  })

  test('is published by whoever may create it', async () => {
    const stranger = await addPerson(o, 'stranger')
    assert.equal((await stranger.call('GET', '/sobjects/Audit__e/describe')).status, 404)
    assert.equal((await stranger.call('POST', '/sobjects/Audit__e', { body: { What__c: 'x' } })).status, 404)
    const reader = await addPerson(o, 'reader')
    await allow(o, reader.setId, 'Audit__e', 'Read')
    const refused = await reader.call('POST', '/sobjects/Audit__e', { body: { What__c: 'x' } })
    assertRefused(refused, 403, 'INSUFFICIENT_ACCESS', 'Records of Audit__e are not createable')
    const publisher = await addPerson(o, 'publisher')
    await allow(o, publisher.setId, 'Audit__e', 'Create')
    const published = await publisher.call('POST', '/sobjects/Audit__e', { body: { What__c: 'x' } })
    assert.equal(published.status, 201, published.text)
  })
})

/** What a resource of deployed code does with events. */
const CODE = `
export default {
  path: '/publish/:how',
  async POST({ params }, org) {
    const published = [
      ...(await org.create('Order_Placed__e', [{ Number__c: params.how }])),
      ...(await org.create('Audit__e', [{ What__c: params.how }])),
    ]
    if (params.how === 'fails') throw new Error('no luck')
    return published
  },
}`

/** Publishes what it is told of an account, which the second trigger refuses. */
const TRIGGER = `
export default {
  object: 'Account',
  async afterInsert(changes, org) {
    const names = changes.map(({ record }) => record.Name)
    await org.create('Order_Placed__e', names.map((Name) => ({ Number__c: Name })))
    await org.create('Audit__e', names.map((Name) => ({ What__c: Name })))
    if (names.includes('refused')) throw new Error('not this one')
  },
}`

describe('who follows a platform event', () => {
  let o: TestOrg
  let published = 0
  before(async () => {
    o = await openOrg({ deployment: writeDeployment({ 'resources/publish.ts': CODE }) })
    await fetchPlan(o, EVENTS)
  })

  const follow = (from: TestOrg = o, replay = '-1') =>
    openEventStream(from, `channel=/event/Order_Placed__e,/event/Audit__e&replay=${replay}`)

  const textOf = ({ data }: Streamed): string => data.data.payload.Number__c ?? data.data.payload.What__c

  /** What the events of a stream say, up to one that is published last. */
  async function takeAll(stream: EventStream, from: TestOrg = o): Promise<readonly string[]> {
    const last = `last ${published++}`
    await from.create('Audit__e', { What__c: last })
    const said: string[] = []
    while (said.at(-1) !== last) {
      const [event] = await stream.take(1)
      said.push(textOf(event!))
    }
    stream.close()
    return said.slice(0, -1)
  }

  test('gets its fields, and by whom and when it was published', async () => {
    const body = {
      Number__c: ' A-1 ',
      Note__c: 'a "note"\nwith lines',
      Total__c: 2.555,
      At__c: '2026-01-02T03:04:05+01:00',
      Source__c: null,
    }
    const stream = await follow()
    const { errors } = (await o.call('POST', '/sobjects/Order_Placed__e', { body })).body
    await o.create('Audit__e', { What__c: 'done' })
    const [first, second] = await stream.take(2)
    stream.close()
    const { schema, payload, event } = first!.data.data
    assert.equal(first!.data.channel, '/event/Order_Placed__e')
    assert.match(schema, /^[\w-]{22}$/)
    assert.match(payload.CreatedDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(payload, {
      CreatedDate: payload.CreatedDate,
      CreatedById: o.userId,
      Number__c: 'A-1',
      Note__c: 'a "note"\nwith lines',
      Total__c: 2.56,
      Is_Urgent__c: true,
      Day__c: '2026-01-02',
      At__c: '2026-01-02T02:04:05.000Z',
      Source__c: null,
    })
    assert.deepEqual(event, { replayId: Number(first!.id), EventUuid: errors[0].message })
    assert.equal(second!.data.channel, '/event/Audit__e')
    assert.equal(second!.data.data.payload.What__c, 'done')
  })

  test('gets nothing of a transaction that is rolled back, unless it is published immediately', async () => {
    const stream = await follow()
    const step = (referenceId: string, object: string, body: object) => ({
      method: 'POST',
      url: `/services/data/v64.0/sobjects/${object}`,
      referenceId,
      body,
    })
    const answer = await o.call('POST', '/composite', {
      body: {
        allOrNone: true,
        compositeRequest: [
          step('a', 'Order_Placed__e', { Number__c: 'dropped' }),
          step('b', 'Audit__e', { What__c: 'kept' }),
          step('c', 'Account', {}),
        ],
      },
    })
    assert.equal(answer.body.compositeResponse[2].body[0].errorCode, 'REQUIRED_FIELD_MISSING')
    assert.deepEqual(await takeAll(stream), ['kept'])
  })

  test('gets what deployed code publishes', async () => {
    const stream = await follow()
    const answer = await o.call('POST', '/services/customrest/publish/works')
    assert.equal(answer.status, 200, answer.text)
    for (const { id, success, errors } of answer.body) {
      assert.match(id, /^e0/)
      assert.equal(success, true)
      assert.deepEqual(errors, [{ errorCode: 'OPERATION_ENQUEUED', message: errors[0].message, fields: [] }])
    }
    assert.equal((await o.call('POST', '/services/customrest/publish/fails')).status, 500)
    // The answer of code that failed does not wait for the end of its transaction.
    assert.deepEqual((await stream.take(3)).map(textOf), ['works', 'works', 'fails'])
    assert.deepEqual(await takeAll(stream), [])
  })

  test('gets what triggers publish, each once', async () => {
    const triggered = await openOrg({ triggers: await triggersFrom({ 'account.ts': TRIGGER }) })
    await fetchPlan(triggered, EVENTS)
    await triggered.create('Account', { Name: 'works' })
    const records = ['one', 'refused', 'three'].map((Name) => ({ attributes: { type: 'Account' }, Name }))
    await triggered.call('POST', '/composite/sobjects', { body: { allOrNone: true, records } })
    const said = await takeAll(await follow(triggered, '-2'), triggered)
    assert.deepEqual(said, ['works', 'works', 'one', 'refused', 'three'])
  })

  test('may read it', async () => {
    const stranger = await addPerson(o, 'stranger')
    const path = '/event-stream?channel=/event/Audit__e'
    assert.equal((await stranger.call('GET', path)).status, 404)
    await allow(o, stranger.setId, 'Audit__e', 'Read')
    const stream = await openEventStream(stranger.org, 'channel=/event/Audit__e')
    await o.create('Audit__e', { What__c: 'for all' })
    const [event] = await stream.take(1)
    assert.equal(event!.data.data.payload.What__c, 'for all')
    stream.close()
  })

  test('gets one that is too long refused', async () => {
    const parts = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(
        (name) => [`${name}__c`, { type: 'longtextarea', length: 131_072 }] as const,
      ),
    )
    const wide = await openOrg()
    await fetchPlan(wide, { Wide__e: { fields: parts } })
    const body = Object.fromEntries(Object.keys(parts).map((name) => [name, 'x'.repeat(131_000)]))
    const answer = await wide.call('POST', '/sobjects/Wide__e', { body })
    assertRefused(answer, 400, 'LIMIT_EXCEEDED', /longer than 1000000 characters/)
  })
})

describe('the definition file of a platform event', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('has no properties of records', async () => {
    const field = { type: 'string', length: 10 } as const
    assert.deepEqual(
      await fetchRefusals(o, {
        Wrong__e: {
          sharing: 'private',
          searchable: false,
          trackHistory: true,
          keyPrefix: 'a07',
          recordTypes: { One: null },
          listViews: { All: null },
          validations: { No: { condition: 'true', message: 'no' } },
          fields: {
            Name: { type: 'string' },
            ReplayId: field,
            CreatedDate: { type: 'datetime' },
            Key__c: { ...field, unique: true, externalId: true },
            Kind__c: { type: 'picklist', values: ['one'] },
            Account__c: { type: 'reference', to: 'Account' },
            Twice__c: { type: 'double', formula: '2 * 2' },
          },
        },
        Thing__c: { publish: 'immediately', fields: { Event__c: { type: 'reference', to: 'Wrong__e' } } },
      }),
      [
        'objects.Wrong__e.keyPrefix: ids of Wrong__e start with e: e07',
        'objects.Wrong__e.sharing: a platform event has no sharing; take it out',
        'objects.Wrong__e.searchable: a platform event has no searchable; take it out',
        'objects.Wrong__e.recordTypes: a platform event has no recordTypes; take it out',
        'objects.Wrong__e.listViews: a platform event has no listViews; take it out',
        'objects.Wrong__e.validations: a platform event has no validations; take it out',
        'objects.Wrong__e.trackHistory: changes of Wrong__e records are not kept; take this line out',
        'objects.Wrong__e.fields.Name: a field of your own ends in __c: Name__c',
        'objects.Wrong__e.fields.ReplayId: every platform event has ReplayId without saying so; take it out',
        'objects.Wrong__e.fields.CreatedDate: every object has CreatedDate without saying so; take it out',
        'objects.Wrong__e.fields.Key__c.unique: means nothing in a platform event: it is published and not kept; take it out',
        'objects.Wrong__e.fields.Key__c.externalId: means nothing in a platform event: it is published and not kept; take it out',
        'objects.Wrong__e.fields.Kind__c: a platform event has no picklist; there are string, textarea, longtextarea, boolean, int, double, date, datetime',
        'objects.Wrong__e.fields.Account__c: a platform event has no reference; there are string, textarea, longtextarea, boolean, int, double, date, datetime',
        'objects.Wrong__e.fields.Twice__c.formula: means nothing in a platform event: it is published and not kept; take it out',
        'objects.Thing__c.publish: publish is for platform events, whose names end in __e; take it out',
        'objects.Thing__c.fields.Event__c.to: Wrong__e is published and not kept: there is nothing to refer to',
      ],
    )
  })

  test('is what an org gives back, and permissions on the event go with it', async () => {
    const other = await openOrg()
    const objects = { Audit__e: { ...AUDIT, keyPrefix: 'e0z', description: 'Who looked at what' } }
    const permissionSets = { Auditing: { objects: { Audit__e: ['read' as const, 'create' as const] } } }
    await fetchPlan(other, objects, { permissionSets })
    const { body } = await other.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual(body.objects, objects)
    assert.deepEqual(body.permissionSets, permissionSets)
    assert.deepEqual(await fetchPlan(other, {}, { allowDestructive: true }), ['- Audit__e: goes'])
    const rights = "SELECT Id FROM ObjectPermissions WHERE SobjectType = 'Audit__e'"
    assert.deepEqual(await fetchRecords(other, rights), [])
  })

  test('that was published before a field had another type does not tell a value of the old one', async () => {
    const other = await openOrg()
    const objects = (type: 'string' | 'double') => ({ Typed__e: { fields: { X__c: { type } } } })
    const publish = async (X__c: unknown) =>
      assertPublished((await other.call('POST', '/sobjects/Typed__e', { body: { X__c } })).body)
    await deploy(other, objects('string'))
    await publish('many')
    const changed = await deploy(other, objects('double'), { allowDestructive: true })
    assert.equal(changed.status, 200, changed.text)
    await publish(2)
    const stream = await openEventStream(other, 'channel=/event/Typed__e&replay=-2')
    const told = (await stream.take(2)).map(({ data }) => data.data.payload.X__c)
    assert.deepEqual(told, [null, 2])
    stream.close()
  })

  test('may change at any time', async () => {
    await fetchPlan(o, EVENTS)
    const { Source__c: _, ...fields } = ORDER_PLACED.fields!
    const changed: ObjectFile = {
      publish: 'immediately',
      fields: { ...fields, Number__c: { type: 'string', length: 20 }, Color__c: { type: 'string' } },
    }
    assert.deepEqual(await fetchPlan(o, { ...EVENTS, Order_Placed__e: changed }), [
      '~ Order_Placed__e: publish none → "immediately", Number__c: length 10 → 20, Number__c: required true → none, new field Color__c, field Source__c goes',
    ])
    assert.deepEqual(await fetchPlan(o, { ...EVENTS, Order_Placed__e: changed }), [])
    const gone = await deploy(o, { Audit__e: AUDIT }, { allowDestructive: true })
    assert.equal(gone.status, 200, gone.text)
    assert.equal((await o.call('GET', '/sobjects/Order_Placed__e')).status, 404)
  })
})
