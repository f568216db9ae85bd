import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { step } from '../support/composite.ts'
import { deploy, fetchRefusals, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { measureUsualTime } from '../support/processor-time.ts'

/* The cost of formulas for the values that a client sends is counted while they run. */

const LONG = { type: 'longtextarea', length: 131_072 } as const
const rule = (condition: string) => ({ Rule: { condition, message: 'Met.' } })

const OBJECTS: Objects = {
  Literal__c: {
    fields: { Text__c: LONG },
    validations: rule('REGEX(Text__c, "(?s).*[0-9].{0,60}@.{0,60}z.*")'),
  },
  Pattern__c: {
    fields: { Text__c: LONG, Pattern__c: { type: 'string' } },
    validations: {
      ...rule('REGEX(Text__c, Pattern__c)'),
      Other: { condition: 'Text__c = "other"', message: 'Other.' },
    },
  },
  Upper__c: {
    fields: { Text__c: LONG },
    validations: rule(Array.from({ length: 5 }, (_, n) => `CONTAINS(UPPER(Text__c), "${n}")`).join(' || ')),
  },
  Default__c: {
    fields: { Same__c: { type: 'boolean', defaultFormula: 'REGEX(LPAD("a", 10000, "a"), "(a?b?){1000}")' } },
  },
}

const TOO_LONG = 'it would take too long: the texts or regular expressions of the record are too long'
const TOO_MANY = 'it would take too long for all of these records: write fewer at once'
const notEvaluated = (reason: string) => [
  {
    message: `The validation rule Rule cannot be evaluated: ${reason}`,
    errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
    fields: [],
  },
]

let o: TestOrg

before(async () => {
  o = await openOrg()
  const answer = await deploy(o, OBJECTS)
  assert.equal(answer.status, 200, answer.text)
})

/** The errors of a new record; empty if it was created. */
async function create(object: string, fields: object): Promise<object[]> {
  const { status, body } = await o.call('POST', `/sobjects/${object}`, { body: fields })
  return status === 201 ? [] : body
}

test('a regular expression is matched with long texts as long as both together cost little', async () => {
  const Text__c = 'a'.repeat(130_000)
  assert.deepEqual(await create('Pattern__c', { Text__c, Pattern__c: '[b-z]*' }), [])
  assert.equal((await create('Pattern__c', { Text__c, Pattern__c: 'a*' })).length, 1)
  assert.deepEqual(await create('Literal__c', { Text__c: Text__c.slice(0, 2000) }), [])
})

test('a regular expression costs no more of a text than it can match', async () => {
  const states = Array.from({ length: 60 }, (_, n) => String.fromCharCode(65 + (n % 26), 65 + n / 3)).join(
    '|',
  )
  const Text__c = 'AA'.repeat(65_000)
  assert.deepEqual(await create('Pattern__c', { Text__c, Pattern__c: `^(${states})$` }), [])
  assert.deepEqual(await create('Pattern__c', { Text__c, Pattern__c: `(?:${states}){1,3}` }), [])
  for (const endless of [`(${states})*`, `(${states})+`, `(${states}){2,}`, `((${states}){1,2}|x*)z`]) {
    assert.deepEqual(await create('Pattern__c', { Text__c, Pattern__c: endless }), notEvaluated(TOO_LONG))
  }
})

test('a rule with a regular expression refuses a record for which it would take too long', async () => {
  const Text__c = 'ab'.repeat(65_000)
  const seconds = await measureUsualTime(async () => {
    assert.deepEqual(await create('Literal__c', { Text__c }), notEvaluated(TOO_LONG))
    // No other rule is evaluated then.
    const Pattern__c = '[ab]*a[ab]{500}c'
    assert.deepEqual(await create('Pattern__c', { Text__c, Pattern__c }), notEvaluated(TOO_LONG))
  })
  // They took two seconds.
  assert.ok(seconds < 1, `${seconds}`)
})

test('a regular expression whose repetitions are long is refused before it is compiled', async () => {
  const message = 'A regular expression may have at most 5000 characters with its repetitions written out'
  const costly = [
    'a{1000}'.repeat(35),
    '(abcdefghij){1000}',
    '((ab){100}){100}',
    '(\\Q)\\Eabcdef){1000}',
    '([)]abcdef){1000}',
    '(?:\\)\\(abcd){2,1000}',
  ]
  for (const Pattern__c of costly) {
    assert.deepEqual(
      await create('Pattern__c', { Text__c: 'a', Pattern__c }),
      notEvaluated(message),
      Pattern__c,
    )
  }
  for (const Pattern__c of [
    '\\x{2013}\\x{4e00}\\x{9fff}',
    '[a-z]{1,255}@[a-z]{1,255}',
    '\\Q{1000}{1000}\\E',
  ]) {
    assert.deepEqual(await create('Pattern__c', { Text__c: 'x', Pattern__c }), [], Pattern__c)
  }
  const [problem] = await fetchRefusals(o, {
    Deployed__c: { fields: { Text__c: LONG }, validations: rule('REGEX(Text__c, "(abcdefghij){1000}")') },
  })
  assert.ok(problem!.includes(message), problem)
})

test('patterns that go back count all that they look at: marks, copies of groups and members of classes', async () => {
  const letters = Array.from({ length: 60 }, (_, n) => String.fromCodePoint(0x4_30 + n)).join('')
  for (const [Text__c, Pattern__c] of [
    [`a${'\u0301'.repeat(100_000)}`, '.*\\bx\\b.*'],
    ['a'.repeat(130_000), '(?:(b){1600}|(?:(?!b)a)*)c'],
    ['a'.repeat(130_000), `(?iu)(?=a)(?:[z${letters}]|a)*b`],
  ] as const) {
    const seconds = await measureUsualTime(async () => {
      const [refusal] = (await create('Pattern__c', { Text__c, Pattern__c })) as { message: string }[]
      assert.match(refusal!.message, /cannot be evaluated: .*too (long|complicated)/, Pattern__c)
    })
    // The first one took minutes.
    assert.ok(seconds < 2, `${Pattern__c}: ${seconds}`)
  }
})

test('costs of functions add up, for a record and for all records of a list', async () => {
  const Text__c = 'x'.repeat(131_000)
  assert.deepEqual(await create('Upper__c', { Text__c }), notEvaluated(TOO_LONG))
  const attributes = { type: 'Upper__c' }
  const records = Array.from({ length: 50 }, () => ({ attributes, Text__c: Text__c.slice(0, 60_000) }))
  const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
  assert.equal(body[0].success, true)
  const last = body.at(-1)
  assert.deepEqual(
    last.errors.map(({ message }: { message: string }) => message),
    [`The validation rule Rule cannot be evaluated: ${TOO_MANY}`],
  )
})

test('costs add up over the steps of a call', async () => {
  const attributes = { type: 'Upper__c' }
  const records = Array.from({ length: 30 }, () => ({ attributes, Text__c: 'x'.repeat(60_000) }))
  const steps = Array.from({ length: 5 }, (_, i) => step('POST', '/composite/sobjects', { records }, `s${i}`))
  const { body } = await o.call('POST', '/composite', { body: { compositeRequest: steps } })
  const [first, last] = [body.compositeResponse[0].body, body.compositeResponse.at(-1).body]
  assert.ok(first.every(({ success }: { success: boolean }) => success))
  assert.match(last.at(-1).errors[0].message, /it would take too long for all records of this call/)
})

test('a default value that would take too long refuses the record', async () => {
  assert.deepEqual(await create('Default__c', { Same__c: true }), [])
  assert.deepEqual(await create('Default__c', {}), [
    {
      message: `Same: the default value cannot be computed: ${TOO_LONG}`,
      errorCode: 'FIELD_INTEGRITY_EXCEPTION',
      fields: ['Same__c'],
    },
  ])
})
