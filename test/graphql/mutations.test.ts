import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { queryPath } from '../support/ask.ts'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { SAMPLE, SAMPLES } from '../support/sample-schema.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* Writing records. (docs/reference/api/graphql.md#mutations) */

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy([SAMPLE])
})

const count = async (object: string, name: string) => {
  const field = object === 'Contact' ? 'LastName' : 'Name'
  const { body } = await o.call('GET', queryPath(`SELECT COUNT() FROM ${object} WHERE ${field} = '${name}'`))
  return body.totalSize
}

const mutate = (
  operations: string,
  more: { variables?: object; allOrNone?: boolean | undefined; declared?: string } = {},
) => {
  const input = more.allOrNone === undefined ? '' : `(input: {allOrNone: ${more.allOrNone}})`
  const text = `mutation M${more.declared ?? ''} { uiapi${input} { ${operations} } }`
  return sendDocument(o, text, { variables: more.variables as Record<string, unknown> | undefined })
}

const briefly = (errors: Awaited<ReturnType<typeof mutate>>['errors']) =>
  errors.map(({ message, paths, extensions }) => [paths.at(-1), extensions.ErrorType, message])

describe('a create', () => {
  test('writes the raw values of its fields and gives the record', async () => {
    const values = Object.fromEntries(SAMPLES.map(({ field, values: [, second] }) => [field.name, second]))
    const more = {
      Name: 'raw',
      Boolean__c: true,
      Tags__c: 'Red;Blue',
      Long__c: 'long',
      Secret__c: 'hidden',
      Rich__c: '<i>x</i>',
    }
    const representation = { ...values, ...more, Place__Latitude__s: '59.9', Place__Longitude__s: 10 }
    const names = Object.keys(representation)
    const { data, errors } = await mutate(
      `Sample__cCreate(input: $input) { Record { Id ${names.map((name) => `${name} { value }`).join(' ')} } }`,
      { declared: '($input: Sample__cCreateInput!)', variables: { input: { Sample__c: representation } } },
    )
    assert.deepEqual(errors, [])
    const { Id, ...record } = data.uiapi.Sample__cCreate.Record
    const { body } = await o.call('GET', `/sobjects/Sample__c/${Id}`)
    for (const name of names) {
      const stored = typeof body[name] === 'string' ? body[name].replace('+0000', 'Z') : body[name]
      assert.deepEqual(record[name], { value: stored }, name)
      assert.notEqual(stored, null, name)
    }
  })

  test('is refused with the words of the write path, and writes nothing', async () => {
    const { data, errors } = await mutate(
      'ContactCreate(input: {Contact: {FirstName: "x"}}) { Record { Id } }',
    )
    assert.deepEqual(data, { uiapi: { ContactCreate: null } })
    assert.deepEqual(briefly(errors), [
      ['ContactCreate', 'DataFetchingException', 'Required fields are missing: [LastName]'],
    ])
    const email = await mutate(
      'ContactCreate(input: {Contact: {LastName: "x", Email: "nope"}}) { Record { Id } }',
    )
    assert.match(email.errors[0]!.message, /invalid email address: nope/)
  })
})

describe('an update', () => {
  test('changes the fields that it names; null clears one', async () => {
    const id = await o.create('Account', { Name: 'before', Phone: '1', Industry: 'Energy' })
    const { data, errors } = await mutate(
      `AccountUpdate(input: {Id: "${id}", Account: {Name: "after", Phone: null}}) { success Record { Id Name { value } Phone { value } Industry { value } } }`,
    )
    assert.deepEqual(errors, [])
    assert.deepEqual(data.uiapi.AccountUpdate, {
      success: true,
      Record: { Id: id, Name: { value: 'after' }, Phone: { value: null }, Industry: { value: 'Energy' } },
    })
  })

  test('of a record that is not there, or of another object, is refused', async () => {
    const contact = await o.create('Contact', { LastName: 'other' })
    for (const id of ['001OB0000000999AAA', 'junk', contact]) {
      const { data, errors } = await mutate(
        `AccountUpdate(input: {Id: "${id}", Account: {Name: "x"}}) { success }`,
      )
      assert.deepEqual(data, { uiapi: { AccountUpdate: null } })
      assert.equal(errors[0]!.extensions.ErrorType, 'DataFetchingException')
    }
  })
})

describe('a delete', () => {
  test('removes the record and gives its id', async () => {
    const id = await o.create('Account', { Name: 'doomed' })
    const { data, errors } = await mutate(`AccountDelete(input: {Id: "${id}"}) { Id }`)
    assert.deepEqual([data, errors], [{ uiapi: { AccountDelete: { Id: id } } }, []])
    assert.equal(await count('Account', 'doomed'), 0)
    const again = await mutate(`AccountDelete(input: {Id: "${id}"}) { Id }`)
    assert.equal(again.errors[0]!.extensions.ErrorType, 'DataFetchingException')
  })
})

describe('an operation refers to an earlier one', () => {
  test('by its alias or its name, in an id and in references', async () => {
    const { data, errors } = await mutate(`
      parent: AccountCreate(input: {Account: {Name: "chain"}}) { Record { Id } }
      ContactCreate(input: {Contact: {LastName: "chained", AccountId: "@{parent}"}}) { Record { Id AccountId { value } } }
      AccountUpdate(input: {Id: "@{parent}", Account: {Phone: "7"}}) { Record { Phone { value } } }
      ContactDelete(input: {Id: "@{ContactCreate}"}) { Id }
      last: ContactCreate(input: {Contact: {LastName: "@{parent}"}}) { Record { LastName { value } } }`)
    assert.deepEqual(errors, [])
    const { parent, ContactCreate, AccountUpdate, ContactDelete, last } = data.uiapi
    assert.equal(ContactCreate.Record.AccountId.value, parent.Record.Id)
    assert.equal(AccountUpdate.Record.Phone.value, '7')
    assert.equal(ContactDelete.Id, ContactCreate.Record.Id)
    assert.equal(last.Record.LastName.value, '@{parent}')
  })

  test('that stands before it, and creates or deletes', async () => {
    const account = await o.create('Account', { Name: 'kept' })
    for (const operations of [
      'ContactCreate(input: {Contact: {LastName: "x", AccountId: "@{later}"}}) { Record { Id } } later: AccountCreate(input: {Account: {Name: "later"}}) { Record { Id } }',
      'ContactCreate(input: {Contact: {LastName: "x", AccountId: "@{ContactCreate}"}}) { Record { Id } }',
      `u: AccountUpdate(input: {Id: "${account}", Account: {Name: "changed"}}) { success } AccountDelete(input: {Id: "@{u}"}) { Id }`,
    ]) {
      const { data, errors } = await mutate(operations)
      assert.deepEqual(data, {})
      assert.equal(errors[0]!.extensions.ErrorType, 'ValidationError')
      assert.match(errors[0]!.message, /refers to no create or delete before it/)
    }
    assert.deepEqual([await count('Account', 'later'), await count('Account', 'changed')], [0, 0])
  })

  test('by a variable, one of type ID too', async () => {
    const { data, errors } = await mutate(
      `a: AccountCreate(input: {Account: {Name: "by variable"}}) { Record { Id } }
       AccountDelete(input: {Id: $id}) { Id }`,
      { declared: '($id: ID!)', variables: { id: '@{a}' } },
    )
    assert.deepEqual(errors, [])
    assert.equal(data.uiapi.AccountDelete.Id, data.uiapi.a.Record.Id)
  })
})

describe('several operations', () => {
  const operations = (name: string) => `
    good: AccountCreate(input: {Account: {Name: "${name}"}}) { Record { Id } }
    bad: AccountCreate(input: {Account: {Phone: "1"}}) { Record { Id } }
    depends: ContactCreate(input: {Contact: {LastName: "${name}", AccountId: "@{bad}"}}) { Record { Id } }
    also: AccountCreate(input: {Account: {Name: "${name}"}}) { Record { Id } }`

  test('are written all or none', async () => {
    for (const allOrNone of [undefined, true]) {
      const { data, errors } = await mutate(operations('all'), { allOrNone })
      assert.deepEqual(data, { uiapi: { good: null, bad: null, depends: null, also: null } })
      assert.deepEqual(
        briefly(errors).map(([key, type]) => [key, type]),
        [
          ['bad', 'DataFetchingException'],
          ['good', 'ExecutionAborted'],
          ['depends', 'ExecutionAborted'],
          ['also', 'ExecutionAborted'],
        ],
      )
      assert.equal(await count('Account', 'all'), 0)
    }
  })

  test('are written each by itself where that is asked for; what depends on a failed one fails', async () => {
    const { data, errors } = await mutate(operations('each'), { allOrNone: false })
    assert.deepEqual([data.uiapi.bad, data.uiapi.depends], [null, null])
    assert.ok(data.uiapi.good.Record.Id && data.uiapi.also.Record.Id)
    assert.deepEqual(briefly(errors), [
      ['bad', 'DataFetchingException', 'Required fields are missing: [Name]'],
      ['depends', 'DataFetchingException', "The operation 'bad' that is referred to gave no record"],
    ])
    assert.deepEqual([await count('Account', 'each'), await count('Contact', 'each')], [2, 0])
  })

  test('of one field need aliases', async () => {
    const one = 'AccountCreate(input: {Account: {Name: "x"}}) { Record { Id } }'
    const other = 'AccountCreate(input: {Account: {Name: "y"}}) { Record { Id } }'
    const { errors } = await mutate(`${one} ${other}`)
    assert.equal(errors[0]!.extensions.ErrorType, 'ValidationError')
  })
})

describe('the result of a mutation', () => {
  test('has no children, and of parents only who they are', async () => {
    const id = await o.create('Contact', {
      LastName: 'x',
      AccountId: await o.create('Account', { Name: 'up' }),
    })
    const update = (selection: string) =>
      mutate(`ContactUpdate(input: {Id: "${id}", Contact: {LastName: "y"}}) { Record { ${selection} } }`)
    const { data } = await update('Account { Id ApiName __typename }')
    assert.equal(data.uiapi.ContactUpdate.Record.Account.ApiName, 'Account')
    for (const selection of [
      'Account { Name { value } }',
      'Cases { totalCount }',
      'Account { Contacts { totalCount } }',
    ]) {
      const { data: nothing, errors } = await update(selection)
      assert.deepEqual(nothing, {})
      assert.equal(errors[0]!.extensions.ErrorType, 'ValidationError')
    }
  })
})

describe('somebody', () => {
  test('has only the mutations that the permissions of the caller allow, and only the fields', async () => {
    const person = await addPerson(o, 'writer')
    await allow(o, person.setId, 'Account', 'Read')
    const id = await o.create('Account', { Name: 'theirs', OwnerId: person.id })
    const document = `mutation { uiapi { AccountUpdate(input: {Id: "${id}", Account: {Name: "x"}}) { success } } }`
    const refused = await sendDocument(person, document)
    assert.match(
      refused.errors[0]!.message,
      /not configured for mutations|'AccountUpdate' in type 'UIAPIMutations' is undefined/,
    )
    await allow(o, person.setId, 'Contact', 'Read', 'Create', 'Edit')
    const created = await sendDocument(
      person,
      'mutation { uiapi { ContactCreate(input: {Contact: {LastName: "own"}}) { Record { Id LastName { value } } } } }',
    )
    assert.deepEqual(created.errors, [])
    const hidden = await sendDocument(
      person,
      'mutation { uiapi { ContactCreate(input: {Contact: {LastName: "own", Phone: "1"}}) { Record { Id } } } }',
    )
    assert.deepEqual(hidden.data, {})
    assert.equal(hidden.errors[0]!.extensions.ErrorType, 'ValidationError')
  })
})

test('a query and a mutation in one document are told apart by the operation name', async () => {
  const text = `query Q { uiapi { query { Account { totalCount } } } }
    mutation M { uiapi { AccountCreate(input: {Account: {Name: "named"}}) { Record { Id } } } }`
  const { errors } = await sendDocument(o, text)
  assert.equal(errors[0]!.extensions.ErrorType, 'OperationNotSupported')
  assert.equal(await count('Account', 'named'), 0)
  const { data } = await sendDocument(o, text, { operationName: 'M' })
  assert.ok(data.uiapi.AccountCreate.Record.Id)
  assert.ok((await fetchUiapi(o, text, { operationName: 'Q' })).query.Account.totalCount > 0)
})

test('versions before 59 have no mutations', async () => {
  const text = 'mutation { uiapi { AccountCreate(input: {Account: {Name: "early"}}) { Record { Id } } } }'
  const early = await sendDocument(o, text, { version: 58 })
  assert.deepEqual(early.data, {})
  assert.match(early.errors[0]!.message, /not configured for mutations/)
  assert.deepEqual((await sendDocument(o, text, { version: 59 })).errors, [])
})

test('several uiapi are carried out one after the other, each all or none; what is wrong is said before the first', async () => {
  const create = (name: string) => `AccountCreate(input: {Account: {Name: "${name}"}}) { Record { Id } }`
  const wrong = 'ContactCreate(input: {Contact: {LastName: "x", AccountId: "@{nobody}"}}) { Record { Id } }'
  const { data } = await sendDocument(
    o,
    `mutation { a: uiapi { ${create('several')} } b: uiapi { ${wrong} } }`,
  )
  assert.deepEqual([data, await count('Account', 'several')], [{}, 0])
  const bad = 'AccountCreate(input: {Account: {Phone: "1"}}) { Record { Id } }'
  const mixed = await sendDocument(
    o,
    `mutation { __typename a: uiapi { ${create('several')} } b: uiapi { __typename ${bad} } }`,
  )
  assert.deepEqual(Object.keys(mixed.data), ['__typename', 'a', 'b'])
  assert.deepEqual(mixed.data.b, { __typename: 'UIAPIMutations', AccountCreate: null })
  assert.deepEqual(
    mixed.errors.map(({ paths }) => paths),
    [['b', 'AccountCreate']],
  )
  assert.equal(await count('Account', 'several'), 1)
})

describe('triggers', () => {
  test('run for mutations as for every write, and what they do is taken back with them', async () => {
    const t = await openOrg({
      triggers: await triggersFrom({
        'rules.ts': `
          export default {
            object: 'Account',
            beforeInsert(changes: any[]) {
              for (const { record, addError } of changes) {
                if (record.Site === 'closed') addError('Site', 'this site is closed')
                record.Phone = 'from a trigger'
              }
            },
          }`,
      }),
    })
    const create = (site: string) =>
      `AccountCreate(input: {Account: {Name: "t", Site: "${site}"}}) { Record { Phone { value } } }`
    const open = await sendDocument(t, `mutation { uiapi { ${create('open')} } }`)
    assert.deepEqual(open.data.uiapi.AccountCreate.Record, { Phone: { value: 'from a trigger' } })
    const closed = await sendDocument(
      t,
      `mutation { uiapi { first: ${create('open')} ${create('closed')} } }`,
    )
    assert.deepEqual(closed.data.uiapi, { first: null, AccountCreate: null })
    assert.equal(closed.errors[0]!.message, 'this site is closed')
    assert.equal(
      (await fetchUiapi(t, '{ uiapi { query { Account { totalCount } } } }')).query.Account.totalCount,
      1,
    )
  })
})

test('mutations that lock the same records in different orders are each written as a whole, or tell why not', async () => {
  const [a, b] = [await o.create('Account', { Name: 'a' }), await o.create('Account', { Name: 'b' })]
  const both = (first: string, second: string, n: number) =>
    mutate(`x: AccountUpdate(input: {Id: "${first}", Account: {Phone: "${n}"}}) { success }
      y: AccountUpdate(input: {Id: "${second}", Account: {Phone: "${n}"}}) { success }`)
  const outcomes = await Promise.all([both(a, b, 1), both(b, a, 2), both(a, b, 3), both(b, a, 4)])
  const written = outcomes.filter(({ errors }) => errors.length === 0)
  assert.ok(written.length > 0)
  for (const { data, errors } of outcomes) {
    const done = errors.length === 0 ? { success: true } : null
    assert.deepEqual(data.uiapi, { x: done, y: done })
    for (const { message } of errors) assert.match(message, /exclusive access|rolled back/)
  }
  const { query } = await fetchUiapi(
    o,
    `{ uiapi { query { Account(where: {Id: {in: ["${a}", "${b}"]}}) { edges { node { Phone { value } } } } } } }`,
  )
  const [one, other] = query.Account.edges
  assert.deepEqual(one, other)
})
