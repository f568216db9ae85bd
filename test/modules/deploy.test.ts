import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { SnapshotStore } from '../../src/schema/change/snapshot-store.ts'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import type { FieldDefinition } from '../../src/schema/fields/field-definition.ts'
import { loadSnapshot } from '../../src/schema/snapshot/load-snapshot.ts'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN, TICKET } from '../support/specimen-schema.ts'

const object = (name: string, fields: readonly FieldDefinition[] = []): ObjectDefinition => ({
  name: `${name}__c`,
  label: name,
  labelPlural: `${name}s`,
  keyPrefix: '',
  fields: [{ name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true }, ...fields],
})

const text = (name: string): FieldDefinition => ({
  name: `${name}__c`,
  label: name,
  type: 'string',
  length: 20,
})

describe('custom objects', () => {
  let org: TestOrg

  before(async () => {
    org = await openOrg()
  })

  const fetchPrefix = async (name: string) =>
    (await org.call('GET', `/sobjects/${name}__c/describe`)).body.keyPrefix

  test('get the prefixes a00, a01, ... in the order in which they come', async () => {
    await org.deploy([object('One')])
    await org.deploy([object('Two'), object('Three')])
    assert.deepEqual(
      [await fetchPrefix('One'), await fetchPrefix('Two'), await fetchPrefix('Three')],
      ['a00', 'a01', 'a02'],
    )
  })

  test('that are there already keep their prefix and use up no other one', async () => {
    await org.deploy([object('One'), object('Four'), object('Two')])
    assert.deepEqual(
      [await fetchPrefix('One'), await fetchPrefix('Four'), await fetchPrefix('Two')],
      ['a00', 'a03', 'a01'],
    )
    assert.match(await org.create('Four__c', {}), /^a03/)
  })

  test('count on behind a09 with letters', async () => {
    await org.deploy(Array.from({ length: 60 }, (_, i) => object(`Many${i}`)))
    const prefixes = await Promise.all([5, 6, 57, 58].map((i) => fetchPrefix(`Many${i}`)))
    assert.deepEqual(prefixes, ['a09', 'a0A', 'a0z', 'a10'])
  })
})

describe('a deployment', () => {
  let org: TestOrg

  before(async () => {
    org = await openOrg()
  })

  const snapshot = () => loadSnapshot(org.db, org.org)

  test('of what is there changes nothing and keeps the version', async () => {
    await org.deploy([object('Box', [text('Color')])])
    const before = await snapshot()
    await org.deploy([object('Box', [text('Color')])])
    await org.deploy([object('BOX', [text('COLOR')])])
    const { schema: after } = await deploySchema(org.db, org.org, { objects: STANDARD_OBJECTS })
    assert.equal(after.version, before.version)
    assert.deepEqual(after.changedAt, before.changedAt)
  })

  test('adds the fields that an object lacks, to records that are there too', async () => {
    await org.deploy([object('Bag')])
    const old = await org.create('Bag__c', {})
    const { version } = await snapshot()
    const added: FieldDefinition[] = [
      text('Color'),
      { name: 'Full__c', label: 'Full', type: 'boolean', default: true },
      { name: 'Number__c', label: 'Number', type: 'autonumber', format: 'B-{000}' },
      { name: 'Home__c', label: 'Home', type: 'location' },
      { name: 'Key__c', label: 'Key', type: 'string', length: 20, externalId: true, unique: true },
      {
        name: 'Bag__c',
        label: 'Bag',
        type: 'reference',
        to: ['Bag__c'],
        relationship: 'Bag__r',
        children: 'Bags__r',
      },
    ]
    await org.deploy([object('Bag', added)])
    assert.equal((await snapshot()).version, version + 1)
    const { body } = await org.call('GET', `/sobjects/Bag__c/${old}`)
    assert.deepEqual(
      [body.Color__c, body.Full__c, body.Number__c, body.Home__c, body.Bag__c],
      [null, true, 'B-001', null, null],
    )
    const upsert = () =>
      org.call('PATCH', '/sobjects/Bag__c/Key__c/k', { body: { Bag__r: { Id: old }, Color__c: 'red' } })
    assert.deepEqual([(await upsert()).status, (await upsert()).status], [201, 200])
  })

  test('adds fields to standard objects', async () => {
    const account = STANDARD_OBJECTS.find(({ name }) => name === 'Account')!
    await org.deploy([{ ...account, fields: [...account.fields, text('Tier')] }])
    const id = await org.create('Account', { Name: 'Acme', tier__C: 'gold' })
    assert.equal((await org.call('GET', `/sobjects/Account/${id}`)).body.Tier__c, 'gold')
  })

  test('that fails leaves everything as it was', async () => {
    const before = await snapshot()
    const wrong = object('Wrong', [{ name: 'N__c', label: 'N', type: 'autonumber', format: 'no digits' }])
    await assert.rejects(org.deploy([object('Right'), wrong]), /the format of N__c has no \{0\}/)
    assert.equal((await snapshot()).version, before.version)
    assert.equal((await org.call('GET', '/sobjects/Right__c/describe')).status, 404)
    await org.deploy([object('Right')])
    assert.equal((await org.call('GET', '/sobjects/Right__c/describe')).status, 200)
  })

  test('may run at the same time as another one: they take turns, and both stay', async () => {
    const { version } = await snapshot()
    const at = (definition: ObjectDefinition) => deploySchema(org.db, org.org, { objects: [definition] })
    const results = await Promise.all([
      at(object('Left')),
      at(object('Middle')),
      at(object('Left', [text('Color')])),
      at(object('Middle', [text('Size')])),
    ])
    const after = await snapshot()
    assert.equal(after.version, version + new Set(results.map(({ schema }) => schema.version)).size)
    assert.notEqual(after.object('Left__c')!.keyPrefix, after.object('Middle__c')!.keyPrefix)
    assert.ok(after.object('Left__c')!.field('Color__c') && after.object('Middle__c')!.field('Size__c'))
  })

  test('is seen by another process within a second, and at once by the one that did it', async () => {
    const [here, there] = [new SnapshotStore(org.db, org.org), new SnapshotStore(org.db, org.org)]
    await here.current()
    await there.current()
    const { schema: after } = await here.deploy(org.db, { objects: [object('News')] })
    assert.equal(await here.current(), after)
    await new Promise((resolve) => setTimeout(resolve, 600))
    assert.equal((await there.current()).version, after.version)
    assert.ok((await there.current()).object('News__c'))
  })
})

describe('the definition of every type of field', () => {
  test('comes back from the database as it went in, but for the prefix', async () => {
    const org = await openOrg()
    await org.deploy([SPECIMEN, TICKET])
    const schema = await loadSnapshot(org.db, org.org)
    assert.deepEqual(schema.object('specimen__C')!.definition, { ...SPECIMEN, keyPrefix: 'a00' })
    assert.deepEqual(schema.object('Ticket__c')!.definition, { ...TICKET, keyPrefix: 'a01' })
  })

  test('becomes a column that psql can read, under the name of the field in lower case', async () => {
    const org = await openOrg()
    await org.deploy([SPECIMEN])
    const rows = await org.db.query<{ name: string; type: string }>(sql`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = ${org.org.schemaName} and table_name = 'specimen__c'`)
    const types = Object.fromEntries(rows.map(({ name, type }) => [name, type]))
    const schema = await loadSnapshot(org.db, org.org)
    const columns = schema.object('Specimen__c')!.fields.flatMap((field) => field.column ?? [])
    // The way back from the recycle bin is no field.
    assert.deepEqual(Object.keys(types).sort(), [...columns, '_deletion'].sort())
    assert.ok(!('home__c' in types) && 'home__city__s' in types)
    const chosen = [
      'text__c',
      'flag__c',
      'count__c',
      'price__c',
      'day__c',
      'moment__c',
      'clock__c',
      'bytes__c',
    ]
    assert.deepEqual(
      chosen.map((name) => types[name]),
      [
        'text',
        'boolean',
        'integer',
        'numeric',
        'date',
        'timestamp with time zone',
        'time without time zone',
        'bytea',
      ],
    )
  })

  test('has names for indexes and constraints that the database does not cut', async () => {
    const org = await openOrg()
    const long = (n: number) => `${'Very_long_name_of_forty_characters_or_so'}${n}`
    const fields: FieldDefinition[] = [1, 2].map((n) => ({
      name: `${long(n)}__c`,
      label: 'x',
      type: 'string',
      length: 20,
      externalId: true,
      unique: true,
    }))
    await org.deploy([object(long(1), fields), object(long(2), fields)])
    const path = `/sobjects/${long(1)}__c`
    await org.call('POST', path, { body: { [`${long(2)}__c`]: 'a' } })
    const twice = await org.call('POST', path, { body: { [`${long(2)}__c`]: 'A' } })
    assert.equal(twice.body[0].errorCode, 'DUPLICATE_VALUE')
  })
})
