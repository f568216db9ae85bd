import { provenClient } from '../apps/proven-client.ts'
import { deviceStartRule } from '../attempts/attempt-rules.ts'
import { OAuthError, rateExceeded } from '../oauth/oauth-error.ts'
import { asksForRefresh, parseScope } from '../oauth/scopes.ts'
import { makeFamily } from '../oauth/token-text.ts'
import { findDevice, isDeviceExpired, notePoll, startDevice, takeDevice } from '../tokens/device-codes.ts'
import { issueRefreshToken } from '../tokens/refresh-tokens.ts'
import { admittedUser } from './admitted-user.ts'
import { giveTokens } from './give-tokens.ts'
import type { Grant, TokenRequest } from './grant.ts'
import { requireParameter, unsupportedGrant } from './require.ts'

/** How long a device waits between two polls, in seconds, and how much too early is no matter. */
const INTERVAL = 5
const EARLY = 0.5

const invalid = () => new OAuthError('invalid_grant', 'invalid or expired device code')

/** A secret that is given must be right; a device seldom can keep one. */
async function deviceApp(request: TokenRequest) {
  const app = await provenClient(request, request, () => false)
  const { org } = app
  if (org === undefined || !app.enableDeviceFlow) throw unsupportedGrant()
  return { app, org }
}

/**
 * Each beginning counts, and leaves a row.
 * @throws OAuthError rate_limit_exceeded
 */
async function countStart({ attempts, settings, address }: TokenRequest): Promise<void> {
  const attempt = await attempts.begin([deviceStartRule(settings, address)])
  await attempt.end(true)
  if (attempt.wait > 0) throw rateExceeded(attempt.wait)
}

/** A device begins: its user is to type a code somewhere else. (docs/reference/api/tokens.md#device-flow) */
export const startDeviceFlow: Grant = async (request) => {
  const { app, org } = await deviceApp(request)
  const scopes = parseScope(request.parameters.get('scope'), app)
  await countStart(request)
  const origin = await request.originOf(org)
  const wanted = { clientId: app.clientId, org, scopes }
  const { deviceCode, userCode } = await startDevice(request.db, request.clock, wanted)
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${origin}/setup/connect`,
    interval: INTERVAL,
  }
}

/** A device asks whether its user has agreed. (docs/reference/api/tokens.md#device-flow) */
const poll =
  (parameter: string): Grant =>
  async (request) => {
    const { db, clock } = request
    const { app } = await deviceApp(request)
    const device = await findDevice(db, requireParameter(request, parameter))
    if (device === undefined || device.clientId !== app.clientId || isDeviceExpired(device, clock)) {
      throw invalid()
    }
    const { polledAt, isDenied, userId, org, scopes } = device
    if (isDenied) throw new OAuthError('access_denied', 'end-user denied authorization')
    await notePoll(db, clock, device)
    const now = clock().getTime() / 1000
    if (polledAt !== null && now - polledAt < INTERVAL - EARLY) {
      throw new OAuthError('slow_down', 'polling too fast')
    }
    if (userId === null) throw new OAuthError('authorization_pending', 'authorization is pending')
    await admittedUser(request, app, org, userId)
    const family = makeFamily()
    return giveTokens(request, { app, org, userId, scopes, family, grantType: 'device' }, async (tx) => {
      if (!(await takeDevice(tx, device))) throw invalid()
      const isLasting = asksForRefresh(scopes) && app.refreshTokenPolicy !== 'Immediately'
      return isLasting
        ? issueRefreshToken(tx, now, { family, clientId: app.clientId, org, userId, scopes })
        : undefined
    })
  }

/** As the platform's own clients poll. */
export const device = poll('code')

/** As RFC 8628 has it, for libraries that know only that. */
export const standardDevice = poll('device_code')
