import { ApiError } from '../../base/api-error.ts'
import { hasChange } from '../../base/api-version.ts'
import { hasMoreParameters } from '../../base/url-encoding.ts'
import type { Envelope } from '../../calls/envelope.ts'
import type { Dispatch, Match } from '../../calls/route.ts'
import type { Context } from '../../context.ts'
import { findStepRoute } from './step-route.ts'
import { namesResource, parseStepUrl, type StepUrl } from './step-url.ts'

/** One subrequest of a composite or a graph, as it was sent: its references are filled in when its turn comes. */
export interface Step {
  readonly referenceId: string
  readonly method: string
  readonly url: StepUrl
  /** The route, with references where its path has them; undefined: there is none. */
  readonly match: Match | undefined
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Where the body stands in that of the whole call. */
  readonly location: readonly (string | number)[]
}

/** Some clients write `referenceID`. (docs/reference/api/composite.md#composite) */
export const STEP_MEMBERS = ['method', 'url', 'referenceId', 'referenceID', 'body', 'httpHeaders']

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']

/** Set for the call as a whole. (docs/reference/api/composite.md#composite) */
const OUTER_HEADERS = ['accept', 'authorization', 'content-type']

export function readMethod(envelope: Envelope): string {
  const method = envelope.required('method', envelope.text('method'))
  if (METHODS.includes(method)) return method
  throw envelope.refusal(`The method '${method.slice(0, 255)}' is none of ${METHODS.join(', ')}`, 'method')
}

/** Longer than any query that is accepted, encoded. */
const MAX_URL_LENGTH = 1_000_000

/** Longer than that of any resource; 500 of them are read at once. What stands behind the question mark may be longer. */
export const MAX_PATH_LENGTH = 8192

/** More than any resource takes. */
const MAX_PARAMETERS = 200

/** @param short whether the version may come first */
export function readUrl(ctx: Context, envelope: Envelope, short = false): StepUrl {
  const text = envelope.required('url', envelope.text('url'))
  if (text.length > MAX_URL_LENGTH) {
    throw envelope.refusal(`The url is longer than ${MAX_URL_LENGTH} characters`, 'url')
  }
  const mark = text.indexOf('?')
  if ((mark < 0 ? text.length : mark) > MAX_PATH_LENGTH) {
    throw envelope.refusal(`The path of the url is longer than ${MAX_PATH_LENGTH} characters`, 'url')
  }
  if (mark >= 0 && hasMoreParameters(text.slice(mark + 1), MAX_PARAMETERS)) {
    throw envelope.refusal(`The url has more than ${MAX_PARAMETERS} parameters`, 'url')
  }
  const url = parseStepUrl(text, ctx.origin, short, ctx.settings.lenient)
  if (url === undefined) {
    const start = short ? 'vXX.X/' : '/services/data/vXX.X/'
    throw envelope.refusal(`The url must begin with ${start}, not '${text.slice(0, 255)}'`, 'url')
  }
  if (!short && !namesResource(url)) {
    throw envelope.refusal('A reference cannot name the resource of a url', 'url')
  }
  return url
}

const refused = (message: string) => new ApiError('JSON_PARSER_ERROR', message)

function readReferenceId(ctx: Context, envelope: Envelope): string {
  const id = envelope.required('referenceId', envelope.text('referenceId') ?? envelope.text('referenceID'))
  if (hasChange(ctx.version, 'checkedReferenceIds') && !/^[A-Za-z0-9]\w*$/.test(id)) {
    throw refused(
      `Provided referenceId ('${id.slice(0, 255)}') must start with a letter or a number, and it can contain only letters, numbers and underscores ('_').`,
    )
  }
  return id
}

/** Headers of an HTTP request may be about as long; those that stand in a body are split and compared, too. */
const MAX_HEADER_CHARACTERS = 16_384

function readHeaders(envelope: Envelope): Step['headers'] {
  const given = Object.entries(envelope.textsByName('httpHeaders') ?? {})
  const length = given.reduce((sum, [name, text]) => sum + name.length + text.length, 0)
  if (length > MAX_HEADER_CHARACTERS) {
    throw envelope.refusal(
      `The headers are longer than ${MAX_HEADER_CHARACTERS} characters together`,
      'httpHeaders',
    )
  }
  const headers = given.map(([name, text]) => [name.toLowerCase(), text] as const)
  const outer = headers.find(([name]) => OUTER_HEADERS.includes(name))?.[0]
  if (outer === undefined) return Object.fromEntries(headers)
  throw envelope.refusal(`The header ${outer} cannot be set for a subrequest`, 'httpHeaders')
}

/**
 * Reads the subrequests of a composite or of one graph. One mistake in any of them refuses the whole call before
 * anything runs. (docs/reference/api/composite.md#composite, docs/reference/api/composite.md#references, docs/reference/api/composite.md#refused-requests)
 */
export function parseSteps(ctx: Context, dispatch: Dispatch, envelopes: readonly Envelope[]): Step[] {
  const seen = new Set<string>()
  return envelopes.map((envelope) => {
    const referenceId = readReferenceId(ctx, envelope)
    if (seen.has(referenceId)) {
      throw refused(`Duplicate referenceId found: ${referenceId.slice(0, 255)}`)
    }
    seen.add(referenceId)
    const method = readMethod(envelope)
    const url = readUrl(ctx, envelope)
    return {
      referenceId,
      method,
      url,
      match: findStepRoute(dispatch, method, url),
      headers: readHeaders(envelope),
      body: envelope.value('body'),
      location: [...envelope.path, 'body'],
    }
  })
}
