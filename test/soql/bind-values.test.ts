import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../src/base/api-error.ts'
import { bindValues } from '../../src/soql/analyze/bind-values.ts'
import { parseQuery } from '../../src/soql/parse/parser.ts'
import { fetchRecords } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { makePattern, TEXTS } from './bound-texts.ts'
import { refusal, shape } from './parsed.ts'
import { PAYLOADS } from './payloads.ts'

const SELECT = 'SELECT Id FROM A WHERE '

/** Returns a condition with its values bound. */
const bound = (condition: string, values: Record<string, unknown>) =>
  bindValues(SELECT + condition, values).slice(SELECT.length)

/** The literal that a value becomes. */
function literal(value: unknown): { kind: string; value?: unknown } {
  const condition = parseQuery(bindValues(`${SELECT}f = :v`, { v: value })).where!
  assert.ok(condition.kind === 'comparison')
  return shape(condition.value) as { kind: string }
}

/** The message that values are refused with. */
function refused(text: string, values: Record<string, unknown>): string {
  try {
    bindValues(text, values)
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'MALFORMED_QUERY', `${text}: ${error}`)
    return error.message
  }
  return assert.fail(`binds: ${text}`)
}

const refusedValue = (value: unknown, condition = 'f = :v') => refused(SELECT + condition, { v: value })

describe('a text', () => {
  test('is the value of its literal, whatever it holds', () => {
    fc.assert(fc.property(TEXTS, (text) => assert.deepEqual(literal(text), { kind: 'string', value: text })))
  })

  test('leaves the query whole, in its rows, and fit to be sent', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        const query = bound('f = :v', { v: text })
        assert.ok(query.isWellFormed())
        assert.doesNotMatch(query, /\p{Cc}/u)
      }),
    )
  })

  test('that was made to break out stays in', () => {
    assert.equal(bound('f = :v', { v: "' OR Name != '" }), "f = '\\' OR Name != \\''")
    assert.equal(bound('f = :v', { v: "\\' OR Name != null" }), "f = '\\\\\\' OR Name != null'")
    assert.equal(bound('f = :v', { v: 'x\\' }), "f = 'x\\\\'")
    assert.equal(bound('f = :v', { v: '\\u0027' }), "f = '\\\\u0027'")
    assert.equal(bound('f = :v AND g = :w', { v: ':w', w: ':v' }), "f = ':w' AND g = ':v'")
    assert.equal(bound('f IN :v', { v: ["a','b", ') OR (a = 1'] }), "f IN ('a\\',\\'b',') OR (a = 1')")
  })
})

describe('a value becomes its literal:', () => {
  test('any finite number, with all its digits', () => {
    for (const [number, text] of [
      [0, '0'],
      [-0, '0'],
      [-12.5, '-12.5'],
      [1e21, '1000000000000000000000'],
      [-1.25e21, '-1250000000000000000000'],
      [1e-7, '0.0000001'],
      [-1.5e-7, '-0.00000015'],
    ] as const) {
      assert.equal(bound('f = :v', { v: number }), `f = ${text}`)
    }
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(fc.oneof(numbers, fc.maxSafeInteger()), (number) => {
        assert.deepEqual(literal(number), { kind: 'number', value: number === 0 ? 0 : number })
      }),
      { examples: [[Number.MAX_VALUE], [Number.MIN_VALUE], [-Number.MIN_VALUE], [Number.EPSILON]] },
    )
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 300n), max: 10n ** 300n }), (number) => {
        assert.equal(bound('f = :v', { v: number }), `f = ${number}`)
        assert.deepEqual(literal(number), { kind: 'number', value: Number(number) })
      }),
    )
  })

  test('booleans and null', () => {
    assert.deepEqual(literal(true), { kind: 'boolean', value: true })
    assert.deepEqual(literal(false), { kind: 'boolean', value: false })
    assert.deepEqual(literal(null), { kind: 'null' })
  })

  test('a datetime is a Date, a date an object with its date, and a string that looks like one a string', () => {
    const [first, last] = [Date.UTC(1700), Date.UTC(4001) - 1]
    fc.assert(
      fc.property(fc.date({ min: new Date(first), max: new Date(last), noInvalidDate: true }), (date) => {
        const iso = date.toISOString()
        assert.deepEqual(literal(date), { kind: 'datetime', value: iso })
        assert.deepEqual(literal({ date: iso.slice(0, 10) }), { kind: 'date', value: iso.slice(0, 10) })
        assert.deepEqual(literal(iso), { kind: 'string', value: iso })
        assert.deepEqual(literal(iso.slice(0, 10)), { kind: 'string', value: iso.slice(0, 10) })
      }),
    )
  })

  test('an array after IN, INCLUDES and EXCLUDES, of values of every kind', () => {
    const mixed = ["O'Neil", 5, 7n, false, null, { date: '2026-01-31' }, new Date(0)]
    const list = "('O\\'Neil',5,7,false,null,2026-01-31,1970-01-01T00:00:00.000Z)"
    for (const word of ['IN', 'NOT IN', 'INCLUDES', 'excludes']) {
      assert.equal(bound(`f ${word} :vs`, { vs: mixed }), `f ${word} ${list}`)
    }
    assert.equal(bound('f IN (:a, :b,NULL)', { a: 'x', b: 2 }), "f IN ('x', 2,NULL)")
    fc.assert(
      fc.property(fc.array(TEXTS, { minLength: 1 }), (values) => {
        const { where } = parseQuery(bindValues(`${SELECT}f IN :vs`, { vs: values }))
        const literals = values.map((value) => ({ kind: 'string', value }))
        assert.ok(where?.kind === 'in')
        assert.deepEqual(shape(where.values), shape(literals))
      }),
    )
  })

  test('a text after LIKE is the pattern: an escaped wildcard in it stands for itself', () => {
    for (const [value, source] of [
      ['50%', "'50%'"],
      ['50\\%_', "'50\\%_'"],
      ['a\\\\%', "'a\\\\%'"],
      ['a\\b\\', "'a\\\\b\\\\'"],
      ["\\'%", "'\\\\\\'%'"],
    ] as const) {
      assert.equal(bound('f LIKE :v', { v: value }), `f LIKE ${source}`)
      const { where } = parseQuery(bindValues(`${SELECT}f LIKE :v`, { v: value }))
      assert.ok(where?.kind === 'like' && where.value.kind === 'pattern')
      assert.equal(where.value.value, makePattern(value))
    }
    assert.equal(bound('f LIKE :v', { v: null }), 'f LIKE null')
  })

  test('a number that counts', () => {
    const text = 'SELECT Id FROM A WHERE f = LAST_N_DAYS:days LIMIT :max OFFSET :from'
    const expected = 'SELECT Id FROM A WHERE f = LAST_N_DAYS:30 LIMIT 5 OFFSET 0'
    assert.equal(bindValues(text, { days: 30, max: 5n, from: 0 }), expected)
  })
})

describe('a variable', () => {
  test('is found by exactly its name; blanks after the colon and values that are not used do no harm', () => {
    const values = { name: 'a', Name: 'b', in: 'c', select: 'd', limit: 1, unused: undefined }
    assert.equal(bound('f=:name OR f= :Name', values), "f='a' OR f= 'b'")
    assert.equal(bound('f = : name', values), "f = 'a'")
    assert.equal(bound('f IN (:in,:select,:name) OR f IN (:limit)', values), "f IN ('c','d','a') OR f IN (1)")
    assert.equal(bindValues('SELECT Id FROM A', values), 'SELECT Id FROM A')
  })

  test('that does not exist is refused, with the name that was probably meant', () => {
    assert.equal(refused(`${SELECT}f = :name`, {}), 'Variable does not exist: name')
    assert.equal(
      refused(`${SELECT}f = :nmae`, { ids: [], name: 'a' }),
      'Variable does not exist: nmae; did you mean name?',
    )
    assert.equal(
      refused(`${SELECT}f = :Name`, { name: 'a' }),
      'Variable does not exist: Name; did you mean name?',
    )
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      assert.equal(refused(`${SELECT}f = :${name}`, {}), `Variable does not exist: ${name}`)
    }
    const inherited = Object.create({ name: 'a' })
    assert.equal(refused(`${SELECT}f = :name`, inherited), 'Variable does not exist: name')
    assert.match(refused(`${SELECT}f = :__proto__`, { ['__proto__']: 'a' }), /no viable alternative.*'_'$/)
    assert.equal(bound('f = :name', Object.assign(Object.create(null), { name: 'a' })), "f = 'a'")
  })

  test('is not in strings, in times and moments, or after a counted date', () => {
    for (const condition of [
      "f = ':v'",
      "f = 'it\\':v' OR g = '\\\\:v'",
      "f = ':v' AND g IN (':v', '\":v')",
      'f = LAST_N_DAYS:5 AND g > N_YEARS_AGO : 2',
      'f = 09:30:00Z',
      'f > 2026-01-31T09:30:00+02:00 AND f < 2026-01-31T09:30:00.000Z',
    ]) {
      assert.equal(bound(condition, { v: 'x' }), condition)
      parseQuery(bindValues(SELECT + condition, { v: 'x' }))
    }
    const both = "f = ':v' AND t > 09:30:00Z AND g = :v AND d = LAST_N_DAYS:5"
    assert.equal(bound(both, { v: "':v" }), both.replace('= :v', "= '\\':v'"))
  })

  test('is not where no value can stand: the parser refuses it there', () => {
    for (const text of [
      'SELECT :v FROM A',
      'SELECT Id, :v FROM A',
      'SELECT COUNT(:v) FROM A',
      'SELECT a.:v FROM A',
      'SELECT Id FROM :v',
      'SELECT Id FROM A :v',
      'SELECT Id FROM A, :v',
      'SELECT Id FROM A WHERE :v = 1',
      'SELECT Id FROM A WHERE f :v 1',
      'SELECT Id FROM A WHERE f = (:v)',
      'SELECT Id FROM A WHERE f IN (SELECT a, :v FROM B)',
      'SELECT Id FROM A WHERE f = LAST_N_DAYS::v',
      'SELECT Id FROM A ORDER BY Name, :v',
      'SELECT COUNT(Id) FROM A WHERE f IN (1) GROUP BY Name, :v',
      ':v',
    ]) {
      assert.equal(bindValues(text, { v: true }), text)
      refusal(text)
    }
  })

  test('does not grow together with what stands beside it', () => {
    const values = { y: 2026, h: 12, d: { date: '2026-01-31' }, ids: ['a'] }
    assert.equal(bound('f IN:ids', values), "f IN ('a')")
    assert.equal(bindValues('SELECT Id FROM A LIMIT:h', values), 'SELECT Id FROM A LIMIT 12')
    for (const condition of ['f = :y-01-01', 'f = :h:30:00Z', 'f = :y.5', 'f = :d+1', 'f = :h:y']) {
      refusal(bindValues(SELECT + condition, values))
    }
  })
})

describe('refused is', () => {
  test('a value that was forgotten', () => {
    const why = 'is undefined: a query has no literal for it'
    assert.equal(refusedValue(undefined), `Variable v ${why}`)
    assert.equal(refusedValue(['a', undefined], 'f IN :v'), `Variable v[1] ${why}`)
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    assert.equal(refusedValue([, 'a'], 'f IN :v'), `Variable v[0] ${why}`)
    assert.match(refusedValue(undefined, 'f IN :v'), /^Variable v is undefined: /)
    assert.match(refusedValue(undefined, 'f LIKE :v'), /^Variable v is undefined: /)
  })

  test('a text with the character 0', () => {
    const why = 'is a string: a string must not contain the character U+0000'
    assert.equal(refusedValue('a\0b'), `Variable v ${why}`)
    assert.equal(refusedValue('a\0b', 'f LIKE :v'), `Variable v ${why}`)
    assert.equal(refusedValue(['\0'], 'f IN :v'), `Variable v[0] ${why}`)
  })

  test('a text longer than the language has', () => {
    parseQuery(bindValues(`${SELECT}f = :v`, { v: "'".repeat(4000) }))
    assert.match(refusal(bindValues(`${SELECT}f = :v`, { v: 'x'.repeat(4001) })), /4000 characters/)
  })

  test('a number that is none', () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      assert.equal(refusedValue(number), `Variable v is ${number}: a query has no literal for it`)
    }
  })

  test('a date that does not exist', () => {
    assert.equal(
      refusedValue(new Date(Number.NaN)),
      'Variable v is an invalid Date: a query has no literal for it',
    )
    assert.match(refusedValue(new Date(Date.UTC(4001))), /^Invalid datetime: 4001-/)
    assert.match(refusedValue(new Date(-1e14)), /^Invalid datetime: -001199-/)
    assert.match(refusedValue(new Date(8.64e15)), /^Invalid datetime: \+275760-/)
    const day = '2026-01-31'
    const around = [` ${day}`, `${day}\n`, `'${day}'`, `${day}T00:00:00Z`, `${day} OR f != null`]
    for (const date of ['2026-02-30', '26-01-31', '2026-1-31', '', 'TODAY', ...around]) {
      assert.equal(refusedValue({ date }), `Invalid date: ${date}`)
    }
  })

  test('what is no value', () => {
    for (const value of [{}, { date: 5 }, { date: null }, { date: new Date(0) }, new Set(['a']), /x/]) {
      assert.equal(refusedValue(value), 'Variable v is an object: a query has no literal for it')
    }
    assert.equal(refusedValue(Symbol('x')), 'Variable v is a symbol: a query has no literal for it')
    assert.equal(
      refusedValue(() => 'x'),
      'Variable v is a function: a query has no literal for it',
    )
  })

  test('an array that is empty, in another one, or where one value stands', () => {
    assert.equal(refusedValue([], 'f IN :v'), 'Variable v is an array: a list must not be empty')
    const location =
      'is an array: an array is allowed only after IN, INCLUDES and EXCLUDES, without parentheses'
    assert.equal(refusedValue(['a', ['b']], 'f IN :v'), `Variable v[1] ${location}`)
    assert.equal(refusedValue(['a']), `Variable v ${location}`)
    assert.equal(refusedValue(['a'], 'f IN (:v)'), `Variable v ${location}`)
    assert.equal(refusedValue(['a'], 'f LIKE :v'), 'Variable v is an array: LIKE takes a string')
  })

  test('one value where a list, a pattern or a count stands', () => {
    for (const [value, kind] of [
      ['a', 'a string'],
      [5, '5'],
      [null, 'null'],
      [new Set(['a']), 'an object'],
    ]) {
      const why = 'IN, INCLUDES and EXCLUDES take an array'
      assert.equal(refusedValue(value, 'f NOT IN :v'), `Variable v is ${kind}: ${why}`)
    }
    assert.equal(refusedValue(true, 'f LIKE :v'), 'Variable v is a boolean: LIKE takes a string')
    const why = 'a whole number of 0 or more is required here'
    for (const location of ['f = 1 LIMIT :v', 'f = 1 OFFSET :v', 'f = NEXT_N_WEEKS:v']) {
      for (const [value, kind] of [
        ['5', 'a string'],
        [-1, '-1'],
        [1.5, '1.5'],
        [1e21, '1e+21'],
        [-1n, 'a bigint'],
        [null, 'null'],
        [[5], 'an array'],
      ]) {
        assert.equal(refusedValue(value, location), `Variable v is ${kind}: ${why}`)
      }
    }
  })

  test('a text that is no query, as without variables: with its place in what the author wrote', () => {
    const values = { v: 'much longer than its name' }
    for (const rest of [' AND g = §', ' AND g = "x"', " AND g = 'x", ' AND g ! 1', ' AND g = 1e5']) {
      assert.equal(refused(`${SELECT}f = :v${rest}`, values), refusal(`${SELECT}f = 1 ${rest}`))
    }
    assert.equal(refusal(bindValues(`${SELECT}f = :v g`, values)), "unexpected token: 'g'")
  })
})

describe('through the API', () => {
  let o: TestOrg
  /** Last names as they are stored, by the ids of their contacts. */
  const stored = new Map<string, string>()

  before(async () => {
    o = await openOrg()
    for (const LastName of [...PAYLOADS, "O'Neil", 'two\nrows', 'a\tb', '100%', '100x', 'a\\_b', ':v']) {
      await o.call('POST', '/sobjects/Contact', { body: { LastName } })
    }
    for (const { Id, LastName } of await fetchRecords(o, 'SELECT Id, LastName FROM Contact')) {
      stored.set(String(Id), String(LastName))
    }
    assert.ok(stored.size > PAYLOADS.length)
  })

  const fetchIds = async (condition: string, values: Record<string, unknown>) => {
    const text = bindValues(`SELECT Id FROM Contact WHERE ${condition}`, values)
    return (await fetchRecords(o, text)).map(({ Id }) => String(Id)).sort()
  }
  const alike = (name: string) =>
    [...stored].flatMap(([id, other]) => (other.toUpperCase() === name.toUpperCase() ? [id] : [])).sort()

  test('a hostile name finds exactly its record', async () => {
    for (const [id, name] of stored) {
      assert.ok(alike(name).includes(id))
      assert.deepEqual(await fetchIds('LastName = :name', { name }), alike(name), name)
      assert.deepEqual(await fetchIds('LastName IN :names', { names: [name] }), alike(name), name)
      assert.deepEqual(await fetchIds('LastName = :name AND Id IN :ids', { name, ids: [id] }), [id], name)
      const pattern = name.replaceAll(/[\\%_]/g, '\\$&')
      assert.deepEqual(await fetchIds('LastName LIKE :pattern', { pattern }), alike(name), name)
    }
  })

  test('a text that nobody is called finds nothing, whatever it says', async () => {
    for (const payload of PAYLOADS.filter((text) => !text.includes('\0'))) {
      assert.deepEqual(await fetchIds('LastName = :v', { v: `nobody ${payload} nobody` }), [], payload)
    }
  })

  test('a list finds all of its records, one with null those without a value too', async () => {
    const ids = [...stored.keys()].sort()
    const half = ids.slice(0, ids.length / 2)
    assert.deepEqual(await fetchIds('Id IN :half', { half }), half)
    assert.deepEqual(await fetchIds('Id NOT IN :half', { half }), ids.slice(ids.length / 2))
    assert.deepEqual(await fetchIds('Email IN :emails', { emails: ['ada@example.com', null] }), ids)
  })

  test('numbers, booleans, dates and datetimes are compared with fields of their kinds', async () => {
    const from = new Date(Date.now() - 60_000)
    const id = await o.create('Opportunity', {
      Name: 'First',
      StageName: 'Prospecting',
      CloseDate: '2026-01-31',
      Amount: 1234567.5,
    })
    const numbers = { amount: 1234567.5, big: 1e21, small: 1e-7, days: 3, max: 1 }
    const values = { ...numbers, day: { date: '2026-01-31' }, from, no: false }
    const conditions = [
      'Amount = :amount',
      'Amount < :big AND Amount > :small',
      'CloseDate = :day',
      'CloseDate IN (:day)',
      'CreatedDate >= :from',
      'IsDeleted = :no',
      'CreatedDate = LAST_N_DAYS:days',
    ]
    for (const condition of conditions) {
      const text = bindValues(`SELECT Id FROM Opportunity WHERE ${condition} LIMIT :max`, values)
      assert.deepEqual(await fetchRecords(o, text), [{ Id: id }], text)
    }
  })
})
