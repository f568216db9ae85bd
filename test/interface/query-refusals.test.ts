import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { CASES } from '../soql/cases.ts'
import { ask, fetchRefusal, queryPath } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy(PROJECT_SCHEMA)
})

const customName = (suffix: string, kind: string, word: string) =>
  `If you are attempting to use a custom ${kind}, be sure to append the '${suffix}' after the ${word} name. Please reference your WSDL or the describe call for the appropriate names.`

const noColumn = (name: string, object: string) =>
  `No such column '${name}' on entity '${object}'. ${customName('__c', 'field', 'custom field')}`
const noObject = (name: string) =>
  `sObject type '${name}' is not supported. ${customName('__c', 'object', 'entity')}`
const noRelationship = (name: string) =>
  `Didn't understand relationship '${name}' in field path. ${customName('__r', 'relationship', 'custom relationship')}`

describe('a query that means nothing is refused, with the place of the word that is wrong', () => {
  /** Query, code, row and column from 1, the words that the caret points at, explanation. */
  const refusals: readonly (readonly [string, string, number, number, string, string])[] = [
    ['SELECT Foo FROM Account', 'INVALID_FIELD', 1, 8, 'Foo FROM', noColumn('Foo', 'Account')],
    ['SELECT Id, Foo__c FROM Account', 'INVALID_FIELD', 1, 12, 'Foo__c FROM', noColumn('Foo__c', 'Account')],
    ['SELECT Id FROM Nope__c', 'INVALID_TYPE', 1, 16, 'Nope__c', noObject('Nope__c')],
    ['SELECT Nope FROM Accounts', 'INVALID_TYPE', 1, 18, 'Accounts', noObject('Accounts')],
    ['SELECT COUNT() FROM Gadget', 'INVALID_TYPE', 1, 21, 'Gadget', noObject('Gadget')],
    ["SELECT Id FROM Account WHERE Foo = 'a'", 'INVALID_FIELD', 1, 30, 'Foo =', noColumn('Foo', 'Account')],
    ['SELECT Id FROM Account ORDER BY Foo', 'INVALID_FIELD', 1, 33, 'Foo', noColumn('Foo', 'Account')],
    ['SELECT Account.Foo FROM Contact', 'INVALID_FIELD', 1, 8, 'Account.Foo', noColumn('Foo', 'Account')],
    ['SELECT Boss.Name FROM Contact', 'INVALID_FIELD', 1, 8, 'Boss.Name', noRelationship('Boss')],
    ['SELECT Account.Boss.Name FROM Contact', 'INVALID_FIELD', 1, 8, 'Account.Boss', noRelationship('Boss')],
    ['SELECT AccountId.Name FROM Contact', 'INVALID_FIELD', 1, 8, 'AccountId.', noRelationship('AccountId')],
    ['SELECT x.Id FROM Account a', 'INVALID_FIELD', 1, 8, 'x.Id', noRelationship('x')],
    [
      'SELECT Account__c.Name FROM Project__c',
      'INVALID_FIELD',
      1,
      8,
      'Account__c.Name',
      noRelationship('Account__c'),
    ],
    [
      "SELECT Id\nFROM Account\r\nWHERE Name = 'a'\rAND  Foo = 1",
      'INVALID_FIELD',
      4,
      6,
      'Foo = 1',
      noColumn('Foo', 'Account'),
    ],
    [
      "SELECT Id FROM Account WHERE Id = 'abc'",
      'INVALID_QUERY_FILTER_OPERATOR',
      1,
      35,
      "'abc'",
      'invalid ID field: abc',
    ],
    [
      "SELECT Id FROM Opportunity WHERE CloseDate = '2024-01-01'",
      'INVALID_FIELD',
      1,
      46,
      "'2024-01-01'",
      "value of filter criterion for field 'CloseDate' must be of type date and should not be enclosed in quotes",
    ],
    [
      "SELECT Id FROM Account WHERE Name = 'ok' AND Description = 'x'",
      'INVALID_FIELD',
      1,
      46,
      'Description =',
      "field 'Description' can not be filtered in a query call",
    ],
    [
      'SELECT Id FROM Account ORDER BY Description DESC',
      'INVALID_FIELD',
      1,
      33,
      'Description DESC',
      "field 'Description' can not be sorted in a query call",
    ],
    [
      'SELECT Name, Id, Name FROM Account',
      'INVALID_FIELD',
      1,
      18,
      'Name FROM',
      'duplicate field selected: Name',
    ],
  ]

  for (const [text, code, row, column, words, explanation] of refusals) {
    test(JSON.stringify(text), async () => {
      const refusal = await fetchRefusal(o, text)
      assert.equal(refusal.code, code)
      const [empty, excerpt, caret, location, last, ...more] = refusal.message.split('\n')
      assert.deepEqual([empty, more], ['', []])
      assert.equal(last, explanation)
      assert.equal(location, `ERROR at Row:${row}:Column:${column}`)
      assert.match(caret!, /^ *\^$/)
      assert.ok(excerpt!.slice(caret!.length - 1).startsWith(words), excerpt)
      assert.ok(text.includes(excerpt!))
    })
  }

  test('with two words of the row around it', async () => {
    const { message } = await fetchRefusal(o, 'SELECT Id, Name, Foo, Industry, Site FROM Account')
    assert.equal(
      message,
      `\nId, Name, Foo, Industry, Site\n          ^\nERROR at Row:1:Column:18\n${noColumn('Foo', 'Account')}`,
    )
  })
})

describe('a query that is not well-formed is MALFORMED_QUERY', () => {
  for (const [text, message] of [
    ['SELECT', 'unexpected token: <EOF>'],
    ['SELECT Id', 'unexpected token: <EOF>'],
    ['SELECT Id FRM Account', "unexpected token: 'FRM'"],
    ['SELECT Id FROM Account WHERE Name', 'unexpected token: <EOF>'],
    ["SELECT Id FROM Account WHERE Name = 'a' AND Site = 'b' OR Fax = 'c'", "unexpected token: 'OR'"],
    ["SELECT Id FROM Account WHERE NOT Name = 'a' AND Site = 'b'", "unexpected token: 'AND'"],
    ["SELECT Id FROM Account WHERE Name = 'a' AND NOT Site = 'b'", "unexpected token: 'NOT'"],
    ['SELECT Id FROM Account WHERE Name = :name', 'Bind variables only allowed in Apex code'],
    ['SELECT Id FROM Account WHERE Id IN :ids', 'Bind variables only allowed in Apex code'],
    ['SELECT Id FROM Account; DELETE', "line 1:22 no viable alternative at character ';'"],
    ['UPDATE Account', "unexpected token: 'UPDATE'"],
  ] as const) {
    test(text, async () =>
      assert.deepEqual(await fetchRefusal(o, text), { code: 'MALFORMED_QUERY', message }),
    )
  }

  test('with AND and OR in parentheses it may mix them', async () => {
    for (const condition of [
      "(Name = 'a' AND Site = 'b') OR Fax = 'c'",
      "Name = 'a' AND (Site = 'b' OR (NOT Fax = 'c'))",
      "(NOT (Name = 'a' OR Site = 'b')) AND Fax = 'c'",
    ])
      assert.equal((await ask(o, `SELECT Id FROM Account WHERE ${condition}`)).status, 200)
  })
})

test('the first error is reported: the text, then the object, then the fields from left to right, then conditions and order', async () => {
  const fetchCode = async (text: string) => (await fetchRefusal(o, text)).code
  const explain = async (text: string) => (await fetchRefusal(o, text)).message.split('\n').at(-1)
  assert.equal(await fetchCode('SELECT Nope FROM Nope__c LIMIT x'), 'MALFORMED_QUERY')
  assert.equal(await fetchCode('SELECT Nope FROM Nope__c WHERE Also = 1'), 'INVALID_TYPE')
  assert.equal(await explain('SELECT A, B FROM Account WHERE C = 1'), noColumn('A', 'Account'))
  assert.equal(await explain('SELECT Id, B FROM Account WHERE C = 1'), noColumn('B', 'Account'))
  assert.equal(await explain('SELECT Id FROM Account WHERE C = 1 ORDER BY D'), noColumn('C', 'Account'))
  assert.equal(await explain("SELECT Id FROM Account WHERE Name = 'a' ORDER BY D"), noColumn('D', 'Account'))
})

describe('the query resource', () => {
  test('needs a query', async () => {
    for (const path of [
      '/query',
      '/query/',
      '/query?q=',
      '/query?q=%20%0A+',
      '/query/?Q=SELECT+Id+FROM+Account',
    ]) {
      const answer = await o.call('GET', path)
      assert.equal(answer.status, 400)
      const message = 'A query string has to be specified'
      assert.deepEqual(answer.body, [{ message, errorCode: 'MALFORMED_QUERY', fields: [] }])
    }
  })

  test('knows GET and HEAD only', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of [queryPath('SELECT Id FROM Account'), '/query/0r8000000000001AAA-2000']) {
        const answer = await o.call(method, path, {
          body: method === 'DELETE' ? undefined : { q: 'SELECT Id' },
        })
        assert.equal(answer.status, 405)
        assert.equal(answer.body[0].errorCode, 'METHOD_NOT_ALLOWED')
        assert.equal(answer.headers.allow, 'GET, HEAD')
      }
    }
  })

  test('needs a token', async () => {
    const answer = await o.call('GET', queryPath('SELECT Id FROM Account'), {
      headers: { authorization: 'Bearer x' },
    })
    assert.equal(answer.status, 401)
    assert.equal(answer.body[0].errorCode, 'INVALID_SESSION_ID')
  })
})

describe('the corpus of the contract', () => {
  /** The refusal of all that a later version of the language will bring. */
  const later = (message: string) => /not supported yet/.test(message)

  test('valid statements run, or are refused as not supported yet', async () => {
    let ran = 0
    for (const { q } of CASES.filter((c) => c.valid)) {
      const answer = await ask(o, q)
      if (answer.status === 200) ran++
      else assert.ok(answer.status === 400 && later(answer.body[0].message), `${q}: ${answer.text}`)
    }
    assert.ok(ran >= 56, `${ran} ran`)
  })

  test('invalid statements are refused with their code', async () => {
    let refused = 0
    for (const { q, code, conf } of CASES.filter((c) => !c.valid)) {
      // An object that there is not yet.
      if (q.includes('AccountHistory')) continue
      const refusal = await fetchRefusal(o, q)
      if (later(refusal.message)) continue
      refused++
      if (conf === undefined) assert.equal(refusal.code, code, q)
    }
    assert.ok(refused >= 77, `${refused} refused`)
  })
})
