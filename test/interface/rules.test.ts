import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { loadTriggers } from '../../src/automation/triggers/load-triggers.ts'
import { sql } from '../../src/base/sql.ts'
import { loadDefinitions } from '../../src/definitions/files/load-definitions.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/** How often the rules loaded what they need. */
const loads: number[] = []
Object.assign(globalThis, { loads })

const FILES = {
  'objects/Trip__c.yaml': `
fields:
  Start__c: { type: date }
  End__c: { type: date }
  Account__c: { type: reference, to: Account }
  Days__c: { type: int, computed: true }
  Title__c: { type: string, computed: true }
`,
  'objects/Trip__c.ts': `
    export default {
      async load(records: any[], org: any) {
        (globalThis as any).loads.push(records.length)
        const ids = [...new Set(records.map((record) => record.Account__c).filter(Boolean))]
        const accounts = ids.length === 0 ? [] : await org.query(
          \`SELECT Id, Name FROM Account WHERE Id IN (\${ids.map((id) => "'" + id + "'").join(',')})\`)
        return new Map(accounts.map((account: any) => [account.Id, account.Name]))
      },
      computed: {
        Days__c: ({ Start__c, End__c }: any) =>
          Start__c && End__c ? (Date.parse(End__c) - Date.parse(Start__c)) / 86_400_000 : undefined,
        Title__c: ({ Name, Account__c }: any, names: Map<string, string>) => Name + ' of ' + (names.get(Account__c) ?? 'nobody'),
      },
      validations: {
        Order: { refuse: ({ Days__c }: any) => Days__c < 0, message: 'The end is before the start', field: 'End__c' },
        Kept: {
          refuse: (record: any, old: any) => old !== undefined && old.Start__c !== null && record.Start__c === null,
          message: (record: any, old: any) => 'The start was ' + old.Start__c,
        },
        Fails: { refuse: ({ Name }: any) => { if (Name === 'fails') throw new Error('on purpose'); return false }, message: 'x' },
      },
    }`,
  'triggers/trip.ts': `
    export default {
      object: 'Trip__c',
      beforeInsert(changes: any[]) {
        for (const { record } of changes) if (record.Start__c === null && record.Name !== 'bare') record.Start__c = '2024-01-01'
      },
    }`,
}

describe('the rules of an object', () => {
  let o: TestOrg
  let account: string

  before(async () => {
    const deployment = writeDeployment(FILES)
    o = await openOrg({ triggers: await loadTriggers(deployment) })
    await fetchSteps(o, loadDefinitions(deployment).files.objects)
    account = await o.create('Account', { Name: 'Acme' })
  })

  const fetchFields = async (id: string) =>
    (await fetchRecords(o, `SELECT Start__c, Days__c, Title__c FROM Trip__c WHERE Id = '${id}'`))[0]

  test('compute fields on create, after what triggers filled in', async () => {
    const id = await o.create('Trip__c', { Name: 'Spring', End__c: '2024-01-04', Account__c: account })
    assert.deepEqual(await fetchFields(id), {
      Start__c: '2024-01-01',
      Days__c: 3,
      Title__c: 'Spring of Acme',
    })
  })

  test('compute fields again on update, and null where nothing comes of it', async () => {
    const id = await o.create('Trip__c', { Name: 'Summer', End__c: '2024-01-04' })
    await o.call('PATCH', `/sobjects/Trip__c/${id}`, { body: { End__c: null } })
    assert.deepEqual(await fetchFields(id), {
      Start__c: '2024-01-01',
      Days__c: null,
      Title__c: 'Summer of nobody',
    })
  })

  test('make fields that queries filter by, and that clients cannot write', async () => {
    const id = await o.create('Trip__c', { Name: 'Autumn', End__c: '2024-01-11' })
    assert.deepEqual(
      (await fetchRecords(o, 'SELECT Id FROM Trip__c WHERE Days__c > 9')).map(({ Id }) => Id),
      [id],
    )
    const answer = await o.call('PATCH', `/sobjects/Trip__c/${id}`, { body: { Days__c: 1 } })
    assertRefused(answer, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /Days__c/, ['Days__c'])
    const { body } = await o.call('GET', '/sobjects/Trip__c/describe')
    const field = body.fields.find(({ name }: { name: string }) => name === 'Days__c')
    assert.deepEqual([field.calculated, field.createable, field.updateable], [true, false, false])
  })

  test('refuse a record with the message, on the field that they name', async () => {
    const answer = await o.call('POST', '/sobjects/Trip__c', { body: { Name: 'Back', End__c: '2023-12-01' } })
    assertRefused(answer, 400, 'FIELD_CUSTOM_VALIDATION_EXCEPTION', 'The end is before the start', ['End__c'])
  })

  test('know what a record was, and may say it', async () => {
    const id = await o.create('Trip__c', { Name: 'Kept' })
    const answer = await o.call('PATCH', `/sobjects/Trip__c/${id}`, { body: { Start__c: null } })
    assertRefused(answer, 400, 'FIELD_CUSTOM_VALIDATION_EXCEPTION', 'The start was 2024-01-01')
  })

  test('run once for a list, and refuse only the records that they are about', async () => {
    loads.length = 0
    const records = Array.from({ length: 200 }, (_, n) => ({
      attributes: { type: 'Trip__c' },
      Name: `Trip ${n}`,
      End__c: n === 7 ? '2023-01-01' : '2024-01-02',
      Account__c: account,
    }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { allOrNone: false, records } })
    const refused = body.flatMap((result: { success: boolean }, n: number) => (result.success ? [] : [n]))
    assert.deepEqual(refused, [7])
    // Once for all, and once more without the one that was refused.
    assert.deepEqual(loads, [200, 199])
  })

  test('compute records that were there before them, part by part', async () => {
    const table = sql.id(o.org.schemaName, 'trip__c')
    const records = Array.from({ length: 200 }, (_, n) => ({
      attributes: { type: 'Trip__c' },
      Name: `Old ${n}`,
      End__c: '2024-01-03',
    }))
    await o.call('POST', '/composite/sobjects', { body: { records } })
    await o.db.query(sql`update ${table} set days__c = null, title__c = null`)
    const wrong = await o.create('Trip__c', { Name: 'Wrong', End__c: '2024-01-03' })
    await o.db.query(sql`update ${table} set end__c = '2023-01-01' where id = ${wrong}`)
    const part = async (after?: string) => {
      const { status, body } = await o.call('POST', '/setup/orgs/current/recompute', {
        body: { object: 'Trip__c', after },
      })
      assert.equal(status, 200)
      return body
    }
    const refused: unknown[] = []
    const sizes: number[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const body = await part(next === '' ? undefined : next)
      sizes.push(body.records)
      refused.push(...body.refused)
      next = body.next
    }
    assert.deepEqual(refused, [{ id: wrong, message: 'The end is before the start' }])
    assert.deepEqual(sizes.slice(0, 2), [200, 200])
    const [{ Days__c, Title__c }] = (await fetchRecords(
      o,
      "SELECT Days__c, Title__c FROM Trip__c WHERE Name = 'Old 7'",
    )) as [Record<string, unknown>]
    assert.deepEqual([Days__c, Title__c], [2, 'Old 7 of nobody'])
    for (const body of [{}, { object: 'Nope' }, { object: 'Trip__c', after: 'x' }]) {
      const { status } = await o.call('POST', '/setup/orgs/current/recompute', { body })
      assert.ok(status === 400 || status === 404)
    }
  })

  test('that fail refuse the list and tell where', async () => {
    const answer = await o.call('POST', '/sobjects/Trip__c', { body: { Name: 'fails' } })
    assertRefused(answer, 400, 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', /on purpose[\s\S]*line \d+/)
  })
})

describe('rules that cannot be used stop the start:', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      'a computed field without a function',
      { 'objects/A__c.yaml': 'fields: { B__c: { type: int, computed: true } }' },
      /Nothing computes A__c\.B__c: write objects\/A__c\.ts/,
    ],
    [
      'a function for a field that is not computed',
      {
        'objects/A__c.yaml': 'fields: { B__c: { type: int } }',
        'objects/A__c.ts': 'export default { computed: { B__c: () => 1 } }',
      },
      /compute B__c, which A__c does not have as a computed field; write computed: true/,
    ],
    [
      'no default export',
      { 'objects/A__c.ts': 'export const a = 1' },
      /have no default export; write: export default/,
    ],
    [
      'a member that means nothing',
      { 'objects/A__c.ts': 'export default { compute: {} }' },
      /have compute, which is none of load, computed, validations/,
    ],
    [
      'a validation without a message',
      { 'objects/A__c.ts': 'export default { validations: { X: { refuse() {} } } }' },
      /a validation X without a message/,
    ],
    [
      'a validation without a predicate',
      { 'objects/A__c.ts': "export default { validations: { X: { message: 'x' } } }" },
      /a validation X without a function refuse/,
    ],
    [
      'a file that cannot be read',
      { 'objects/A__c.ts': 'export default {' },
      /The rules .*A__c\.ts cannot be loaded/,
    ],
  ]
  for (const [what, files, message] of cases) {
    test(what, async () => {
      await assert.rejects(loadTriggers(writeDeployment(files)), message)
    })
  }
})
