import { approve, isPreApproved } from '../../auth/approvals.ts'
import type { ConnectedApp } from '../../auth/apps/connected-app.ts'
import { findApp } from '../../auth/apps/find-app.ts'
import { codeRule } from '../../auth/attempt-rules.ts'
import type { BrowserSession } from '../../auth/browser-sessions.ts'
import { approveDevice, type DeviceCode, denyDevice, findUserCode } from '../../auth/device-codes.ts'
import { deviceApprovalPage, deviceDonePage, deviceEntryPage } from '../../auth/pages/approval-page.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { checkCsrf } from './check-form.ts'
import { SESSION_COOKIE } from './cookies.ts'
import { PageRefusal, tooManyAttempts } from './page-refusal.ts'
import { goTo, type PageHandler, type PageReply, type PageVisit, sessionOf } from './page-visit.ts'
import { withReturn } from './return-target.ts'

const PATH = '/setup/connect'

/** Longer than what anybody types. */
const LONGEST_CODE = 100

const csrfOf = ({ cookies }: PageVisit) => makeCsrfToken(cookies.get(SESSION_COOKIE)!)

/** Nobody answers for a device before it is known who that is. */
function logInFirst(session: BrowserSession | undefined, userCode: string): PageReply | undefined {
  if (session !== undefined && !session.mustChange) return undefined
  const back = userCode === '' ? PATH : `${PATH}?user_code=${encodeURIComponent(userCode)}`
  return goTo(withReturn(session === undefined ? '/login' : '/change-password', back))
}

function entryReply(
  visit: PageVisit,
  { org, user }: BrowserSession,
  userCode: string,
  problem?: string,
): PageReply {
  const { username } = user
  return {
    status: problem === undefined ? 200 : 400,
    html: deviceEntryPage({ orgName: org.name, username, userCode, csrf: csrfOf(visit), problem }),
  }
}

/** Where a user types what a device shows. Looking costs nothing, so a code in the address is not looked up yet. */
export const showDeviceEntry: PageHandler = async (visit) => {
  const userCode = (visit.query.get('user_code') ?? '').slice(0, LONGEST_CODE)
  const session = await sessionOf(visit)
  return logInFirst(session, userCode) ?? entryReply(visit, session!, userCode)
}

interface Found {
  readonly device: DeviceCode
  readonly app: ConnectedApp
}

async function find(visit: PageVisit, { org }: BrowserSession, typed: string): Promise<Found | undefined> {
  const { reserved: db, clock } = visit.house
  const device = await findUserCode(db, typed, clock)
  if (device === undefined || device.org.id !== org.id) return undefined
  const app = await findApp(db, device.clientId)
  return app?.enableDeviceFlow === true ? { device, app } : undefined
}

/**
 * The same, but for a user who was wrong too often.
 * @throws PageRefusal 429
 */
async function findCounted(
  visit: PageVisit,
  session: BrowserSession,
  typed: string,
): Promise<Found | undefined> {
  const { attempts, config } = visit.house
  const attempt = await attempts.begin([codeRule(config, session.org, session.user.id)])
  if (attempt.wait > 0) throw tooManyAttempts(attempt.wait)
  let isWrong = false
  try {
    const found = await find(visit, session, typed)
    isWrong = found === undefined
    return found
  } finally {
    await attempt.end(isWrong)
  }
}

/** @throws PageRefusal when the administrator keeps the app, or the user from it */
async function checkPermitted(visit: PageVisit, { org, user }: BrowserSession, { device, app }: Found) {
  const { reserved: db, clock } = visit.house
  const permitted =
    !app.isBlocked && (app.permittedUsers !== 'AdminApproved' || (await isPreApproved(db, org, app, user.id)))
  if (permitted) return
  await denyDevice(db, clock, device)
  const code = app.isBlocked ? 'OAUTH_APP_BLOCKED' : 'OAUTH_APP_ACCESS_DENIED'
  throw new PageRefusal(403, 'This app has no access', 'Your administrator does not allow it.', { code })
}

async function decide(
  visit: PageVisit,
  { org, user }: BrowserSession,
  { device, app }: Found,
  isApproved: boolean,
): Promise<boolean> {
  const { reserved: db, clock } = visit.house
  if (!isApproved) return denyDevice(db, clock, device)
  return db.transaction(async (tx) => {
    if (!(await approveDevice(tx, clock, device, user.id))) return false
    const { clientId } = app
    await approve(tx, clock, { org, clientId, userId: user.id, scopes: device.scopes })
    return true
  })
}

/** A code that was typed, and then what the user says to the app behind it. */
export const answerDevice: PageHandler = async (visit) => {
  const { form, cookies } = visit
  const typed = (form.get('user_code') ?? '').slice(0, LONGEST_CODE)
  const session = await sessionOf(visit)
  const detour = logInFirst(session, typed)
  if (detour !== undefined || session === undefined) return detour!
  checkCsrf(visit, cookies.get(SESSION_COOKIE))
  const found = await findCounted(visit, session, typed)
  if (found === undefined) {
    return entryReply(visit, session, typed, 'This code is wrong or too old. Look at your device again.')
  }
  await checkPermitted(visit, session, found)
  const { device, app } = found
  const decision = form.get('decision')
  if (decision === 'approve' || decision === 'deny') {
    if (!(await decide(visit, session, found, decision === 'approve'))) {
      return entryReply(visit, session, typed, 'This code was answered already.')
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
      csrf: csrfOf(visit),
      userCode: device.userCode,
      asSomebodyElse: withReturn('/login', `${PATH}?user_code=${encodeURIComponent(device.userCode)}`),
    }),
  }
}
