import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import {
  assertHalted,
  fetchResults,
  noValue,
  type Subrequest,
  statusesOf,
  step,
  V64,
} from '../support/composite.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { measureUsualTime } from '../support/processor-time.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let o: TestOrg
/** A record whose values try to be more than values, and one with values of every kind. */
let hostile: string
let rich: string

const HOSTILE = `a' OR Name != '"}\\,{"x":1}&q=%27 /../ +@{b.id}`

before(async () => {
  o = await openOrg({ settings: { bodyLimit: '300000' } })
  await o.deploy([SPECIMEN])
  hostile = await o.create('Specimen__c', { Name: HOSTILE, Text__c: `it's \\ %_"` })
  rich = await o.create('Specimen__c', {
    Name: 'rich',
    Count__c: 3,
    Ratio__c: -1.5,
    Flag__c: true,
    Day__c: '2024-02-29',
    Moment__c: '2024-02-29T12:00:00Z',
    Home__City__s: 'Oslo',
    Text__c: '3 OR 1',
    Area__c: 'Name',
    Phone__c: 'FROM',
  })
})

const read = (id: string, referenceId: string): Subrequest =>
  step('GET', `/sobjects/Specimen__c/${id}`, undefined, referenceId)
const create = (body: object, referenceId?: string): Subrequest =>
  step('POST', '/sobjects/Specimen__c', body, referenceId)
const query = (soql: string, referenceId?: string): Subrequest =>
  step('GET', `/query?q=${soql}`, undefined, referenceId)

/** The result of the last step. */
const fetchLast = async (steps: readonly Subrequest[], options?: Parameters<typeof fetchResults>[2]) =>
  (await fetchResults(o, steps, options)).at(-1)!

/** Returns the record that is stored from a body whose references are filled in. */
async function stored(body: object, ...before: readonly Subrequest[]) {
  const results = await fetchResults(o, [
    ...before,
    create(body, 'made'),
    step('GET', '/sobjects/Specimen__c/@{made.id}'),
  ])
  assert.equal(results.at(-1)!.httpStatusCode, 200, JSON.stringify(results.at(-2)!.body))
  return results.at(-1)!.body
}

describe('a reference in a body', () => {
  test('gives a child the id of a parent of the same call, in one transaction and without', async () => {
    for (const allOrNone of [true, false]) {
      const [account, contact, found] = await fetchResults(
        o,
        [
          step('POST', '/sobjects/Account', { Name: 'Parent' }, 'parent'),
          step('POST', '/sobjects/Contact', { LastName: 'Child', AccountId: '@{parent.id}' }, 'child'),
          query("SELECT Account.Name FROM Contact WHERE Id = '@{child.id}'"),
        ],
        { allOrNone },
      )
      assert.equal(contact!.httpStatusCode, 201, JSON.stringify(contact!.body))
      assert.equal(found!.body.records[0].Account.Name, 'Parent')
      assert.ok(account!.body.id)
    }
  })

  test('keeps the kind of the value when it is alone, and is text in a longer text', async () => {
    const record = await stored(
      {
        Count__c: '@{r.Count__c}',
        Ratio__c: '@{r.Ratio__c}',
        Flag__c: '@{r.Flag__c}',
        Day__c: '@{r.Day__c}',
        Moment__c: '@{r.Moment__c}',
        Text__c: '@{r.Name}2 @{r.Count__c}/@{r.Flag__c}',
      },
      read(rich, 'r'),
    )
    const { Count__c, Ratio__c, Flag__c, Day__c, Moment__c, Text__c } = record
    assert.deepEqual(
      [Count__c, Ratio__c, Flag__c, Day__c, Moment__c, Text__c],
      [3, -1.5, true, '2024-02-29', '2024-02-29T12:00:00.000+0000', 'rich2 3/true'],
    )
  })

  test('becomes text where the field is one, of whatever kind its value is', async () => {
    const texts = { Text__c: '@{r.Count__c}', Area__c: '@{r.Flag__c}', Color__c: '@{r.Ratio__c}' }
    const { Text__c, Area__c, Color__c } = await stored(texts, read(rich, 'r'))
    assert.deepEqual([Text__c, Area__c, Color__c], ['3', 'true', '-1.5'])
    const attributes = { type: 'Specimen__c' }
    const [, collected] = await fetchResults(o, [
      read(rich, 'r'),
      step('POST', '/composite/sobjects', {
        allOrNone: '@{r.Flag__c}',
        records: [{ attributes, Text__c: '@{r.Count__c}', Flag__c: '@{r.Flag__c}' }],
      }),
    ])
    assert.equal(collected!.body[0].success, true, JSON.stringify(collected!.body))
    const literal = await fetchLast([create({ Text__c: 3 })])
    assert.equal(literal.body[0].errorCode, 'JSON_PARSER_ERROR')
  })

  test('follows members and places in lists', async () => {
    const { Name, Text__c, Area__c } = await stored(
      { Name: '@{q.records[0].Name}', Text__c: '@{r.Home__c.city}', Area__c: '@{d.fields[0].name}' },
      query(`SELECT Name FROM Specimen__c WHERE Id = '${rich}'`, 'q'),
      read(rich, 'r'),
      step('GET', '/sobjects/Account/describe', undefined, 'd'),
    )
    assert.deepEqual([Name, Text__c, Area__c], ['rich', 'Oslo', 'Id'])
  })

  test('works in nested objects too', async () => {
    const account = await o.create('Account', { Name: 'Nested' })
    const { Account__c } = await stored(
      { Account__r: { Id: '@{a.Id}' } },
      step('GET', `/sobjects/Account/${account}`, undefined, 'a'),
    )
    assert.equal(Account__c, account)
  })

  test('is a value and nothing else: quotes, braces, backslashes and references in it change nothing', async () => {
    const { Name, Area__c } = await stored({ Name: '@{h.Name}', Area__c: '<@{h.Name}>' }, read(hostile, 'h'))
    assert.deepEqual([Name, Area__c], [HOSTILE, `<${HOSTILE}>`])
  })

  test('that never ends is text', async () => {
    const { Name, Text__c } = await stored({ Name: '@{h.Name', Text__c: '@{' })
    assert.deepEqual([Name, Text__c], ['@{h.Name', '@{'])
  })

  test('in the name of a member is no reference', async () => {
    const result = await fetchLast([read(rich, 'r'), create({ '@{r.Area__c}': 'x' })])
    assert.equal(result.body[0].message, "No such column '@{r.Area__c}' on sobject of type Specimen__c")
  })
})

describe('a reference in a url', () => {
  test('is one segment, or a part of one, whatever is in it', async () => {
    const made = await o.create('Specimen__c', { Name: 'by key', Key__c: `/${HOSTILE}?#%2F` })
    const results = await fetchResults(o, [
      read(made, 'k'),
      step('GET', '/sobjects/Specimen__c/Key__c/@{k.Key__c}'),
      step('GET', '/sobjects/Specimen__c/Key__c/%40%7Bk.Key__c%7D'),
      step('PATCH', '/sobjects/Specimen__c/Key__c/new-@{k.Key__c}', {}, 'n'),
      step('GET', '/sobjects/Specimen__c/@{n.id}?fields=Key__c'),
    ])
    assert.deepEqual(statusesOf(results), [200, 200, 200, 201, 200])
    assert.equal(results[1]!.body.Id, made)
    assert.equal(results[4]!.body.Key__c, `new-/${HOSTILE}?#%2F`)
  })

  test('is one parameter, or a part of one', async () => {
    const result = await fetchLast([
      read(rich, 'r'),
      step('GET', `/sobjects/Specimen__c/${rich}?fields=@{r.Area__c}`),
    ])
    assert.deepEqual(Object.keys(result.body), ['attributes', 'Name', 'Id'])
    const other = await fetchLast([
      read(hostile, 'h'),
      step('GET', `/sobjects/Specimen__c/${rich}?fields=@{h.Name}`),
    ])
    assert.equal(other.body[0].errorCode, 'INVALID_FIELD')
  })

  test('may not leave a segment empty: the path would name something else', async () => {
    const message = 'The reference @{r.Email__c} leaves a part of the url empty.'
    const emptied = [read(rich, 'r'), step('DELETE', '/sobjects/Specimen__c/@{r.Email__c}')]
    assertHalted(await fetchLast(emptied), message)
  })
})

describe('a reference in a query', () => {
  test('in quotes is text, whatever is in it', async () => {
    for (const encode of [(soql: string) => soql, encodeURIComponent]) {
      const [, equal, like, joined] = await fetchResults(o, [
        read(hostile, 'h'),
        query(encode("SELECT Id FROM Specimen__c WHERE Name = '@{h.Name}'")),
        query(encode("SELECT Id FROM Specimen__c WHERE Text__c LIKE '@{h.Text__c}%' LIMIT 10")),
        query(encode("SELECT Id FROM Specimen__c WHERE Name IN ('x\\'', '@{h.Name}') AND Id = '@{h.Id}'")),
      ])
      for (const result of [equal, like, joined]) {
        assert.equal(result!.httpStatusCode, 200, JSON.stringify(result!.body))
        assert.deepEqual(
          result!.body.records.map((record: { Id: string }) => record.Id).includes(hostile),
          true,
        )
      }
    }
  })

  test('elsewhere may be a number, a boolean, a date, a time, a name or an id', async () => {
    const [, ...results] = await fetchResults(o, [
      read(rich, 'r'),
      query(
        'SELECT @{r.Area__c} FROM Specimen__c WHERE Count__c = @{r.Count__c} AND Ratio__c = @{r.Ratio__c} LIMIT @{r.Count__c}',
      ),
      query('SELECT Id FROM Specimen__c WHERE Day__c = @{r.Day__c} AND Flag__c = @{r.Flag__c}'),
      query('SELECT Id FROM Specimen__c WHERE Moment__c %3D @{r.Moment__c} AND Email__c = @{r.Email__c}'),
    ])
    for (const { body } of results) {
      const ids = body.records.map(({ attributes }: { attributes: { url: string } }) =>
        attributes.url.split('/').at(-1),
      )
      assert.ok(ids.includes(rich), JSON.stringify(body))
      assert.ok(!ids.includes(hostile))
    }
  })

  test('elsewhere is refused when it would be more than one value, or a word of the language', async () => {
    for (const [id, expression] of [
      [hostile, 'h.Name'],
      [rich, 'h.Text__c'],
      [rich, 'h.Phone__c'],
    ] as const) {
      const result = await fetchLast([
        read(id, 'h'),
        query(`SELECT Id FROM Specimen__c WHERE Name = 'it\\'s' OR Count__c > @{${expression}}`),
      ])
      assertHalted(result, `The value of ${expression} can stand in a query in quotes only.`)
    }
  })

  test('is refused behind a backslash, which would take its first character', async () => {
    const result = await fetchLast([
      read(hostile, 'h'),
      query("SELECT Id FROM Account WHERE Name = '\\@{h.Name}'"),
    ])
    assertHalted(result, 'A backslash stands before the reference h.Name in a query.')
  })
})

describe('a reference without a value', () => {
  const steps = [
    read('a00000000000000AAA', 'missing'),
    create({ Name: 'ok' }, 'ok'),
    query("SELECT Id, Email__c, Home__c FROM Specimen__c WHERE Name = 'rich'", 'q'),
    query("SELECT Id FROM Account WHERE Name = 'nobody'", 'none'),
    step('PATCH', '/sobjects/Specimen__c/@{ok.id}', {}, 'updated'),
  ]

  test('keeps its step from being carried out, with the text that clients know', async () => {
    for (const expression of [
      'nobody.id',
      'missing.Id',
      'missing[0].message',
      'ok.Id',
      'ok.errors',
      'ok.errors[0].message',
      'ok',
      'updated.id',
      'none.records[0].Id',
      'q.records[0].AccountId',
      'q.records[0].Email__c',
      'q.records[0].Home__c',
      'q.records',
      'q.records[1000000000]',
      'q.records.0',
      'q.records.length',
      'later.id',
      'me.id',
      'OK.id',
      'ok.constructor',
      'ok.constructor.name',
      'ok.__proto__',
      'constructor.name',
      '__proto__.x',
      ' ok.id',
      'ok.id ',
      'ok..id',
      'ok.id.length',
      'ok[id]',
      '',
      '.',
      'ok.',
    ]) {
      const results = await fetchResults(o, [
        ...steps,
        create({ Name: `@{${expression}}` }, 'me'),
        step('GET', `/sobjects/Specimen__c/@{${expression}}`),
        query(`SELECT Id FROM Specimen__c WHERE Name = '@{${expression}}'`),
        create({ Name: 'later' }, 'later'),
      ])
      const [body, url, soql, later] = results.slice(steps.length)
      if (expression !== 'me.id') for (const one of [url!, soql!]) assertHalted(one, noValue(expression))
      assertHalted(body!, noValue(expression))
      assert.equal(later!.httpStatusCode, 201)
    }
  })

  test('in one of two steps lets the other one be', async () => {
    const results = await fetchResults(o, [
      create({ Nothing__c: 1 }, 'bad'),
      create({ Name: 'x@{bad.id}' }, 'dependent'),
      create({ Name: '@{dependent.id}' }),
      create({ Name: 'free' }),
    ])
    assert.deepEqual(statusesOf(results), [400, 400, 400, 201])
    assert.equal(results[2]!.body[0].message, noValue('dependent.id'))
  })

  test('that is long is shown in part', async () => {
    const result = await fetchLast([create({ Name: `@{${'x'.repeat(5000)}}` })])
    assert.ok(result.body[0].message.length < 1000)
  })
})

describe('a reference to null', () => {
  test('of a record is null since 52.0: alone null itself, in a longer text nothing', async () => {
    const { Email__c, Text__c, Name } = await stored(
      { Email__c: '@{r.Email__c}', Text__c: '<@{r.Email__c}>', Name: 'n' },
      read(rich, 'r'),
    )
    assert.deepEqual([Email__c, Text__c, Name], [null, '<>', 'n'])
  })

  test('of a record is refused before', async () => {
    const result = await fetchLast([read(rich, 'r'), create({ Email__c: '@{r.Email__c}' })], {
      version: '51.0',
    })
    assertHalted(result, noValue('r.Email__c'))
  })

  test('of a query is refused in every version', async () => {
    const soql = `SELECT Email__c FROM Specimen__c WHERE Id = '${rich}'`
    const result = await fetchLast([query(soql, 'q'), create({ Email__c: '@{q.records[0].Email__c}' })])
    assertHalted(result, noValue('q.records[0].Email__c'))
  })
})

describe('references that multiply what was sent', () => {
  test('are refused when the request becomes larger than a body may be', async () => {
    const long = await o.create('Specimen__c', { Long__c: 'x'.repeat(100_000) })
    const ref = '@{r.Long__c}'
    const results = await fetchResults(o, [
      read(long, 'r'),
      create({ Long__c: ref.repeat(4) }),
      create({ Long__c: `${ref}` }),
    ])
    const message = 'The request is larger than 300000 bytes once its references are filled in.'
    for (const result of results.slice(1)) assertHalted(result, message)
  })

  test('are refused when there are more than ten thousand', async () => {
    const result = await fetchLast([
      create({ Name: 'n' }, 'a'),
      create({ Long__c: '@{a.success}'.repeat(10_001) }),
    ])
    assertHalted(result, 'The request has more than 10000 references.')
  })

  test('are refused when the path of a url becomes longer than that of a request', async () => {
    const long = await o.create('Specimen__c', { Long__c: 'x'.repeat(5000) })
    const [, ...results] = await fetchResults(o, [
      read(long, 'r'),
      {
        method: 'GET',
        url: `/services/data/v64.0/sobjects/Specimen__c/${'@{r.Long__c}'.repeat(2)}`,
        referenceId: 'a',
      },
    ])
    const message = 'The path of the url is longer than 8192 characters with its references filled in.'
    for (const result of results) assertHalted(result, message)
  })

  test('cost no more than their length: openings without an end', async () => {
    const steps = [create({ Name: '@{'.repeat(70_000) }), create({ Name: '@{a.'.repeat(30_000) })]
    const seconds = await measureUsualTime(async () => {
      assert.equal((await fetchLast(steps)).body[0].errorCode, 'STRING_TOO_LONG')
    })
    assert.ok(seconds < 4, `${seconds}`)
  })

  test('in bodies that are nested too deeply are refused as everywhere', async () => {
    const deep = `${'['.repeat(50_000)}"@{a.id}"${']'.repeat(50_000)}`
    const text = `{"compositeRequest":[{"method":"POST","url":"${V64}/sobjects/Specimen__c","referenceId":"a","body":{"Name":${deep}}}]}`
    const answer = await o.call('POST', '/composite', { text })
    assertRefused(answer, 400, 'JSON_PARSER_ERROR', /^The text is nested deeper than 500 levels at /)
  })
})
