import { visibleTo } from '../../access/visible-to.ts'
import { bearerToken } from '../../auth/oauth/token-text.ts'
import { mayUseData } from '../../auth/users/principal.ts'
import { ApiError } from '../../base/api-error.ts'
import { makeApiVersion } from '../../base/api-version.ts'
import { getDeprecation, getSupport, goneVersion } from '../../calls/version-support.ts'
import type { Config } from '../../config/config.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import type { CometD } from '../../streaming/cometd/cometd.ts'
import type { Sender } from '../../streaming/cometd/request.ts'
import type { EventFeed } from '../../streaming/event-feed.ts'
import { type BodyRules, jsonBodies, readJsonBody } from '../body/receive-body.ts'
import { findCallerHere } from '../middleware/authenticate.ts'
import { allowOriginInOrg } from '../middleware/cross-origin.ts'
import { loseToken, type TokenServices } from '../middleware/fault-injection.ts'
import type { CallerServices } from '../middleware/find-caller.ts'
import type { HttpContext, Routed } from '../pipeline/http-context.ts'
import type { Middleware, RequestHandler } from '../pipeline/pipeline.ts'

type VersionSettings = Pick<Config, 'versions' | 'retiredVersions' | 'retirements'>

/** In bytes. A client may name its 50 channels in each message. */
const MAX_BODY_BYTES = 64 * 1024

/** The first version that replays events; the one before has an address of its own for that. */
const FIRST_VERSION = 37
const REPLAY_VERSION = 36

/** Some clients add what the message is for: `/cometd/64.0/connect`. */
const PATH = /^\/cometd(?:\/(replay))?\/([1-9]\d{0,2})\.0(?:\/[a-z]*)?$/i

export const messageBodies = ({ bodyLimit }: Pick<Config, 'bodyLimit'>): BodyRules<unknown> =>
  jsonBodies({ bodyLimit: Math.min(MAX_BODY_BYTES, bodyLimit) })

/**
 * The version that the path names.
 * @throws ApiError INVALID_INPUT, GONE
 */
export const parseStreamPath =
  ({ config }: { readonly config: VersionSettings }): Middleware<HttpContext, Routed> =>
  ({ path }) => {
    const format = `URI format: '/cometd/${config.versions.at(-1)}.0'`
    const [, replay, number] = PATH.exec(path) ?? []
    if (number === undefined) {
      throw new ApiError('INVALID_INPUT', `API version in the URI is mandatory. ${format}`)
    }
    const major = Number(number)
    if (getSupport(major, config, undefined) === 'retired') throw goneVersion(major)
    const first = replay === undefined ? FIRST_VERSION : REPLAY_VERSION
    if (major < first || !config.versions.includes(major)) {
      throw new ApiError(
        'INVALID_INPUT',
        `Unsupported API version. Only API versions '${FIRST_VERSION}.0' and above are supported. ${format}`,
      )
    }
    return { target: { version: makeApiVersion(major), path: '/' } }
  }

interface StreamServices extends CallerServices, TokenServices {
  readonly cometd: CometD
  readonly feed: Pick<EventFeed, 'isClosed'>
  readonly clocks: OrgClocks
  readonly config: VersionSettings & Pick<Config, 'publicUrl'>
}

/** @throws ApiError FORBIDDEN, GONE */
async function identify(
  services: StreamServices,
  context: HttpContext & Routed,
): ReturnType<Sender['identify']> {
  const { request, response, target } = context
  const { authorization } = request.headers
  if (authorization === undefined) return 'no token'
  const token = bearerToken(authorization)
  const found = token === undefined ? undefined : await findCallerHere(services, request, token)
  if (found === undefined) return 'no valid token'
  const { session, runtime, caller } = found
  const { access, principal, user } = caller
  if (!mayUseData(session.scopes) || !access.has('ApiEnabled')) return 'no valid token'
  allowOriginInOrg(services)({ ...context, runtime })
  const { org } = runtime
  const warning = getDeprecation(target.version, services.config, services.clocks.of(org.id)())
  if (warning !== undefined) response.header('Warning', warning)
  const schema = await runtime.snapshots.current()
  const subscriber = {
    org,
    schema,
    visible: visibleTo(access, schema),
    access,
    principal,
    topics: runtime.topics.current,
  }
  const { username } = principal
  const following = { org, clientId: session.clientId, username, version: target.version }
  return { org, userId: user.id, subscriber, caller: following }
}

/** Answers the messages of a request; a connect, when there are events for it, or its time is up. */
export const answerMessages =
  (services: StreamServices): RequestHandler<HttpContext & Routed> =>
  async (context) => {
    const json = await readJsonBody(context)
    const { raw } = context.response
    const left = new AbortController()
    let isSent = false
    raw.once('finish', () => {
      isSent = true
    })
    raw.once('close', () => left.abort())
    const sender: Sender = {
      identify: () => identify(services, context),
      loseToken: (clientId) => loseToken(services, context.request, clientId),
      left: left.signal,
    }
    const { body, takeBack } = await services.cometd.answer(json?.value, sender)
    const giveBack = () => {
      // If this fails, there is nobody to tell.
      if (!isSent) takeBack().catch(() => {})
    }
    if (left.signal.aborted) giveBack()
    else raw.once('close', giveBack)
    // Of a server that stops; the connection would keep it waiting.
    const headers = services.feed.isClosed ? { Connection: 'close' } : undefined
    return { status: 200, body, headers }
  }
