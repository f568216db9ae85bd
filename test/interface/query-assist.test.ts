import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

/* Help for an editor in which a query is typed. (docs/reference/api/queries.md#help-for-editors) */

let o: TestOrg

before(async () => {
  o = await openOrg()
})

interface Item {
  readonly label: string
  readonly kind: string
  readonly insert: string
}

/** @param marked the text with `|` where the caret is */
async function assist(marked: string, caller: Pick<TestOrg, 'call'> = o) {
  const position = marked.indexOf('|')
  const query = marked.replace('|', '')
  const body = position < 0 ? { query } : { query, position }
  const answer = await caller.call('POST', '/query/assist', { body })
  assert.equal(answer.status, 200, answer.text)
  const { errors, completions } = answer.body
  const items: Item[] = completions?.items ?? []
  return { query, errors, completions, items, labels: items.map(({ label }) => label) }
}

async function offers(marked: string, ...labels: string[]) {
  const { labels: all } = await assist(marked)
  for (const label of labels) assert.ok(all.includes(label), `${marked}: ${label} in ${all.slice(0, 30)}`)
  return all
}

async function lacks(marked: string, ...labels: string[]) {
  const { labels: all } = await assist(marked)
  for (const label of labels) assert.ok(!all.includes(label), `${marked}: no ${label}`)
}

describe('completions', () => {
  test('of an empty text begin a query', async () => {
    await offers('|', 'SELECT')
    await offers('SEL|', 'SELECT')
  })

  test('of a select list are fields, relationships, children and functions of the object that FROM names later', async () => {
    await offers('SELECT | FROM Account', 'Name', 'Owner', 'Contacts', 'COUNT()', 'FIELDS(ALL)', 'TYPEOF')
    await offers('SELECT Id, Na| FROM Account', 'Name')
    await offers('SELECT Id | FROM Account', 'FROM')
    await offers('SELECT Id |', 'FROM')
    await lacks('SELECT Id, | FROM Contact', 'Contacts')
    await offers('SELECT COUNT(| ) FROM Account', 'Id')
  })

  test('replace the word that is being typed', async () => {
    const { completions, items } = await assist('SELECT Id, Own|erI FROM Account')
    assert.deepEqual([completions.start, completions.end], [11, 17])
    const found = Object.fromEntries(items.map(({ label, kind, insert }) => [label, `${kind} ${insert}`]))
    assert.equal(found.OwnerId, 'field OwnerId')
    assert.equal(found.Owner, 'relationship Owner.')
  })

  test('say in which clause they are, and find fields by their labels', async () => {
    for (const [marked, clause] of [
      ['|', undefined],
      ['SELECT | FROM Account', 'select'],
      ['SELECT Id, (SELECT | FROM Contacts) FROM Account', 'select'],
      ['SELECT Id FROM |', 'from'],
      ['SELECT Id FROM Account WHERE |', 'where'],
      ['SELECT Id FROM Account ORDER BY Name, |', 'order'],
    ] as const)
      assert.equal((await assist(marked)).completions.clause, clause, marked)
    const { labels } = await assist('SELECT Employees| FROM Account')
    assert.deepEqual(labels, ['NumberOfEmployees'])
    await offers('SELECT Description| FROM Account', 'Description', 'NaicsDesc')
  })

  test('follow relationships to parents, also by an alias', async () => {
    await offers('SELECT Account.Owner.| FROM Contact', 'Username', 'Profile')
    await offers('SELECT c.Account.| FROM Contact c', 'Industry')
    await offers('SELECT Contact.Account.Ind| FROM Contact', 'Industry')
    await offers('SELECT Id FROM Contact WHERE Account.| = 1', 'Industry')
    assert.deepEqual((await assist('SELECT Nothing.| FROM Contact')).items, [])
  })

  test('of a child query are those of the child, and its FROM has the children of the parent', async () => {
    await offers('SELECT Id, (SELECT | FROM Contacts) FROM Account', 'LastName', 'Account')
    await lacks('SELECT Id, (SELECT | FROM Contacts) FROM Account', 'Industry')
    await offers('SELECT (SELECT Id FROM |) FROM Account', 'Contacts', 'Opportunities')
    await offers('SELECT (SELECT Id FROM Contacts WHERE |) FROM Account', 'Email')
    await offers('SELECT (SELECT Id FROM Contacts), | FROM Account', 'Industry')
    await offers('SELECT Id FROM Account WHERE Id IN (SELECT | FROM Opportunity)', 'AccountId', 'StageName')
    await offers('SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM |)', 'Opportunity')
  })

  test('of FROM are objects, and then what may follow', async () => {
    const all = await offers('SELECT Id FROM |', 'Account', 'Contact')
    assert.ok(!all.includes('WHERE'))
    await offers('SELECT Id FROM Acc|', 'Account')
    await offers('SELECT Id FROM Account |', 'WHERE', 'ORDER BY', 'LIMIT')
    await offers('SELECT Id FROM Account USING SCOPE |', 'mine')
  })

  test('of a condition are fields, then operators, then values, then what connects conditions', async () => {
    await offers('SELECT Id FROM Account WHERE |', 'Industry', 'CALENDAR_YEAR()', 'NOT')
    await offers('SELECT Id FROM Account WHERE Industry |', '=', 'IN', 'LIKE')
    await lacks('SELECT Id FROM Account WHERE IsDeleted |', 'LIKE', '<')
    await offers('SELECT Id FROM Opportunity WHERE StageName = |', 'Prospecting', 'NULL')
    await offers('SELECT Id FROM Opportunity WHERE StageName IN (|)', 'Prospecting', 'SELECT')
    await offers("SELECT Id FROM Opportunity WHERE StageName NOT IN ('Closed Won', |)", 'Prospecting')
    await offers('SELECT Id FROM Opportunity WHERE IsClosed = |', 'TRUE', 'FALSE')
    await offers('SELECT Id FROM Opportunity WHERE CloseDate > |', 'TODAY', 'LAST_N_DAYS:n')
    await offers("SELECT Id FROM Contact WHERE Account.Name = 'x' |", 'AND', 'OR', 'ORDER BY')
    await offers('SELECT Id FROM Contact WHERE CALENDAR_YEAR(CreatedDate) |', '=')
  })

  test('of a text in quotes replace all of it, also where its end is missing', async () => {
    const { completions, items } = await assist("SELECT Id FROM Opportunity WHERE StageName = 'Closed |")
    assert.deepEqual([completions.start, completions.end], [45, 53])
    assert.ok(items.some(({ insert }) => insert === "'Closed Won'"))
    assert.ok(items.every(({ label }) => label.startsWith('Closed ')))
  })

  test('of the other clauses are what they take', async () => {
    await offers('SELECT Id FROM Account ORDER BY |', 'Name')
    await offers('SELECT Id FROM Account ORDER BY Name |', 'DESC', 'NULLS LAST', 'LIMIT')
    await offers('SELECT COUNT(Id) FROM Account GROUP BY |', 'Industry', 'ROLLUP()')
    await offers('SELECT COUNT(Id) FROM Account GROUP BY Industry HAVING |', 'COUNT()')
    await offers('SELECT Id FROM Account FOR |', 'VIEW')
    assert.deepEqual((await assist('SELECT Id FROM Account LIMIT |')).items, [])
    await offers('SELECT TYPEOF What WHEN | FROM Event', 'Account')
    await offers('SELECT TYPEOF What WHEN Account THEN | FROM Event', 'Industry')
  })

  test('have nothing that the caller may not see', async () => {
    const person = await addPerson(o, 'assisted')
    await allow(o, person.setId, 'Account', 'Read')
    const objects = (await assist('SELECT Id FROM |', person)).labels
    assert.ok(objects.includes('Account') && !objects.includes('Opportunity'))
    const fields = (await assist('SELECT | FROM Account', person)).labels
    assert.ok(fields.includes('Name') && !fields.includes('Industry') && !fields.includes('Opportunities'))
    assert.equal((await assist('SELECT Industry FROM Account', person)).errors[0].errorCode, 'INVALID_FIELD')
    assert.equal((await assist('SELECT Id FROM Opportunity', person)).errors[0].errorCode, 'INVALID_TYPE')
  })
})

describe('errors', () => {
  test('are where the server finds them, with its message', async () => {
    for (const [query, errorCode, part, message] of [
      ['SELECT Id, Nam FROM Account', 'INVALID_FIELD', 'Nam', /^No such column 'Nam' on entity 'Account'/],
      ['SELECT Id FROM Nothing', 'INVALID_TYPE', 'Nothing', /^sObject type 'Nothing' is not supported/],
      ['SELECT Id FORM Account', 'MALFORMED_QUERY', 'FORM', /unexpected token: 'FORM'/],
      ['SELECT Id FROM Account WHERE', 'MALFORMED_QUERY', '', /unexpected token: <EOF>/],
      ['SELECT Id\nFROM Account WHERE Name = #', 'MALFORMED_QUERY', '#', /no viable alternative/],
      ['SELECT Id FROM Account WHERE Name = 1', 'INVALID_FIELD', undefined, /./],
    ] as const) {
      const { errors } = await assist(query)
      assert.equal(errors.length, 1, query)
      const [error] = errors
      assert.equal(error.errorCode, errorCode)
      assert.match(error.message, message)
      assert.ok(!error.message.includes('\n'))
      if (part !== undefined) assert.equal(query.slice(error.start, error.end), part, query)
    }
  })

  test('are none in a query that would run, and in an empty text', async () => {
    for (const query of ['SELECT Id, (SELECT Id FROM Contacts) FROM Account LIMIT 1', '', '  \n'])
      assert.deepEqual((await assist(query)).errors, [])
  })
})

test('whatever is sent is answered, and refused where it is no text with a place', async () => {
  const odd = [
    "SELECT '",
    '((((((((',
    '{'.repeat(100_000),
    `SELECT ${'(SELECT Id FROM Contacts WHERE '.repeat(3000)}`,
    'SELECT \u0000\ud800 FROM Account',
    'SELECT Id FROM Account WHERE Name IN (SELECT',
    `SELECT ${'a.'.repeat(40_000)} FROM Account`,
    'FROM FROM FROM SELECT SELECT',
    ')))',
  ]
  for (const query of odd) {
    for (const position of [0, Math.floor(query.length / 2), query.length]) {
      const { status, body } = await o.call('POST', '/query/assist', { body: { query, position } })
      assert.equal(status, 200)
      assert.ok(body.completions.items.length <= 500)
    }
  }
  for (const body of [
    { query: 'x', position: 2 },
    { query: 'x', position: -1 },
    { query: 'x'.repeat(100_001) },
    { query: 1 },
    {},
    { query: '', more: 1 },
  ])
    assert.equal((await o.call('POST', '/query/assist', { body })).status, 400)
})
