import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { pino } from 'pino'
import { ValueCipher } from '../../src/access/value-cipher.ts'
import { SECRET_KEY_BYTES, SecretBox } from '../../src/auth/keys/secret-box.ts'
import { copyOrg } from '../../src/orgs/snapshots/copy-org.ts'
import { ask, fetchRecords, fetchRefusal, fetchResult, queryPath } from '../support/ask.ts'
import { deploy, fetchPlan, fetchRefusals } from '../support/deploying.ts'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'
import { SECRETS } from '../support/secrets.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'
import { tablesWith } from '../support/tables-with.sql.ts'
import { triggersFrom, writeDeployment } from '../support/trigger-files.ts'
import { deployVaults, storedSecret, storeSecret, VAULT } from '../support/vaults.ts'

const seen: unknown[] = []
Object.assign(globalThis, { seenSecrets: seen })

const TRIGGERS = {
  'vaults.ts': `
    const tell = (changes: any[]) => (globalThis as any).seenSecrets.push(...changes.map(({ old, record }) => [old?.Secret__c, record?.Secret__c]))
    export default {
      object: 'Vault__c',
      beforeInsert(changes: any[]) {
        for (const { record } of changes) if (record.Name === 'filled') record.Secret__c = 'by a trigger'
      },
      afterInsert: tell, beforeUpdate: tell, afterUpdate: tell, beforeDelete: tell, afterUndelete: tell,
    }`,
}

const RESOURCE = "export default { path: '/vault', POST: ({ body }, org) => org.read('Vault__c', body.id) }"

let o: TestOrg

before(async () => {
  o = await openOrg({ deployment: writeDeployment({ 'resources/vault.js': RESOURCE }) })
  await deployVaults(o)
})

const fetchSecret = async (id: string, caller: Pick<TestOrg, 'call'> = o) =>
  (await caller.call('GET', `/sobjects/Vault__c/${id}`)).body.Secret__c

describe('an encrypted value', () => {
  test('is nowhere in the database in plain text, whichever way it was written', async () => {
    const text = 'never to be seen'
    const secret = (more: object = {}) => ({ Secret__c: text, ...more })
    const first = await o.create('Vault__c', secret())
    const attributes = { type: 'Vault__c' }
    const ways: [string, string, object][] = [
      ['PATCH', `/sobjects/Vault__c/${first}`, secret()],
      ['PATCH', '/sobjects/Vault__c/Code__c/new', secret()],
      ['PATCH', '/sobjects/Vault__c/Code__c/new', secret()],
      ['POST', '/composite/sobjects', { records: [secret({ attributes }), secret({ attributes })] }],
      [
        'PATCH',
        '/composite/sobjects',
        { records: [secret({ attributes, id: first }), { attributes, id: first.slice(0, 15), Name: 'x' }] },
      ],
      [
        'PATCH',
        '/composite/sobjects/Vault__c/Code__c',
        { records: [secret({ attributes, Code__c: 'new' }), secret({ attributes, Code__c: 'newer' })] },
      ],
      [
        'POST',
        '/composite/tree/Vault__c',
        { records: [secret({ attributes: { ...attributes, referenceId: 'a' } })] },
      ],
      [
        'POST',
        '/composite',
        {
          compositeRequest: [
            {
              method: 'POST',
              url: '/services/data/v64.0/sobjects/Vault__c',
              referenceId: 'a',
              body: secret(),
            },
          ],
        },
      ],
    ]
    for (const [method, path, body] of ways) {
      const answer = await o.call(method, path, { body })
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    }
    const batch = {
      operation: 'insert',
      object: 'Vault__c',
      records: [secret(), { Secret__c: text.repeat(9) }],
    }
    const imported = await o.call('PUT', '/setup/orgs/current/imports/secrets/batches/1', { body: batch })
    assert.equal(imported.status, 200)
    assert.match(imported.text, /data value too large: \*+ \(max length=40\)/)
    const create = `mutation { uiapi { Vault__cCreate(input: { Vault__c: { Secret__c: "${text}" } }) { Record { Secret__c { value } } } } }`
    const made = await fetchUiapi(o, create)
    assert.equal(made.Vault__cCreate.Record.Secret__c.value, text)
    await o.call('DELETE', `/sobjects/Vault__c/${first}`)
    await saveSnapshot(o, 'secrets')
    const all = await o.call('GET', `/queryAll?q=${encodeURIComponent('SELECT Secret__c FROM Vault__c')}`)
    const values = all.body.records.map((record: { Secret__c: string }) => record.Secret__c)
    assert.ok(values.length >= 9)
    assert.deepEqual([...new Set(values)], [text])
    assert.deepEqual(await tablesWith(o, text), [])
  })

  test('looks different in every record, and after every write', async () => {
    const [a, b] = [
      await o.create('Vault__c', { Secret__c: 'same' }),
      await o.create('Vault__c', { Secret__c: 'same' }),
    ]
    const stored = [await storedSecret(o, a), await storedSecret(o, b)]
    await o.call('PATCH', `/sobjects/Vault__c/${a}`, { body: { Secret__c: 'same' } })
    stored.push(await storedSecret(o, a))
    assert.equal(new Set(stored).size, 3)
    assert.deepEqual([await fetchSecret(a), await fetchSecret(b)], ['same', 'same'])
  })

  test('reads as null in another record, when it was changed, and in a form that is not known', async () => {
    const [a, b] = [
      await o.create('Vault__c', { Secret__c: 'of a' }),
      await o.create('Vault__c', { Secret__c: 'of b' }),
    ]
    const stored = (await storedSecret(o, a))!
    for (const value of [stored, `${stored.slice(0, -2)}AA`, ' v1:', ' v9:abc', ' ']) {
      await storeSecret(o, b, value)
      assert.equal(await fetchSecret(b), null, value)
    }
    const { records } = (await ask(o, `SELECT Id, Secret__c FROM Vault__c WHERE Id = '${b}'`)).body
    assert.equal(records[0].Secret__c, null)
    await o.call('PATCH', `/sobjects/Vault__c/${b}`, { body: { Secret__c: 'mended' } })
    assert.equal(await fetchSecret(b), 'mended')
  })

  test('may be any text, also one that looks encrypted, and is counted in characters', async () => {
    const stored = (await storedSecret(o, await o.create('Vault__c', { Secret__c: 'x' })))!
    for (const text of [stored.trim().slice(0, 40), 'v1:abc', '𝄞'.repeat(40), 'ß"\\\n.', 'x'.repeat(40)]) {
      const id = await o.create('Vault__c', { Secret__c: text })
      assert.equal(await fetchSecret(id), text)
    }
    const long = await o.call('POST', '/sobjects/Vault__c', { body: { Secret__c: 'y'.repeat(41) } })
    assert.equal(long.status, 400)
    assert.equal(long.body[0].errorCode, 'STRING_TOO_LONG')
    assert.equal(long.body[0].message, `Secret: data value too large: ${'*'.repeat(41)} (max length=40)`)
    const empty = await o.create('Vault__c', { Secret__c: '  ' })
    assert.deepEqual([await fetchSecret(empty), await storedSecret(o, empty)], [null, null])
  })

  test('is neither compared nor sorted nor grouped by', async () => {
    for (const [text, message] of [
      ["SELECT Id FROM Vault__c WHERE Secret__c = 'x'", /can not be filtered in a query call/],
      ['SELECT Id FROM Vault__c WHERE Secret__c = null', /can not be filtered in a query call/],
      ["SELECT Id FROM Vault__c WHERE toLabel(Secret__c) LIKE 'x%'", /can not be filtered in a query call/],
      ['SELECT Id FROM Vault__c ORDER BY Secret__c', /can not be sorted in a query call/],
      ['SELECT Secret__c FROM Vault__c GROUP BY Secret__c', /can not be grouped/],
      ['SELECT MAX(Secret__c) FROM Vault__c', /./],
      ['SELECT COUNT(Secret__c) FROM Vault__c', /./],
    ] as const) {
      assert.match((await fetchRefusal(o, text)).message, message, text)
    }
    for (const argument of ['where: { Secret__c: { eq: "x" } }', 'orderBy: { Secret__c: { order: ASC } }']) {
      const { errors } = await sendDocument(
        o,
        `{ uiapi { query { Vault__c(${argument}) { edges { node { Id } } } } } }`,
      )
      assert.equal(errors.length, 1, argument)
    }
  })

  test('is not selected more than a hundred times by one query', async () => {
    const select = (count: number) =>
      `SELECT ${Array.from({ length: count }, (_, at) => `toLabel(Secret__c) s${at}`).join()} FROM Vault__c LIMIT 1`
    assert.equal((await ask(o, select(100))).status, 200)
    assert.equal((await fetchRefusal(o, select(101))).code, 'QUERY_TOO_COMPLICATED')
  })

  test('is not found by its words', async () => {
    await o.create('Vault__c', { Name: 'findme', Secret__c: 'unfindable' })
    const search = async (word: string) =>
      (await o.call('GET', `/search?q=${encodeURIComponent(`FIND {${word}} RETURNING Vault__c(Secret__c)`)}`))
        .body.searchRecords
    assert.deepEqual(await search('unfindable'), [])
    assert.equal((await search('findme'))[0].Secret__c, 'unfindable')
  })
})

describe('a user who reads an encrypted value', () => {
  let outer: string
  let inner: string
  let clerk: Person
  let trusted: Person
  before(async () => {
    outer = await o.create('Vault__c', { Name: 'outer', Secret__c: 'große Sache' })
    inner = await o.create('Vault__c', {
      Name: 'inner',
      Code__c: 'inner',
      Secret__c: 'große Sache',
      Outer__c: outer,
      What__c: outer,
    })
    for (const name of ['clerk', 'trusted']) {
      const person = await addPerson(o, name)
      await allow(o, person.setId, 'Vault__c', 'Read', 'Create', 'Edit', 'ViewAllRecords', 'ViewAllFields')
      await allowField(o, person.setId, 'Vault__c.Secret__c', 'Edit')
      await o.create('SetupEntityAccess', { ParentId: person.setId, ResourceName: 'vault' })
      if (name === 'clerk') clerk = person
      else trusted = person
    }
    const body = { Name: 'Secrets', Label: 'Secrets', PermissionsViewEncryptedData: true }
    const PermissionSetId = await o.create('PermissionSet', body)
    await o.create('PermissionSetAssignment', { PermissionSetId, AssigneeId: trusted.id })
  })

  /** The value by every way to it. */
  async function everywhere(caller: Pick<TestOrg, 'call'>): Promise<Record<string, unknown>> {
    const get = async (path: string) => {
      const { status, body, text } = await caller.call('GET', path)
      assert.equal(status, 200, `${path}: ${text}`)
      return body
    }
    const first = async (text: string) => (await get(queryPath(text))).records[0]
    const post = async (path: string, body: object) => {
      const answer = await caller.call('POST', path, { body })
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      return answer.body
    }
    const of = (where: string) => `FROM Vault__c WHERE Id = '${where}'`
    const batchUrl = `v64.0/sobjects/Vault__c/${inner}`
    const node = 'Secret__c { value displayValue }'
    const graph = `{ uiapi { query { Vault__c(where: { Name: { eq: "outer" } }) { edges { node { ${node}
      Vaults__r { edges { node { ${node} Outer__r { ${node} } } } } } } } } } }`
    const [{ node: top }] = (await fetchUiapi(caller, graph)).query.Vault__c.edges
    const below = top.Vaults__r.edges[0].node
    const view = (await get('/sobjects/Vault__c/listviews/All/results')).records.find(
      (one: { columns: { value: string }[] }) => one.columns[0]!.value === 'inner',
    )
    const composite = await post('/composite', {
      compositeRequest: [
        { method: 'GET', url: `/services/data/v64.0/sobjects/Vault__c/${inner}`, referenceId: 'a' },
        {
          method: 'GET',
          url: `/services/data/v64.0/query?q=SELECT+Secret__c+FROM+Vault__c+WHERE+Id='@{a.Id}'`,
          referenceId: 'b',
        },
      ],
    })
    const [a, b] = composite.compositeResponse
    const typeofQuery = `SELECT TYPEOF What__r WHEN Vault__c THEN Secret__c END ${of(inner)}`
    return {
      record: (await get(`/sobjects/Vault__c/${inner}`)).Secret__c,
      fields: (await get(`/sobjects/Vault__c/${inner}?fields=Secret__c`)).Secret__c,
      'by key': (await get('/sobjects/Vault__c/Code__c/inner')).Secret__c,
      'way to the parent': (await get(`/sobjects/Vault__c/${inner}/Outer__r`)).Secret__c,
      'way to the children': (await get(`/sobjects/Vault__c/${outer}/Vaults__r`)).records[0].Secret__c,
      collection: (await get(`/composite/sobjects/Vault__c?ids=${inner}&fields=Secret__c`))[0].Secret__c,
      query: (await first(`SELECT Secret__c ${of(inner)}`)).Secret__c,
      'all fields': (await first(`SELECT FIELDS(ALL) ${of(inner)} LIMIT 1`)).Secret__c,
      parent: (await first(`SELECT Outer__r.Secret__c ${of(inner)}`)).Outer__r.Secret__c,
      children: (await first(`SELECT (SELECT Secret__c FROM Vaults__r) ${of(outer)}`)).Vaults__r.records[0]
        .Secret__c,
      TYPEOF: (await first(typeofQuery)).What__r.Secret__c,
      FORMAT: (await first(`SELECT FORMAT(Outer__r.Secret__c) s ${of(inner)}`)).s,
      toLabel: (await first(`SELECT toLabel(Secret__c) s ${of(inner)}`)).s,
      queryAll: (await get(`/queryAll?q=${encodeURIComponent(`SELECT Secret__c ${of(inner)}`)}`)).records[0]
        .Secret__c,
      search: (await get(`/search?q=${encodeURIComponent('FIND {inner} RETURNING Vault__c(Secret__c)')}`))
        .searchRecords[0].Secret__c,
      'parameterized search': (
        await get('/parameterizedSearch?q=inner&sobject=Vault__c&Vault__c.fields=Secret__c')
      ).searchRecords[0].Secret__c,
      'list view': view.columns[1].value,
      composite: a.body.Secret__c,
      'query in composite': b.body.records[0].Secret__c,
      batch: (await post('/composite/batch', { batchRequests: [{ method: 'GET', url: batchUrl }] }))
        .results[0].result.Secret__c,
      GraphQL: top.Secret__c.value,
      'children in GraphQL': below.Secret__c.value,
      'parent in GraphQL': below.Outer__r.Secret__c.value,
      'custom resource': (await caller.call('POST', '/services/customrest/vault', { body: { id: inner } }))
        .body?.Secret__c,
    }
  }

  const all = (ways: Record<string, unknown>, value: unknown) =>
    Object.fromEntries(Object.keys(ways).map((way) => [way, value]))

  test('has it as it is with View Encrypted Data, by every way', async () => {
    for (const caller of [o, trusted]) {
      const ways = await everywhere(caller)
      assert.deepEqual(ways, all(ways, 'große Sache'))
    }
  })

  test('has it masked without, by every way, as the describe says', async () => {
    const { fields } = (await clerk.call('GET', '/sobjects/Vault__c/describe')).body
    const { mask, maskType, encrypted, filterable, sortable, groupable, length } = fields.find(
      ({ name }: { name: string }) => name === 'Secret__c',
    )
    assert.deepEqual({ mask, maskType, encrypted }, { mask: '*', maskType: 'all', encrypted: true })
    assert.deepEqual([filterable, sortable, groupable, length], [false, false, false, 40])
    const ways = await everywhere(clerk)
    assert.deepEqual(ways, all(ways, '***********'))
  })

  test('may write it without being able to read it; what is written is what counts, a mask too', async () => {
    const path = `/sobjects/Vault__c/${await clerk.org.create('Vault__c', { Secret__c: 'by the clerk' })}`
    assert.equal((await o.call('GET', path)).body.Secret__c, 'by the clerk')
    const { Secret__c } = (await clerk.call('GET', path)).body
    assert.equal((await clerk.call('PATCH', path, { body: { Secret__c } })).status, 204)
    assert.equal((await o.call('GET', path)).body.Secret__c, '************')
  })

  test('has it or its mask in many records by a query that both kinds of users send at once', async () => {
    const records = Array.from({ length: 300 }, (_, n) => ({
      attributes: { type: 'Vault__c' },
      Name: `many ${n}`,
      Secret__c: `${n}`,
    }))
    for (const part of [records.slice(0, 200), records.slice(200)])
      assert.equal((await o.call('POST', '/composite/sobjects', { body: { records: part } })).status, 200)
    const paths = [63, 64].flatMap((version) =>
      ['Name, Secret__c', 'Name, FORMAT(CreatedDate) made'].map(
        (fields) =>
          `/services/data/v${version}.0/query?q=${encodeURIComponent(`SELECT ${fields} FROM Vault__c`)}`,
      ),
    )
    // Both see the whole schema, and have the statements and rows of queries together.
    const keeper = await addPerson(o, 'keeper')
    const body = {
      Name: 'Keepers',
      Label: 'Keepers',
      PermissionsModifyAllData: true,
      PermissionsManageUsers: true,
      PermissionsCustomizeApplication: true,
    }
    const PermissionSetId = await o.create('PermissionSet', body)
    await o.create('PermissionSetAssignment', { PermissionSetId, AssigneeId: keeper.id })
    const ask = [keeper, o].flatMap((caller) => paths.map((path) => () => caller.call('GET', path)))
    const alone: string[] = []
    for (const one of ask) alone.push((await one()).text)
    assert.equal(new Set(alone).size, 6)
    const atOnce = await Promise.all([...ask, ...ask, ...ask].map((one) => one()))
    for (const [n, { text }] of atOnce.entries()) assert.equal(text, alone[n % ask.length])
  })

  test('does not have it at all without the field', async () => {
    const stranger = await addPerson(o, 'stranger')
    await allow(o, stranger.setId, 'Vault__c', 'Read', 'ViewAllRecords')
    const { body } = await stranger.call('GET', `/sobjects/Vault__c/${inner}`)
    assert.ok(!('Secret__c' in body))
  })

  test('has it, or no longer, from the change of a permission on', async () => {
    const person = await addPerson(o, 'changing')
    await allow(o, person.setId, 'Vault__c', 'Read', 'ViewAllRecords', 'ViewAllFields')
    const given = async (PermissionsViewEncryptedData: boolean) => {
      const body = { PermissionsViewEncryptedData }
      assert.equal((await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, { body })).status, 204)
      return fetchSecret(inner, person)
    }
    assert.deepEqual([await given(true), await given(false)], ['große Sache', '***********'])
  })
})

test('triggers see and write the value as it is, for every caller', async () => {
  const t = await openOrg({ triggers: await triggersFrom(TRIGGERS) })
  await deployVaults(t)
  const clerk = await addPerson(t, 'clerk')
  await allow(
    t,
    clerk.setId,
    'Vault__c',
    'Read',
    'Create',
    'Edit',
    'Delete',
    'ViewAllFields',
    'EditAllFields',
  )
  const id = await clerk.org.create('Vault__c', { Name: 'filled', Secret__c: 'mine' })
  const path = `/sobjects/Vault__c/${id}`
  assert.equal((await t.call('GET', path)).body.Secret__c, 'by a trigger')
  await clerk.call('PATCH', path, { body: { Name: 'another' } })
  assert.equal((await t.call('GET', path)).body.Secret__c, 'by a trigger')
  await clerk.call('PATCH', path, { body: { Secret__c: 'changed' } })
  await clerk.call('DELETE', path)
  assert.deepEqual(seen, [
    [undefined, 'by a trigger'],
    ['by a trigger', 'by a trigger'],
    ['by a trigger', 'by a trigger'],
    ['by a trigger', 'changed'],
    ['by a trigger', 'changed'],
    ['changed', undefined],
  ])
  assert.deepEqual(await tablesWith(t, 'by a trigger'), [])
})

describe('the encrypted values of an org', () => {
  test('are those of its copy too, encrypted with its own key', async () => {
    const source = await openOrg()
    await deployVaults(source)
    const ids: string[] = []
    for (const text of ['one', 'two']) ids.push(await source.create('Vault__c', { Secret__c: text }))
    const org = await copyOrg(
      source.db,
      source.services,
      source.org,
      `Copy ${source.org.id}`,
      undefined,
      SECRETS,
    )
    const token = source.services.sessions.issueUnstored(org, source.userId)
    const headers = { authorization: `Bearer ${token}` }
    const copy: Pick<TestOrg, 'call'> = { call: (method, path) => source.call(method, path, { headers }) }
    assert.deepEqual([await fetchSecret(ids[0]!, copy), await fetchSecret(ids[1]!, copy)], ['one', 'two'])
    // A secret that is copied from table to table belongs to nobody.
    await storeSecret({ db: source.db, org }, ids[0]!, (await storedSecret(source, ids[0]!))!)
    assert.equal(await fetchSecret(ids[0]!, copy), null)
    assert.equal(await fetchSecret(ids[0]!, source), 'one')
  })

  test('come back with a snapshot', async () => {
    const t = await openOrg()
    await deployVaults(t)
    const id = await t.create('Vault__c', { Secret__c: 'before' })
    await saveSnapshot(t, 'a')
    await t.call('PATCH', `/sobjects/Vault__c/${id}`, { body: { Secret__c: 'after' } })
    await restoreSnapshot(t, 'a')
    assert.equal(await fetchSecret(id, t), 'before')
  })
})

test('a value that was encrypted with another key reads as null, and the log says which one', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const t = await openOrg({ log })
  await deployVaults(t)
  const id = await t.create('Vault__c', { Secret__c: 'precious' })
  const other = ValueCipher.of(new SecretBox(randomBytes(SECRET_KEY_BYTES)), t.org)
  await storeSecret(t, id, other.seal('precious', `vault__c.secret__c:${id}`))
  for (const _ of ['once', 'and again']) assert.equal(await fetchSecret(id, t), null)
  const reported = lines.filter((line) => line.includes('decrypted'))
  assert.equal(reported.length, 1)
  assert.match(JSON.parse(reported[0]!).msg, new RegExp(`^Vault__c.Secret__c of ${id} cannot be decrypted`))
  assert.ok(!lines.join().includes('precious') && !lines.join().includes('v1:'))
})

describe('many encrypted values', () => {
  const names = Array.from({ length: 30 }, (_, n) => `S${n}__c`)
  const textOf = (record: number, name: string) => `${name} of ${record}`
  const secretsOf = (record: number) => Object.fromEntries(names.map((name) => [name, textOf(record, name)]))
  const withoutMore = (found: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, found[name]]))
  const expected = Array.from({ length: 60 }, (_, record) => secretsOf(record))
  let accountId: string
  let ids: string[]

  before(async () => {
    const fields = {
      Account__c: { type: 'reference', to: 'Account', children: 'Hoards__r' },
      Order__c: { type: 'int' },
      ...Object.fromEntries(names.map((name) => [name, { type: 'encryptedstring', length: 40 }])),
    }
    await deploy(o, { Vault__c: VAULT as never, Hoard__c: { fields } as never })
    accountId = await o.create('Account', { Name: 'Of hoards' })
    const records = expected.map((secrets, record) => ({
      attributes: { type: 'Hoard__c' },
      Order__c: record,
      Account__c: accountId,
      ...secrets,
    }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { allOrNone: true, records } })
    ids = body.map(({ id }: { id: string }) => id)
  })

  test('are read with the records of a list', async () => {
    const { body } = await o.call('POST', '/composite/sobjects/Hoard__c', { body: { ids, fields: names } })
    assert.deepEqual(body.map(withoutMore), expected)
  })

  test('are read with a query, and in its child records', async () => {
    const found = await fetchRecords(o, `SELECT ${names} FROM Hoard__c ORDER BY Order__c`)
    assert.deepEqual(found.map(withoutMore), expected)
    const children = `SELECT Id, (SELECT ${names} FROM Hoards__r ORDER BY Order__c) FROM Account WHERE Id = '${accountId}'`
    const { records } = await fetchResult(o, children)
    assert.deepEqual(records[0].Hoards__r.records.map(withoutMore), expected)
  })

  test('are read with a document', async () => {
    const selected = names.map((name) => `${name} { value }`).join(' ')
    const { query } = await fetchUiapi(
      o,
      `{ uiapi { query { Hoard__c(first: 100, orderBy: { Order__c: { order: ASC } }) { edges { node { ${selected} } } } } } }`,
    )
    const nodes = query.Hoard__c.edges.map(({ node }: { node: Record<string, { value: string }> }) =>
      Object.fromEntries(names.map((name) => [name, node[name]!.value])),
    )
    assert.deepEqual(nodes, expected)
  })

  test('are changed together', async () => {
    const records = ids.map((id, record) => ({
      attributes: { type: 'Hoard__c' },
      id,
      ...secretsOf(record + 100),
    }))
    const { body } = await o.call('PATCH', '/composite/sobjects', { body: { allOrNone: true, records } })
    assert.ok(body.every(({ success }: { success: boolean }) => success))
    const found = await fetchRecords(o, `SELECT ${names} FROM Hoard__c ORDER BY Order__c`)
    assert.deepEqual(
      found.map(withoutMore),
      expected.map((_, record) => secretsOf(record + 100)),
    )
  })

  test('of a page are 200,000 at most', async () => {
    const records = Array.from({ length: 140 }, () => ({ attributes: { type: 'Hoard__c' }, S0__c: 'more' }))
    await o.call('POST', '/composite/sobjects', { body: { allOrNone: true, records } })
    const selected = Array.from({ length: 1100 }, (_, n) => `a${n}: S0__c { value }`).join(' ')
    const { errors } = await sendDocument(
      o,
      `{ uiapi { query { Hoard__c(first: 200) { edges { node { ${selected} } } } } } }`,
    )
    assert.match(errors[0]!.message, /at most 200000 encrypted values/)
  })
})

describe('a deployment', () => {
  const withSecret = (Secret__c: object) => ({
    Vault__c: { ...VAULT, fields: { ...VAULT.fields, Secret__c } } as never,
  })

  test('makes no other type of an encrypted value: it would go', async () => {
    const t = await openOrg()
    await deployVaults(t)
    await t.create('Vault__c', { Secret__c: 'precious' })
    const [refused] = await fetchRefusals(t, withSecret({ type: 'string', length: 40 }))
    assert.match(refused!, /values of a encryptedstring cannot become those of a string, so they go/)
    const answer = await deploy(t, withSecret({ type: 'string', length: 40 }), { allowDestructive: true })
    assert.equal(answer.status, 200)
    const records = await fetchRecords(t, 'SELECT Secret__c FROM Vault__c')
    assert.deepEqual(records, [{ Secret__c: null }])
  })

  test('shortens a field that holds nothing longer, as far as that can be known', async () => {
    const t = await openOrg()
    await deployVaults(t)
    const id = await t.create('Vault__c', { Secret__c: 'x'.repeat(20) })
    const shorter = (length: number) => withSecret({ ...VAULT.fields.Secret__c, length })
    assert.deepEqual(await fetchPlan(t, shorter(20), { planOnly: true }), [
      '~ Vault__c.Secret__c: length 40 → 20',
    ])
    const [refused] = await fetchRefusals(t, shorter(19))
    assert.match(refused!, /1 record with an encrypted value of more than 19 bytes/)
    assert.match(refused!, new RegExp(id))
    assert.equal((await deploy(t, shorter(20))).status, 200)
  })
})
