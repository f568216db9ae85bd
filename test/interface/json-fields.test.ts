import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { fetchRecords, fetchRefusal, queryPath } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { createJob, ingest, untilOver } from '../support/bulk.ts'
import { deploy, fetchPlan } from '../support/deploying.ts'
import { fetchUiapi } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'
import { runs } from '../support/runs.ts'
import { triggersFrom } from '../support/trigger-files.ts'

const OBJECTS = {
  Theme__c: { trackHistory: true, fields: { Settings__c: { type: 'json', trackHistory: true } } },
} as const

let o: TestOrg

before(async () => {
  o = await openOrg()
  const deployed = await deploy(o, OBJECTS)
  assert.equal(deployed.status, 200, deployed.text)
})

const create = (document: unknown) => o.create('Theme__c', { Name: 'one', Settings__c: document })

const read = async (id: string) => (await o.call('GET', `/sobjects/Theme__c/${id}`)).body.Settings__c

/** PostgreSQL has no -0. */
const withoutNegativeZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Texts without lone surrogates and NUL, which are refused. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((one) => one.replaceAll('\0', '').toWellFormed())
const document = fc
  .oneof(
    fc.dictionary(
      text,
      fc.letrec((tie) => ({
        value: fc.oneof(
          { maxDepth: 4 },
          text,
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.integer(),
          fc.boolean(),
          fc.constant(null),
          fc.array(tie('value'), { maxLength: 4 }),
          fc.dictionary(text, tie('value'), { maxKeys: 4 }),
        ),
      })).value,
      { maxKeys: 5 },
    ),
    fc.array(fc.oneof(text, fc.integer(), fc.constant(null))),
    text.filter((one) => one !== ''),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  )
  .map(withoutNegativeZero)

describe('a document', () => {
  test('comes back equal, whatever it is, from records and queries, and as text in files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 10 }), async (documents) => {
        const body = {
          records: documents.map((one) => ({
            attributes: { type: 'Theme__c' },
            Name: 'x',
            Settings__c: one,
          })),
        }
        const written = (await o.call('POST', '/composite/sobjects', { body })).body
        const ids: string[] = written.map(({ id }: { id: string }) => id)
        assert.deepEqual(await read(ids[0]!), documents[0])
        const query = `SELECT Settings__c FROM Theme__c WHERE Id IN ('${ids.join("','")}') ORDER BY Id`
        assert.deepEqual(
          (await fetchRecords(o, query)).map((one) => one.Settings__c),
          documents,
        )
      }),
      { numRuns: runs(15) },
    )
  })

  test('is written by update, tree, composite and bulk jobs, and is null when it is empty', async () => {
    const id = await create({ theme: 'dark' })
    const change = (Settings__c: unknown) =>
      o.call('PATCH', `/sobjects/Theme__c/${id}`, { body: { Settings__c } })
    assert.equal((await change(['a', 1, null])).status, 204)
    assert.deepEqual(await read(id), ['a', 1, null])
    for (const nothing of [null, '']) {
      assert.equal((await change(nothing)).status, 204)
      assert.equal(await read(id), null)
    }
    const tree = {
      records: [{ attributes: { type: 'Theme__c', referenceId: 'a' }, Name: 't', Settings__c: 5 }],
    }
    const planted = await o.call('POST', '/composite/tree/Theme__c', { body: tree })
    assert.equal(await read(planted.body.results[0].id), 5)
    const compositeRequest = [
      {
        method: 'POST',
        url: '/services/data/v64.0/sobjects/Theme__c',
        referenceId: 'a',
        body: { Name: 'c', Settings__c: { deep: { list: [true] } } },
      },
    ]
    const composed = await o.call('POST', '/composite', { body: { compositeRequest } })
    assert.deepEqual(await read(composed.body.compositeResponse[0].body.id), { deep: { list: [true] } })
  })

  test('is the text of the document in files of rows', async () => {
    const rows = ['{"a":[1,"ü"]}', '"text"', '12.5', 'false', '[]', 'null'].map(
      (one) => `"file","${one.replaceAll('"', '""')}"`,
    )
    const job = await ingest(
      o,
      { operation: 'insert', object: 'Theme__c' },
      `Name,Settings__c\n${rows.join('\n')}\n"file","no json"\n`,
    )
    assert.equal(job.numberRecordsFailed, 1)
    const found = await fetchRecords(o, "SELECT Settings__c FROM Theme__c WHERE Name = 'file' ORDER BY Id")
    assert.deepEqual(
      found.map((one) => one.Settings__c),
      [{ a: [1, 'ü'] }, 'text', 12.5, false, [], null],
    )
    const query = "SELECT Settings__c FROM Theme__c WHERE Name = 'file' ORDER BY Id"
    const { id } = await createJob(o, { operation: 'query', query }, 'query')
    await untilOver(o, id, 'query')
    const lines = (await o.call('GET', `/jobs/query/${id}/results`)).text.trim().split('\n').slice(1)
    assert.deepEqual(
      lines.map((line) => JSON.parse(line.slice(1, -1).replaceAll('""', '"') || 'null')),
      found.map((one) => one.Settings__c),
    )
  })

  test('is a text of JSON in GraphQL, in both directions', async () => {
    const created = await fetchUiapi(
      o,
      `mutation { uiapi { Theme__cCreate(input: { Theme__c: { Name: "graph", Settings__c: "{\\"a\\": [1]}" } }) {
         Record { Id Settings__c { value } } } } }`,
    )
    const { Id, Settings__c } = created.Theme__cCreate.Record
    assert.deepEqual(JSON.parse(Settings__c.value), { a: [1] })
    assert.deepEqual(await read(Id), { a: [1] })
    const refused = await o.call('POST', '/graphql', {
      body: {
        query: `mutation { uiapi { Theme__cUpdate(input: { Id: "${Id}", Theme__c: { Settings__c: "no json" } }) { success } } }`,
      },
    })
    assert.match(
      refused.body.errors[0].message,
      /^Cannot deserialize instance of json from VALUE_STRING value no json /,
    )
    const changed = await fetchUiapi(
      o,
      `mutation { uiapi { Theme__cUpdate(input: { Id: "${Id}", Theme__c: { Settings__c: "null" } }) { success } } }`,
    )
    assert.equal(changed.Theme__cUpdate.success, true)
    assert.equal(await read(Id), null)
  })
})

describe('a document is refused', () => {
  const refuse = (raw: string) =>
    o.call('POST', '/sobjects/Theme__c', {
      text: `{"Name": "no", "Settings__c": ${raw}}`,
      headers: { 'content-type': 'application/json' },
    })
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`

  for (const [what, raw] of Object.entries({
    'with a NUL': '"a\\u0000b"',
    'with a NUL in a name': '{"a\\u0000": 1}',
    'with half of a character': '["\\ud800"]',
    'with a number beyond the doubles': '[1e400]',
    'of 33 levels': nested(33),
  })) {
    test(what, async () => {
      assertRefused(await refuse(raw), 400, 'JSON_PARSER_ERROR', /^Cannot deserialize instance of json from /)
    })
  }

  test('of more than 131,072 characters', async () => {
    const longest = JSON.stringify('😀'.repeat(131_070))
    assert.equal((await refuse(longest)).status, 201)
    const allDigits = `[${'1e308,'.repeat(430)}1]`
    assert.equal((await refuse(allDigits.replaceAll('1e308', '1e300'))).status, 201)
    for (const raw of [JSON.stringify('😀'.repeat(131_071)), `[${'1,'.repeat(65_536)}1]`, allDigits])
      assertRefused(
        await refuse(raw),
        400,
        'STRING_TOO_LONG',
        'Settings: data value too large (max length=131072)',
        ['Settings__c'],
      )
  })

  test('and one of 32 levels is taken, whose numbers are the nearest doubles', async () => {
    const answer = await refuse(nested(32).replace('1', '12345678901234567890'))
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual(await read(answer.body.id), JSON.parse(nested(32).replace('1', '12345678901234567000')))
  })
})

describe('a condition on a member of a document', () => {
  const documents: Record<string, unknown> = {
    dark: { theme: 'dark', size: 12, on: true, address: { city: 'Berlin', 'post code': '10115' } },
    light: { theme: 'light', size: '12', on: false, address: { city: null } },
    list: ['dark'],
    text: 'dark',
    numbers: { large: Number('12345678901234567890'), fine: 0.1, '0': 'named' },
    none: null,
  }
  let ids: Record<string, string>

  before(async () => {
    ids = {}
    for (const [name, one] of Object.entries(documents))
      ids[name] = await o.create('Theme__c', { Name: `member ${name}`, Settings__c: one })
  })

  const find = async (condition: string) => {
    const found = await fetchRecords(
      o,
      `SELECT Name FROM Theme__c WHERE Name LIKE 'member %' AND (${condition}) ORDER BY Id`,
    )
    return found.map(({ Name }) => String(Name).slice('member '.length)).join()
  }

  for (const [condition, expected] of Object.entries({
    "Settings__c->theme = 'dark'": 'dark',
    "Settings__c->theme = 'Dark'": '',
    "Settings__c->Theme = 'dark'": '',
    "Settings__c->theme != 'dark'": 'light,list,text,numbers,none',
    "NOT Settings__c->theme = 'dark'": 'light,list,text,numbers,none',
    'Settings__c->size = 12': 'dark',
    'Settings__c->size = 12.00': 'dark',
    "Settings__c->size = '12'": 'light',
    'Settings__c->on = TRUE': 'dark',
    'Settings__c->on <> false': 'dark,list,text,numbers,none',
    "Settings__c->address->city = 'Berlin'": 'dark',
    "Settings__c -> address -> 'post code' = '10115'": 'dark',
    'Settings__c->address->city = null': 'light,list,text,numbers,none',
    'Settings__c->address->city != null': 'dark',
    "Settings__c->theme = 'dark' OR Settings__c->theme = 'light'": 'dark,light',
    "Theme__c.Settings__c->theme = 'light'": 'light',
    "Settings__c->theme = '\\'; DROP'": '',
    'Settings__c->large = 12345678901234567890': 'numbers',
    'Settings__c->fine = 0.10000000000000000001': 'numbers',
    "Settings__c->'0' = 'dark'": '',
    "Settings__c->'-1' = 'dark'": '',
    "Settings__c->'0' = 'named'": 'numbers',
    [`Settings__c${'->deep'.repeat(32)} = 'dark'`]: '',
  })) {
    test(`finds what it says: ${condition}`, async () => {
      assert.equal(await find(condition), expected)
    })
  }

  for (const [condition, code] of Object.entries({
    "Name->theme = 'dark'": 'INVALID_FIELD',
    "Nothing__c->theme = 'dark'": 'INVALID_FIELD',
    'Settings__c->theme = TODAY': 'INVALID_FIELD',
    "Settings__c->theme > 'dark'": 'MALFORMED_QUERY',
    "Settings__c->theme LIKE 'dark'": 'MALFORMED_QUERY',
    "Settings__c->theme IN ('dark')": 'MALFORMED_QUERY',
    "Settings__c->1 = 'dark'": 'MALFORMED_QUERY',
    "Settings__c-> = 'dark'": 'MALFORMED_QUERY',
    'Settings__c->theme': 'MALFORMED_QUERY',
    [`Settings__c${'->deep'.repeat(33)} = 'dark'`]: 'MALFORMED_QUERY',
  })) {
    test(`is refused: ${condition}`, async () => {
      assert.equal((await fetchRefusal(o, `SELECT Id FROM Theme__c WHERE ${condition}`)).code, code)
    })
  }

  test('needs the right to read the field', async () => {
    const person = await addPerson(o, 'reader')
    await allow(o, person.setId, 'Theme__c', 'Read')
    const asked = () =>
      person.call('GET', queryPath("SELECT Id FROM Theme__c WHERE Settings__c->theme = 'dark'"))
    assert.equal((await asked()).body[0].errorCode, 'INVALID_FIELD')
    await allowField(o, person.setId, 'Theme__c.Settings__c')
    assert.equal((await asked()).status, 200)
  })
})

describe('a field of documents', () => {
  test('is described as a value of any kind, which queries neither filter nor sort', async () => {
    const { fields } = (await o.call('GET', '/sobjects/Theme__c/describe')).body
    const { type, soapType, length, filterable, sortable, groupable } = fields.find(
      ({ name }: { name: string }) => name === 'Settings__c',
    )
    assert.deepEqual(
      { type, soapType, length, filterable, sortable, groupable },
      {
        type: 'anyType',
        soapType: 'xsd:anyType',
        length: 131_072,
        filterable: false,
        sortable: false,
        groupable: false,
      },
    )
    const { code } = await fetchRefusal(o, "SELECT Id FROM Theme__c WHERE Settings__c = 'dark'")
    assert.equal(code, 'INVALID_FIELD')
    assert.equal((await o.call('GET', queryPath('SELECT Id FROM Theme__c ORDER BY Settings__c'))).status, 400)
  })

  test('is written in definition files, and keeps its values when its label changes', async () => {
    const id = await create({ kept: true })
    const renamed = {
      Theme__c: { fields: { Settings__c: { ...OBJECTS.Theme__c.fields.Settings__c, label: 'Look' } } },
    }
    await fetchPlan(o, renamed)
    const deployed = await deploy(o, renamed)
    assert.equal(deployed.status, 200, deployed.text)
    assert.deepEqual(await read(id), { kept: true })
    await deploy(o, OBJECTS)
  })

  test('is its text where a query asks for a label or the form for people', async () => {
    const id = await create({ theme: 'dark' })
    for (const shown of ['toLabel(Settings__c)', 'FORMAT(Settings__c)']) {
      const [record] = await fetchRecords(o, `SELECT ${shown} FROM Theme__c WHERE Id = '${id}'`)
      assert.equal(record!.Settings__c, '{"theme":"dark"}')
    }
  })

  test('says in the history that it changed, and not the documents', async () => {
    const id = await create({ a: 1, b: 2 })
    const change = (Settings__c: unknown) =>
      o.call('PATCH', `/sobjects/Theme__c/${id}`, { body: { Settings__c } })
    await change({ b: 2, a: 1 })
    await change({ a: 2 })
    const history = await fetchRecords(
      o,
      `SELECT OldValue, NewValue FROM Theme__History WHERE ParentId = '${id}' AND Field = 'Settings__c'`,
    )
    assert.deepEqual(
      history.map(({ OldValue, NewValue }) => [OldValue, NewValue]),
      [[null, null]],
    )
  })
})

describe('a trigger', () => {
  const TRIGGER = `
const change = (changes) => {
  for (const { record } of changes) {
    const { Settings__c: document } = record
    if (document?.add !== undefined) document.added = { to: document.add }
    if (record.Name === 'copy') record.Copy__c = document
    if (record.Name === 'touch') document.touched = true
  }
}
export default {
  object: 'Theme__c',
  beforeInsert: change,
  beforeUpdate(changes) {
    change(changes)
    for (const { old, addError } of changes)
      if (old.Settings__c.touched) addError('What was there before has changed')
  },
}`
  let t: TestOrg

  before(async () => {
    t = await openOrg({ triggers: await triggersFrom({ 'change.js': TRIGGER }) })
    const fields = { Settings__c: { type: 'json' }, Copy__c: { type: 'json' } } as const
    const deployed = await deploy(t, { Theme__c: { fields } })
    assert.equal(deployed.status, 200, deployed.text)
  })

  const readAll = async (id: string) => {
    const { Settings__c, Copy__c } = (await t.call('GET', `/sobjects/Theme__c/${id}`)).body
    return { Settings__c, Copy__c }
  }

  test('before a write is handed the document, and not its text', async () => {
    for (const one of [{ a: [1] }, 'text', '"quoted"', 5, false, null]) {
      const id = await t.create('Theme__c', { Name: 'copy', Settings__c: one })
      assert.deepEqual(await readAll(id), { Settings__c: one, Copy__c: one })
    }
  })

  test('may change a document in place: one that is written, and one that is stored', async () => {
    const id = await t.create('Theme__c', { Name: 'new', Settings__c: { add: 1 } })
    assert.deepEqual((await readAll(id)).Settings__c, { add: 1, added: { to: 1 } })
    const touched = await t.call('PATCH', `/sobjects/Theme__c/${id}`, { body: { Name: 'touch' } })
    assert.equal(touched.status, 204, touched.text)
    assert.deepEqual((await readAll(id)).Settings__c, { add: 1, added: { to: 1 }, touched: true })
  })
})
