import { z } from 'zod'
import { ApiError } from '../base/api-error.ts'
import { ERROR_CODES } from '../base/error-codes.ts'
import { didYouMean } from '../base/nearest.ts'
import { findSchemaProblems, type SchemaProblem, shown } from '../base/schema-problems.ts'
import { findNamedRoutes, ROUTE_NAMES, TOKEN_ROUTE } from './log-ins/log-in-routes.ts'
import { GRANT_CHOICES, OAUTH_ERRORS, type OAuthErrorName } from './log-ins/oauth-errors.ts'
import { isAboutFollowers } from './match-call.ts'

/*
 * The format of fault plans. Only code that parses plans imports this file; stored plans were checked before.
 */

/** Maximum latency of a call. */
const MAX_LATENCY_MS = 600_000

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const text = z.string().min(1).max(1000)
const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

const MATCH = z
  .strictObject({
    route: text
      .refine((route) => /^\/[^*]*\*?$/.test(route) || ROUTE_NAMES.includes(route), {
        error: `is a route like /sobjects/:object/:id, with a * at most at its end, or one of ${ROUTE_NAMES.join(', ')}`,
      })
      .optional(),
    method: z.enum(METHODS).optional(),
    grant: z.enum(GRANT_CHOICES).optional(),
    channel: text
      .regex(/^\/[^*]*\*?$/, 'is a channel like /data/AccountChangeEvent, with a * at most at its end')
      .optional(),
    app: text.optional(),
    user: text.optional(),
    version: z.int().min(1).max(999).optional(),
    step: z.int().min(1).max(500).optional(),
    nth: number.optional(),
    every: number.optional(),
    percent: z.number().min(0).max(100).optional(),
    seed: z.int().optional(),
  })
  .superRefine((match, { addIssue }) => {
    const [, second] = (['nth', 'every', 'percent'] as const).filter((name) => match[name] !== undefined)
    if (second !== undefined) {
      addIssue({ code: 'custom', path: [second], message: 'is one too many of nth, every, percent' })
    }
    const { route = TOKEN_ROUTE } = match
    if (
      match.grant !== undefined &&
      !findNamedRoutes(route).some((one) => TOKEN_ROUTE.startsWith(one.replace(/\*$/, '')))
    ) {
      addIssue({ code: 'custom', path: ['grant'], message: `means nothing for ${route}` })
    }
    if (match.seed !== undefined && match.percent === undefined) {
      addIssue({ code: 'custom', path: ['seed'], message: 'means nothing without percent' })
    }
  })

const UNTIL = z.strictObject({
  count: number.optional(),
  time: z.iso.datetime({ offset: true, error: 'must be a moment like 2026-12-31T23:59:59Z' }).optional(),
})

const isCode = (code: string) => Object.hasOwn(ERROR_CODES, code)

const ERROR = z.strictObject({
  code: z.string().refine(isCode, {
    error: ({ input }) =>
      `must be a code that stands in docs/reference/errors.md, not ${shown(input)}${didYouMean(String(input), Object.keys(ERROR_CODES))}`,
  }),
  message: z.string().max(10_000).optional(),
  fields: z.array(text).max(1000).optional(),
})

const OAUTH = z.strictObject({
  error: z.enum(Object.keys(OAUTH_ERRORS) as OAuthErrorName[]),
  description: z.string().min(1).max(1000).optional(),
})

const EFFECT = z
  .strictObject({
    token: z.literal('expired').optional(),
    error: ERROR.optional(),
    status: z.literal([420, 500, 502, 503, 504]).optional(),
    limit: z.enum(['total', 'concurrent', 'perSecond', 'deliveries']).optional(),
    retired: z.literal(true).optional(),
    uriTooLong: z.literal(true).optional(),
    ambiguousKey: z.literal(true).optional(),
    lockedRow: z.literal(true).optional(),
    haltAtStep: z.int().min(1).max(25).optional(),
    latency: z.int().min(1).max(MAX_LATENCY_MS).optional(),
    cut: z.enum(['beforeCommit', 'afterCommit']).optional(),
    pageRows: z.int().min(1).max(2000).optional(),
    latestDateCovered: z.literal('stale').optional(),
    limitHeader: z.literal('missing').optional(),
    delivery: z.enum(['twice', 'wrongSignature']).optional(),
    oauth: OAUTH.optional(),
    refreshToken: z.enum(['expired', 'reused']).optional(),
    replay: z.literal('invalid').optional(),
    client: z.literal('unknown').optional(),
    stream: z.literal('reset').optional(),
    silence: z.union([z.literal(true), z.int().min(1).max(MAX_LATENCY_MS)]).optional(),
    event: z.enum(['twice', 'gap', 'merged']).optional(),
  })
  .superRefine((effect, { addIssue }) => {
    const [first, second] = Object.keys(effect)
    const names = Object.keys(EFFECT.shape).join(', ')
    if (first === undefined) addIssue({ code: 'custom', path: [], message: `has to be one of ${names}` })
    if (second !== undefined) {
      addIssue({
        code: 'custom',
        path: [second],
        message: `is one too many: a plan has one effect, ${first}`,
      })
    }
  })

const PLAN = z
  .strictObject({ match: MATCH.optional(), until: UNTIL.optional(), effect: EFFECT })
  .superRefine(({ match, effect }, { addIssue }) => {
    const [name] = Object.keys(effect)
    if (name !== undefined && match?.channel !== undefined && !isAboutFollowers(effect)) {
      addIssue({ code: 'custom', path: ['match', 'channel'], message: `means nothing for ${name}` })
    }
    if (match?.step === undefined) return
    if (name !== undefined && (!isOfSteps(name) || [420, 502, 504].includes(effect.status ?? 0))) {
      const message = `strikes a call as a whole and no step of it: leave match.step out`
      addIssue({ code: 'custom', path: ['effect', name], message })
    }
  })

/** True if an effect can apply to a step; the others apply to calls. */
const isOfSteps = (effect: string) =>
  [
    'error',
    'status',
    'retired',
    'ambiguousKey',
    'lockedRow',
    'latency',
    'pageRows',
    'latestDateCovered',
  ].includes(effect)

export type FaultMatch = Readonly<z.infer<typeof MATCH>>
export type FaultEffect = Readonly<z.infer<typeof EFFECT>>
/** A fault to inject: which calls it applies to, for how long, and its effect. */
export type FaultPlan = Readonly<z.infer<typeof PLAN>>

/** Everything that is wrong with a plan; empty if it is valid. */
export const problemsOfPlan = (value: unknown): readonly SchemaProblem[] =>
  findSchemaProblems(PLAN, value, [], 'a fault plan')

function refuse(problems: readonly SchemaProblem[], whole: string): void {
  if (problems.length === 0) return
  const lines = problems.map(({ path, message }) => `${path.length > 0 ? path.join('.') : whole} ${message}`)
  throw new ApiError('INVALID_INPUT', lines.join('; '))
}

/** @throws ApiError INVALID_INPUT that names every invalid property */
export function parseFaultPlan(value: unknown): FaultPlan {
  refuse(problemsOfPlan(value), 'The plan')
  return PLAN.parse(value)
}

/** @throws ApiError INVALID_INPUT */
function parseFaultEffect(value: unknown): FaultEffect {
  refuse(findSchemaProblems(EFFECT, value, ['effect'], 'an effect'), 'effect')
  return EFFECT.parse(value)
}

/** `503` becomes a number, `true` a boolean, anything else a text. */
const parseScalar = (value: string) => {
  if (value === 'true') return true
  return /^\d{1,15}$/.test(value) ? Number(value) : value
}

/**
 * Parses the short form of an effect in headers and flags: `limit=total`, `retired`, `error=NOT_FOUND`, or JSON.
 * @throws ApiError INVALID_INPUT
 */
export function parseEffectText(given: string): FaultEffect {
  const written = given.trim()
  if (written.startsWith('{')) {
    let value: unknown
    try {
      value = JSON.parse(written)
    } catch {
      throw new ApiError('INVALID_INPUT', 'effect is no JSON')
    }
    return parseFaultEffect(value)
  }
  const [, name, value = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(written)!
  const parsed = name === 'oauth' ? { error: value } : parseScalar(value.trim())
  return parseFaultEffect({ [name!.trim()]: name === 'error' ? { code: value } : parsed })
}
