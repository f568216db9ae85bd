import { findApp } from '../../auth/apps/find-app.ts'
import { codeRule } from '../../auth/attempts/attempt-rules.ts'
import type { Attempts } from '../../auth/attempts/attempts.ts'
import { approve, isPreApproved } from '../../auth/authorize/approvals.ts'
import type { BrowserSession } from '../../auth/authorize/browser-sessions.ts'
import type { ConnectedApp } from '../../auth/oauth/connected-app.ts'
import { deviceApprovalPage, deviceDonePage, deviceEntryPage } from '../../auth/pages/approval-page.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { issuing } from '../../auth/tokens/access-locks.ts'
import { approveDevice, type DeviceCode, denyDevice, findUserCode } from '../../auth/tokens/device-codes.ts'
import type { Config } from '../../config/config.ts'
import { checkCsrf } from './check-form.ts'
import {
  findLogIn,
  type Page,
  type PageHandler,
  type PageReply,
  type PageSession,
  type PageSessionServices,
  redirect,
} from './page-context.ts'
import type { PageRequest, WithPageFaults } from './page-faults.ts'
import { PageRefusal, tooManyAttempts } from './page-refusal.ts'
import { withReturn } from './return-target.ts'

interface DeviceServices extends PageSessionServices {
  readonly attempts: Attempts
  readonly config: Config
  readonly withFaults: WithPageFaults
}

const PATH = '/setup/connect'

/** Longer than any user code. */
const MAX_CODE_LENGTH = 100

/** The log-in, or the change of password, that is needed before a device can be connected. */
function detour(session: BrowserSession | undefined, userCode: string): PageReply {
  const back = userCode === '' ? PATH : `${PATH}?user_code=${encodeURIComponent(userCode)}`
  return redirect(withReturn(session === undefined ? '/login' : '/change-password', back))
}

function makeEntryReply({ org, user, cookie }: PageSession, userCode: string, problem?: string): PageReply {
  const { username } = user
  return {
    status: problem === undefined ? 200 : 400,
    html: deviceEntryPage({ orgName: org.name, username, userCode, csrf: makeCsrfToken(cookie), problem }),
  }
}

interface Found {
  readonly device: DeviceCode
  readonly app: ConnectedApp
}

async function findDevice(
  { reserved: db, clock }: DeviceServices,
  { org }: BrowserSession,
  typed: string,
): Promise<Found | undefined> {
  const device = await findUserCode(db, typed, clock)
  if (device === undefined || device.org.id !== org.id) return undefined
  const app = await findApp(db, device.clientId)
  return app?.enableDeviceFlow === true ? { device, app } : undefined
}

/**
 * The same; users who have sent too many wrong codes are refused.
 * @throws PageRefusal 429
 */
async function findCountedDevice(
  services: DeviceServices,
  session: BrowserSession,
  typed: string,
): Promise<Found | undefined> {
  const { attempts, config } = services
  const attempt = await attempts.begin([codeRule(config, session.org, session.user.id)])
  if (attempt.wait > 0) throw tooManyAttempts(attempt.wait)
  let isWrong = false
  try {
    const found = await findDevice(services, session, typed)
    isWrong = found === undefined
    return found
  } finally {
    await attempt.end(isWrong)
  }
}

/** @throws PageRefusal always; the device is told that it was denied */
async function refuseApp(
  { reserved: db, clock }: DeviceServices,
  device: DeviceCode,
  code: string,
): Promise<never> {
  await denyDevice(db, clock, device)
  throw new PageRefusal(403, 'This app has no access', 'Your administrator does not allow it.', { code })
}

/** @throws PageRefusal when the administrator has blocked the app, or does not permit the user */
async function checkPermitted(
  services: DeviceServices,
  { org, user }: BrowserSession,
  { device, app }: Found,
): Promise<void> {
  if (app.isBlocked) await refuseApp(services, device, 'OAUTH_APP_BLOCKED')
  if (app.permittedUsers !== 'AdminApproved' || (await isPreApproved(services.reserved, org, app, user.id)))
    return
  await refuseApp(services, device, 'OAUTH_APP_ACCESS_DENIED')
}

async function decide(
  { reserved: db, clock }: DeviceServices,
  { org, user, tokenHash }: BrowserSession,
  { device, app }: Found,
  isApproved: boolean,
): Promise<boolean> {
  if (!isApproved) return denyDevice(db, clock, device)
  return issuing(db, { org, userId: user.id, app, browserSessionHash: tokenHash }, async (tx) => {
    if (!(await approveDevice(tx, clock, device, user.id))) return false
    const { clientId } = app
    await approve(tx, clock, { org, clientId, userId: user.id, scopes: device.scopes })
    return true
  })
}

/** Where a user types the code that a device shows. A code in the address is not looked up yet. */
const showDeviceEntry =
  (services: DeviceServices): PageHandler =>
  async (context) => {
    const userCode = (context.query.get('user_code') ?? '').slice(0, MAX_CODE_LENGTH)
    const session = await findLogIn(services, context)
    if (session === undefined || session.mustChange) return detour(session, userCode)
    const { org, user } = session
    const pageRequest = { route: PATH, org, username: user.username } as const
    return services.withFaults(context, pageRequest, async () => makeEntryReply(session, userCode))
  }

/** A code that was typed, and then the decision of the user about the app behind it. */
const answerDevice =
  (services: DeviceServices): PageHandler =>
  async (context) => {
    const { form } = context
    const typed = (form.get('user_code') ?? '').slice(0, MAX_CODE_LENGTH)
    const session = await findLogIn(services, context)
    if (session === undefined || session.mustChange) return detour(session, typed)
    checkCsrf(context, session.cookie)
    const found = await findCountedDevice(services, session, typed)
    if (found === undefined) {
      const problem = 'This code is wrong or too old. Look at your device again.'
      return makeEntryReply(session, typed, problem)
    }
    const { org, user } = session
    const pageRequest: PageRequest = {
      ...{ route: PATH, org, app: found.app, username: user.username },
      refuseApp: ({ error }) => refuseApp(services, found.device, error),
    }
    return services.withFaults(context, pageRequest, () => answerCode(services, session, found, typed, form))
  }

/** The question about the app behind a code, and what becomes of the device with the answer. */
async function answerCode(
  services: DeviceServices,
  session: PageSession,
  found: Found,
  typed: string,
  form: URLSearchParams,
): Promise<PageReply> {
  await checkPermitted(services, session, found)
  const { device, app } = found
  const decision = form.get('decision')
  if (decision === 'approve' || decision === 'deny') {
    if (!(await decide(services, session, found, decision === 'approve'))) {
      return makeEntryReply(session, typed, 'This code was answered already.')
    }
    return { status: 200, html: deviceDonePage(session.org.name, app.name, decision === 'approve') }
  }
  return {
    status: 200,
    html: deviceApprovalPage({
      orgName: session.org.name,
      appName: app.name,
      description: app.description,
      username: session.user.username,
      scopes: device.scopes,
      csrf: makeCsrfToken(session.cookie),
      userCode: device.userCode,
      asAnotherUser: withReturn('/login', `${PATH}?user_code=${encodeURIComponent(device.userCode)}`),
    }),
  }
}

export const makeDevicePage = (services: DeviceServices): Page => ({
  url: PATH,
  get: showDeviceEntry(services),
  post: answerDevice(services),
})
