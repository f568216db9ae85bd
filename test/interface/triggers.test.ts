import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { fetchRecords, fetchResult } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { WITH_DATABASE_TRIGGERS } from '../support/engine.ts'
import { letFail, NOT_NOW } from '../support/failing-table.sql.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/** Observations of triggers, as they report them. */
const seen: unknown[] = []
Object.assign(globalThis, { seen })

const FILES = {
  /** Tells every event of accounts and contacts, with how many records it had. */
  'a-tell.ts': `
    const tell = (event: string) => (changes: any[]) => { (globalThis as any).seen.push([event, changes.map(({ record, old }) => [old?.Name, record?.Name])]) }
    export default {
      object: 'account',
      beforeInsert: tell('beforeInsert'), afterInsert: tell('afterInsert'),
      beforeUpdate: tell('beforeUpdate'), afterUpdate: tell('afterUpdate'),
      beforeDelete: tell('beforeDelete'), afterDelete: tell('afterDelete'),
    }`,
  'b-contacts.ts': `
    export default {
      object: 'Contact',
      beforeInsert(changes: any[]) { (globalThis as any).seen.push(['contacts', changes.length]) },
    }`,
  /** Fills, forbids, and counts on what was before. */
  'c-rules.ts': `
    export default {
      object: 'Account',
      beforeInsert(changes: any[]) {
        for (const { record, addError } of changes) {
          if (record.Name === null) record.Name = 'filled'
          if (record.Site === 'upper') record.Name = record.Name.toUpperCase()
          if (record.Site === 'forbidden') addError('Site', 'this site is closed')
          if (record.Site === 'twice') { addError('first'); addError('second') }
          if (record.Site === 'wrong kind') record.NumberOfEmployees = 'many'
          if (record.Site === 'no field') record.Nope = 1
          if (record.Site === 'id') record.Id = '001'
          if (record.Site === 'too long') record.Name = 'x'.repeat(300)
        }
      },
      beforeUpdate(changes: any[]) {
        for (const { record, old, addError } of changes) {
          if (old.Phone !== null && record.Phone === null) addError('Phone', 'a phone stays')
          if (record.Phone !== old.Phone) record.Fax = old.Phone
        }
      },
      beforeDelete(changes: any[]) {
        for (const { old, addError } of changes) if (old.Site === 'kept') addError('this one is kept')
      },
    }`,
  'd-throws.ts': `
    export default {
      object: 'Account',
      afterInsert(changes: any[]) {
        for (const { record, addError } of changes) {
          if (record.Site === 'throws') throw new TypeError('on purpose')
          if (record.Site === 'after') addError('seen too late')
          if (record.Site === 'frozen') record.Name = 'x'
        }
      },
    }`,
  /** Writes other records, in lists. */
  'e-house.ts': `
    export default {
      object: 'House__c',
      async afterInsert(changes: any[], org: any) {
        const rooms = await org.create('Room__c', changes.map(({ record }) => ({ Name: 'Hall', House__c: record.Id, Door__c: 'd ' + record.Name })))
        await org.update('Room__c', rooms.map(({ id }: any) => ({ Id: id, Name: 'Great hall' })))
        await org.upsert('Room__c', 'Door__c', changes.flatMap(({ record }) => [
          { Door__c: 'd ' + record.Name, Mark__c: 'm' }, { Door__c: 'e ' + record.Name, Name: 'Attic', House__c: record.Id } ]))
        for (const { record } of changes) {
          const found = await org.query("SELECT Id, Name FROM Room__c WHERE House__c = '" + record.Id + "' ORDER BY Name")
          ;(globalThis as any).seen.push(found.map(({ Name }: any) => Name))
        }
        const attics = await org.query("SELECT Id FROM Room__c WHERE Name = 'Attic'")
        await org.delete('Room__c', attics.map(({ Id }: any) => Id))
      },
    }`,
  'f-room.ts': `
    export default {
      object: 'Room__c',
      async beforeInsert(changes: any[], org: any) {
        const taken = await org.create('Chair__c', [{ Name: 'nowhere' }], { allOrNone: false })
        ;(globalThis as any).seen.push(taken[0].errors[0].errorCode)
        if (changes[0].record.Mark__c === 'fails') await org.create('Chair__c', [{ Name: 'nowhere' }])
      },
    }`,
  'g-ring.ts': `
    export default {
      object: 'Chair__c',
      async afterInsert(changes: any[], org: any) {
        await org.create('Chair__c', changes.map(({ record }) => ({ Name: record.Name, Room__c: record.Room__c })))
      },
    }`,
}

let o: TestOrg

before(async () => {
  o = await openOrg({ triggers: await triggersFrom(FILES) })
  await o.deploy(HIERARCHY_SCHEMA)
})

beforeEach(() => {
  seen.length = 0
})

const create = (fields: object) => o.call('POST', '/sobjects/Account', { body: fields })
const failed = (trigger: string, event: string, cause: string) =>
  new RegExp(
    `^${trigger}: execution of ${event}\n\ncaused by: ${cause}\n\nTrigger\\.${trigger}: line \\d+, column \\d+$`,
  )
const account = (fields: object) => ({ attributes: { type: 'Account' }, ...fields })
const collection = async (records: object[], allOrNone = false) =>
  (await o.call('POST', '/composite/sobjects', { body: { allOrNone, records: records.map(account) } })).body

describe('triggers', () => {
  test('run before and after each write, in the order of their names, and see old and new', async () => {
    const id = await o.create('Account', { Name: 'T1' })
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'T2' } })
    await o.call('DELETE', `/sobjects/Account/${id}`)
    assert.deepEqual(seen, [
      ['beforeInsert', [[undefined, 'T1']]],
      ['afterInsert', [[undefined, 'T1']]],
      ['beforeUpdate', [['T1', 'T2']]],
      ['afterUpdate', [['T1', 'T2']]],
      ['beforeDelete', [['T2', undefined]]],
      ['afterDelete', [['T2', undefined]]],
    ])
  })

  test('may change a record before it is written, and fill what is required', async () => {
    const filled = await o.create('Account', { Site: 'x' })
    const upper = await o.create('Account', { Name: 'loud', Site: 'upper' })
    assert.deepEqual(
      await fetchRecords(o, `SELECT Name FROM Account WHERE Id IN ('${filled}', '${upper}') ORDER BY Name`),
      [{ Name: 'filled' }, { Name: 'LOUD' }],
    )
  })

  test('see what a change leaves alone, and may compare with what was', async () => {
    const id = await o.create('Account', { Name: 'Phones', Phone: '1' })
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Phone: '2' } })
    assert.deepEqual(await fetchRecords(o, `SELECT Phone, Fax FROM Account WHERE Id = '${id}'`), [
      { Phone: '2', Fax: '1' },
    ])
    const refused = await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Phone: null } })
    assertRefused(refused, 400, 'FIELD_CUSTOM_VALIDATION_EXCEPTION', 'a phone stays', ['Phone'])
  })

  test('refuse a record with the errors that they put on it, and nothing is written', async () => {
    assertRefused(
      await create({ Name: 'no', Site: 'forbidden' }),
      400,
      'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      'this site is closed',
      ['Site'],
    )
    const { status, body } = await create({ Name: 'no', Site: 'twice' })
    assert.equal(status, 400)
    assert.deepEqual(
      body.map(({ message }: { message: string }) => message),
      ['first', 'second'],
    )
    assertRefused(
      await create({ Name: 'no', Site: 'after' }),
      400,
      'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      'seen too late',
    )
    assert.equal((await fetchResult(o, "SELECT COUNT() FROM Account WHERE Name = 'no'")).totalSize, 0)
    const kept = await o.create('Account', { Name: 'kept', Site: 'kept' })
    assertRefused(
      await o.call('DELETE', `/sobjects/Account/${kept}`),
      400,
      'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      'this one is kept',
    )
    assert.equal((await o.call('GET', `/sobjects/Account/${kept}`)).status, 200)
  })

  test('that throw are reported by name, event, cause and location, and nothing is written', async () => {
    assertRefused(
      await create({ Name: 'no', Site: 'throws' }),
      400,
      'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      failed('d-throws', 'AfterInsert', 'TypeError: on purpose'),
    )
    assertRefused(
      await create({ Name: 'no', Site: 'frozen' }),
      400,
      'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      failed(
        'd-throws',
        'AfterInsert',
        "TypeError: Cannot assign to read only property 'Name' of object '#<Object>'",
      ),
    )
    assert.equal((await fetchResult(o, "SELECT COUNT() FROM Account WHERE Name = 'no'")).totalSize, 0)
  })

  test('may not set what a record cannot have', async () => {
    for (const [site, code, message] of [
      [
        'wrong kind',
        'INVALID_FIELD',
        'A trigger set NumberOfEmployees on Account to a value that is not a int',
      ],
      ['no field', 'INVALID_FIELD', 'A trigger may not set Nope on Account'],
      ['id', 'INVALID_FIELD', 'A trigger may not set Id on Account'],
      ['too long', 'STRING_TOO_LONG', /^Account Name: data value too large/],
    ] as const) {
      const { status, body } = await create({ Name: 'x', Site: site })
      assert.equal(status, 400, site)
      assert.equal(body[0].errorCode, code)
      if (typeof message === 'string') assert.equal(body[0].message, message)
      else assert.match(body[0].message, message)
    }
  })

  test('are handed the records of a collection as one list; what they refuse is taken out and the others are written', async () => {
    const body = await collection([
      { Name: 'L1' },
      { Name: 'L2', Site: 'forbidden' },
      { Name: 'L3', Site: 'after' },
      { Name: 'L4', Site: 'upper' },
    ])
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false, false, true],
    )
    assert.deepEqual(seen[0], [
      'beforeInsert',
      [
        [undefined, 'L1'],
        [undefined, 'L2'],
        [undefined, 'L3'],
        [undefined, 'L4'],
      ],
    ])
    assert.deepEqual(seen.at(-1), [
      'afterInsert',
      [
        [undefined, 'L1'],
        [undefined, 'L4'],
      ],
    ])
    assert.deepEqual(await fetchRecords(o, "SELECT Name FROM Account WHERE Name LIKE 'L_' ORDER BY Name"), [
      { Name: 'L1' },
      { Name: 'L4' },
    ])
  })

  test('that throw refuse every record of their list', async () => {
    const body = await collection([{ Name: 'M1' }, { Name: 'M2', Site: 'throws' }])
    for (const { errors } of body) assert.equal(errors[0].statusCode, 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY')
    assert.equal((await fetchResult(o, "SELECT COUNT() FROM Account WHERE Name LIKE 'M_'")).totalSize, 0)
  })

  test('see an object tree level by level: all roots, then all second-level records of one type', async () => {
    const branch = (n: number, name: string) => ({
      attributes: { type: 'Account', referenceId: `a${n}` },
      Name: `${name} ${n}`,
      Contacts: {
        records: [0, 1].map((c) => ({
          attributes: { type: 'Contact', referenceId: `c${n}${c}` },
          LastName: 'x',
        })),
      },
      ChildAccounts: {
        records: [{ attributes: { type: 'Account', referenceId: `s${n}` }, Name: `sub ${n}` }],
      },
    })
    const answer = await o.call('POST', '/composite/tree/Account', {
      body: { records: [branch(1, 'root'), branch(2, 'root')] },
    })
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual(seen, [
      [
        'beforeInsert',
        [
          [undefined, 'root 1'],
          [undefined, 'root 2'],
        ],
      ],
      [
        'afterInsert',
        [
          [undefined, 'root 1'],
          [undefined, 'root 2'],
        ],
      ],
      ['contacts', 4],
      [
        'beforeInsert',
        [
          [undefined, 'sub 1'],
          [undefined, 'sub 2'],
        ],
      ],
      [
        'afterInsert',
        [
          [undefined, 'sub 1'],
          [undefined, 'sub 2'],
        ],
      ],
    ])
  })

  test('run for an upsert as for what it does', async () => {
    await o.deploy([
      {
        name: 'Account',
        label: 'Account',
        labelPlural: 'Accounts',
        keyPrefix: '001',
        fields: [
          { name: 'Key__c', label: 'Key', type: 'string', length: 20, externalId: true, unique: true },
        ],
      },
    ])
    await o.call('PATCH', '/sobjects/Account/Key__c/k', { body: { Name: 'U1' } })
    const { status } = await o.call('PATCH', '/sobjects/Account/Key__c/k', {
      body: { Name: 'U2', Phone: '1' },
    })
    assert.equal(status, 200)
    assert.deepEqual(
      seen.map((event) => (event as string[])[0]),
      ['beforeInsert', 'afterInsert', 'beforeUpdate', 'afterUpdate'],
    )
  })
})

describe('a trigger that works in the org', () => {
  test('reads and writes lists in the transaction of the call, and its writes start triggers too', async () => {
    const id = await o.create('House__c', { Name: 'Manor' })
    assert.deepEqual(seen, ['REQUIRED_FIELD_MISSING', 'REQUIRED_FIELD_MISSING', ['Attic', 'Great hall']])
    assert.deepEqual(await fetchRecords(o, `SELECT Name, Mark__c FROM Room__c WHERE House__c = '${id}'`), [
      { Name: 'Great hall', Mark__c: 'm' },
    ])
  })

  test('whose own write fails fails with it, and everything is rolled back', async () => {
    const house = await o.create('House__c', { Name: 'Hut' })
    const refused = await o.call('POST', '/sobjects/Room__c', {
      body: { Name: 'r', House__c: house, Mark__c: 'fails' },
    })
    assertRefused(
      refused,
      400,
      'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      /^f-room: execution of BeforeInsert\n\ncaused by: REQUIRED_FIELD_MISSING, Required fields are missing: \[Room__c\]/,
    )
    assert.equal((await fetchResult(o, "SELECT COUNT() FROM Room__c WHERE Name = 'r'")).totalSize, 0)
  })

  test('is stopped when it starts itself over and over', async () => {
    const house = await o.create('House__c', { Name: 'Tower' })
    const [{ Id: room }] = (await fetchRecords(o, `SELECT Id FROM Room__c WHERE House__c = '${house}'`)) as [
      { Id: string },
    ]
    const refused = await o.call('POST', '/sobjects/Chair__c', { body: { Name: 'ring', Room__c: room } })
    assertRefused(
      refused,
      400,
      'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      /^Maximum trigger depth exceeded: triggers have started each other 16 times/,
    )
    assert.equal((await fetchResult(o, "SELECT COUNT() FROM Chair__c WHERE Name = 'ring'")).totalSize, 0)
  })
})

describe('a trigger file that cannot be used stops the start, and says what to write', () => {
  for (const [what, text, message] of [
    [
      'without a default export',
      'export const x = 1',
      /broken\.ts has no default export; write: export default \{ object/,
    ],
    ['without an object', 'export default {}', /does not say its object; write: object: 'Account'/],
    ['without a handler', "export default { object: 'Account' }", /does nothing; it may have beforeInsert/],
    [
      'with an unknown event',
      "export default { object: 'Account', onInsert() {} }",
      /has onInsert, which is none of beforeInsert/,
    ],
    [
      'with a handler that is none',
      "export default { object: 'Account', beforeInsert: 1 }",
      /has a beforeInsert that is no function/,
    ],
    ['that is no TypeScript', 'export default {', /broken\.ts cannot be loaded: /],
    [
      'that throws when it is read',
      "throw new Error('too early')",
      /broken\.ts cannot be loaded: Error: too early/,
    ],
  ] as const) {
    test(what, () => assert.rejects(triggersFrom({ 'broken.ts': text }), { message }))
  }

  test('while other files are left alone', async () => {
    const triggers = await triggersFrom({
      'notes.md': 'x',
      'types.d.ts': 'x',
      'a.ts': "export default { object: 'Account', beforeInsert() {} }",
    })
    assert.ok(triggers.listens('Account', 'beforeInsert'))
    assert.ok(!triggers.listens('Account', 'afterInsert'))
  })
})

describe('a trigger that throws an error of something other than the database', () => {
  const KINDS: Readonly<Record<string, { readonly code: string; readonly cause: string }>> = {
    'a missing file': {
      code: "readFileSync('/nonexistent')",
      cause: "Error: ENOENT: no such file or directory, open '/nonexistent'",
    },
    'a service that does not answer': {
      code: "throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })",
      cause: 'Error: connect',
    },
    'another database that stops': {
      code: "throw Object.assign(new Error('stopping'), { code: '57P01' })",
      cause: 'Error: stopping',
    },
    'a lock in another database': {
      code: "throw Object.assign(new Error('locked'), { code: '40P01' })",
      cause: 'Error: locked',
    },
    'a connection to another database that is lost': {
      code: "throw new Error('Connection terminated unexpectedly')",
      cause: 'Error: Connection terminated unexpectedly',
    },
  }
  let own: TestOrg

  before(async () => {
    const cases = Object.entries(KINDS).map(
      ([name, { code }]) => `if (record.Name === '${name}') { ${code} }`,
    )
    own = await openOrg({
      triggers: await triggersFrom({
        'elsewhere.ts': `
          import { readFileSync } from 'node:fs'
          export default {
            object: 'Account',
            afterInsert(changes: any[]) {
              for (const { record } of changes) {
                ${cases.join('\n')}
              }
            },
          }`,
      }),
    })
  })

  for (const [name, { cause }] of Object.entries(KINDS)) {
    test(`such as ${name}, is refused as a failure of the trigger, and nothing is written`, async () => {
      const answer = await own.call('POST', '/sobjects/Account', { body: { Name: name } })
      const message = failed('elsewhere', 'AfterInsert', cause)
      assertRefused(answer, 400, 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', message)
      assert.equal(answer.headers['retry-after'], undefined)
      assert.deepEqual(await fetchRecords(own, `SELECT Id FROM Account WHERE Name = '${name}'`), [])
    })
  }
})

test(
  'a failure of the database that a trigger wraps in an error of its own is no failure of the trigger',
  WITH_DATABASE_TRIGGERS,
  async () => {
    const own = await openOrg({
      triggers: await triggersFrom({
        'wraps.ts': `
        export default {
          object: 'Contact',
          async beforeInsert(_changes: any[], org: any) {
            try {
              await org.create('Account', [{ Name: 'fail' }])
            } catch (error) {
              throw new Error('no account', { cause: error })
            }
          },
        }`,
      }),
    })
    await letFail(own, 'account', { code: NOT_NOW, at: 'write', times: 1 })
    const create = () => own.call('POST', '/sobjects/Contact', { body: { LastName: 'Moss' } })
    const refused = await create()
    assertRefused(
      refused,
      503,
      'SERVER_UNAVAILABLE',
      'The disk of the database is full: nothing was written.',
    )
    assert.equal(refused.headers['retry-after'], '1')
    assert.deepEqual(await fetchRecords(own, 'SELECT Id FROM Contact'), [])
    assert.equal((await create()).status, 201)
  },
)
