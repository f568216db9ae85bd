import { secondsNow } from '../../base/clock.ts'
import { provenClient } from '../apps/proven-client.ts'
import { deviceStartRule } from '../attempts/attempt-rules.ts'
import { OAuthError, rateExceeded } from '../oauth/oauth-error.ts'
import { asksForRefresh, parseScope } from '../oauth/scopes.ts'
import { makeFamily } from '../oauth/token-text.ts'
import { findDevice, isDeviceExpired, recordPoll, startDevice, takeDevice } from '../tokens/device-codes.ts'
import { issueRefreshToken } from '../tokens/refresh-tokens.ts'
import { admittedUser } from './admitted-user.ts'
import { giveTokens } from './give-tokens.ts'
import type { Grant, TokenRequest } from './grant.ts'
import { requireParameter, unsupportedGrant } from './require.ts'

/** Required interval between two polls of a device, and the tolerance. */
const INTERVAL_SECONDS = 5
const TOLERANCE_SECONDS = 0.5

const invalid = () => new OAuthError('invalid_grant', 'invalid or expired device code')

/** Devices can rarely keep a secret, so it is optional; a given one must be correct. */
async function findDeviceApp(request: TokenRequest) {
  const app = await provenClient(request, request, () => false)
  const { org } = app
  if (org === undefined || !app.enableDeviceFlow) throw unsupportedGrant()
  return { app, org }
}

/**
 * Counts every start, since each creates a row.
 * @throws OAuthError rate_limit_exceeded
 */
async function countStart({ attempts, settings, address }: TokenRequest): Promise<void> {
  const attempt = await attempts.begin([deviceStartRule(settings, address)])
  await attempt.end(true)
  if (attempt.wait > 0) throw rateExceeded(attempt.wait)
}

/** Starts a device flow: the user has to type a code on another device. (docs/reference/api/tokens.md#device-flow) */
export const startDeviceFlow: Grant = async (request) => {
  const { app, org } = await findDeviceApp(request)
  const scopes = parseScope(request.parameters.get('scope'), app)
  await countStart(request)
  const origin = await request.originOf(org)
  const wanted = { clientId: app.clientId, org, scopes }
  const { deviceCode, userCode } = await startDevice(request.db, request.clock, wanted)
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${origin}/setup/connect`,
    interval: INTERVAL_SECONDS,
  }
}

/** A device polls for the user's approval. (docs/reference/api/tokens.md#device-flow) */
const poll =
  (parameter: string): Grant =>
  async (request) => {
    const { db, clock } = request
    const { app } = await findDeviceApp(request)
    const device = await findDevice(db, requireParameter(request, parameter))
    if (device === undefined || device.clientId !== app.clientId || isDeviceExpired(device, clock)) {
      throw invalid()
    }
    const { polledAt, isDenied, userId, org, scopes } = device
    if (isDenied) throw new OAuthError('access_denied', 'end-user denied authorization')
    await recordPoll(db, clock, device)
    const now = secondsNow(clock)
    if (polledAt !== null && now - polledAt < INTERVAL_SECONDS - TOLERANCE_SECONDS) {
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

/** The format that clients of the original platform send. */
export const device = poll('code')

/** The format of RFC 8628, for libraries that support only that. */
export const standardDevice = poll('device_code')
