import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../src/base/api-error.ts'
import { parseEffectText, parseFaultPlan } from '../../src/faults/fault-plan.ts'
import { appliesTo } from '../../src/faults/match-call.ts'

const numbers = (max: number) => Array.from({ length: max }, (_, index) => index + 1)
const count = fc.integer({ min: 1, max: 50 })

describe('which of the calls that fit a plan it strikes', () => {
  test('all of them when it does not say', () => {
    fc.assert(fc.property(count, (number) => appliesTo({}, number)))
  })

  test('nth: that one and no other', () => {
    fc.assert(
      fc.property(count, (nth) => {
        assert.deepEqual(
          numbers(60).filter((number) => appliesTo({ nth }, number)),
          [nth],
        )
      }),
    )
  })

  test('every: each that it divides', () => {
    fc.assert(
      fc.property(count, count, (every, number) => appliesTo({ every }, number) === (number % every === 0)),
    )
  })

  test('percent: the same ones for a seed every time, more of them for more percent', () => {
    const struck = (percent: number, seed: number) =>
      numbers(200).filter((number) => appliesTo({ percent, seed }, number))
    const percents = fc.tuple(fc.double({ min: 0, max: 100, noNaN: true }), fc.integer())
    fc.assert(
      fc.property(percents, ([percent, seed]) => {
        const some = struck(percent, seed)
        assert.deepEqual(struck(percent, seed), some)
        const more = new Set(struck(Math.min(100, percent + 10), seed))
        assert.ok(some.every((number) => more.has(number)))
        assert.deepEqual([struck(0, seed).length, struck(100, seed).length], [0, 200])
      }),
    )
    assert.notDeepEqual(struck(50, 1), struck(50, 2))
    const many = numbers(10_000).filter((number) => appliesTo({ percent: 20, seed: 7 }, number)).length
    assert.ok(Math.abs(many - 2000) < 200, String(many))
  })
})

const refusal = (parse: () => unknown): string => {
  try {
    parse()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_INPUT') return error.message
    throw error
  }
  return assert.fail('it was not refused')
}

describe('a plan that cannot be meant', () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [undefined, 'The plan is missing'],
    [[], 'The plan must be a map of names to values, not []'],
    [{}, 'effect is missing'],
    [
      { efect: { latency: 1 } },
      'effect is missing; efect "efect" means nothing for a fault plan; did you mean effect?',
    ],
    [
      { match: { methd: 'GET' }, effect: { latency: 1 } },
      'match.methd "methd" means nothing for a fault plan; did you mean method?',
    ],
    [
      { match: { method: 'get' }, effect: { latency: 1 } },
      'match.method must be GET or HEAD or POST or PUT or PATCH or DELETE, not "get"; did you mean GET?',
    ],
    [
      { match: { route: 'query' }, effect: { latency: 1 } },
      'match.route is a route like /sobjects/:object/:id, with a * at most at its end, or one of token, authorize, login, device, soap',
    ],
    [
      { match: { nth: 1, every: 2 }, effect: { latency: 1 } },
      'match.every is one too many of nth, every, percent',
    ],
    [{ match: { seed: 1 }, effect: { latency: 1 } }, 'match.seed means nothing without percent'],
    [{ match: { nth: 0 }, effect: { latency: 1 } }, 'match.nth must be at least 1, not 0'],
    [
      { until: { time: 'tomorrow' }, effect: { latency: 1 } },
      'until.time must be a moment like 2026-12-31T23:59:59Z',
    ],
    [
      { effect: { latency: 1, pageRows: 2 } },
      'effect.pageRows is one too many: a plan has one effect, latency',
    ],
    [{ effect: { latency: 600_001 } }, 'effect.latency must be at most 600000, not 600001'],
    [
      { effect: { status: 501 } },
      'effect.status must be 420 or 500 or 502 or 503 or 504, not 501; did you mean 500?',
    ],
    [
      { effect: { error: { code: 'NOT_FUOND' } } },
      'effect.error.code must be a code that stands in docs/reference/errors.md, not "NOT_FUOND"; did you mean NOT_FOUND?',
    ],
    [
      { match: { step: 1 }, effect: { cut: 'afterCommit' } },
      'effect.cut strikes a call as a whole and no step of it: leave match.step out',
    ],
    [
      { match: { step: 1 }, effect: { status: 502 } },
      'effect.status strikes a call as a whole and no step of it: leave match.step out',
    ],
  ]
  for (const [plan, message] of wrong) {
    test(`is refused by its members: ${message}`, () => {
      assert.equal(
        refusal(() => parseFaultPlan(plan)),
        message,
      )
    })
  }

  test('is refused when it names a channel for what strikes calls alone', () => {
    assert.match(
      refusal(() => parseFaultPlan({ match: { channel: '/event/*' }, effect: { retired: true } })),
      /^match\.channel means nothing for retired$/,
    )
  })

  test('is refused when it has no effect, with all that there are', () => {
    assert.match(
      refusal(() => parseFaultPlan({ effect: {} })),
      /^effect has to be one of token, error, status, .*, event$/,
    )
  })
})

describe('an effect in a few characters', () => {
  for (const [text, effect] of [
    ['limit=total', { limit: 'total' }],
    [' status = 503 ', { status: 503 }],
    ['retired', { retired: true }],
    ['retired=true', { retired: true }],
    ['error=NOT_FOUND', { error: { code: 'NOT_FOUND' } }],
    ['{"error":{"code":"NOT_FOUND","message":"a=b"}}', { error: { code: 'NOT_FOUND', message: 'a=b' } }],
  ] as const) {
    test(`is read: ${text}`, () => assert.deepEqual(parseEffectText(text), effect))
  }

  for (const [text, message] of [
    ['', /^effect\. "" means nothing for an effect; effect has to be one of token, /],
    ['{', /^effect is no JSON$/],
    [
      'limt=total',
      /^effect\.limt "limt" means nothing for an effect; did you mean limit\?; effect has to be /,
    ],
    ['limit=all', /^effect\.limit must be total or concurrent or perSecond or deliveries, not "all"$/],
  ] as const) {
    test(`is refused: ${text}`, () => {
      assert.match(
        refusal(() => parseEffectText(text)),
        message,
      )
    })
  }
})
