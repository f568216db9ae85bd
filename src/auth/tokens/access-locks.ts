import { serverTooBusy } from '../../base/api-error.ts'
import type { Db } from '../../storage/database/db.ts'
import { LockRetries } from '../../storage/database/lock-retries.ts'
import { databaseFault, lockNotAvailable } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type ConnectedApp, PLATFORM_CLI, refuseBlocked } from '../oauth/connected-app.ts'
import { OAuthError, sessionEnded } from '../oauth/oauth-error.ts'
import { accessLockSql } from './access-locks.sql.ts'

/*
 * Nothing that is issued while access ends may outlive it, whichever of the two comes first. Who issues holds a shared lock on
 * the org, the user and the app, and looks behind it whether they still have access; who ends access takes the lock of
 * one of them for itself, and deletes behind it. Both take it before any row of a token. (docs/adr/0008-tokens.md)
 */

/** Whose access ends. */
type Subject = { readonly userIds: readonly string[] } | { readonly clientId: string } | 'all'

const lockName = (org: Org, id = '') => `${org.id} ${id}`

function namesOf(org: Org, subject: Subject): readonly string[] {
  if (subject === 'all') return [lockName(org)]
  if ('clientId' in subject) return [lockName(org, subject.clientId)]
  return subject.userIds.map((id) => lockName(org, id))
}

/** The retries have bounds of their own. */
const NO_DEADLINE = new AbortController().signal

/**
 * Runs work in a transaction, again when others held its locks.
 * @throws ApiError SERVER_UNAVAILABLE when they hold them for long
 */
async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await new LockRetries({ db, deadline: () => NO_DEADLINE }).run(() => db.transaction(work))
  } catch (error) {
    throw databaseFault(error)?.kind === 'locked' ? serverTooBusy(error) : error
  }
}

/** To whom a token, a code or a browser session is issued. */
interface Holder {
  readonly org: Org
  readonly userId: string
  /** Absent when a browser session is issued. */
  readonly app?: Pick<ConnectedApp, 'clientId'>
  /** Of the browser session in which the user approves; undefined: in none. */
  readonly browserSessionHash?: string
}

interface AccessState {
  readonly isUserActive: boolean | null
  readonly isAppBlocked: boolean | null
  readonly isBrowserSession: boolean
}

/** @throws OAuthError */
async function checkAccess(tx: Db, holder: Holder): Promise<void> {
  const { org, userId, app, browserSessionHash } = holder
  // This one has no record.
  const hasRecord = app !== undefined && app.clientId !== PLATFORM_CLI.clientId
  const clientId = hasRecord ? app.clientId : null
  const [state] = await tx.query<AccessState>(
    accessLockSql.state(org, userId, clientId, browserSessionHash ?? null),
  )
  const { isUserActive, isAppBlocked, isBrowserSession } = state!
  if (!isUserActive) throw new OAuthError('inactive_user', 'user is inactive')
  if (browserSessionHash !== undefined && !isBrowserSession) throw sessionEnded()
  if (!hasRecord) return
  if (isAppBlocked === null) throw new OAuthError('invalid_client_id', 'client identifier invalid')
  refuseBlocked({ isBlocked: isAppBlocked })
}

/**
 * Issues something in one transaction. As long as it lasts the access of the user and the app cannot end.
 * @param db outside transactions
 * @throws OAuthError when it has ended
 */
export function issuing<T>(db: Db, holder: Holder, work: (tx: Db) => Promise<T>): Promise<T> {
  const { org, userId, app } = holder
  const names = [lockName(org), lockName(org, userId), ...(app ? [lockName(org, app.clientId)] : [])]
  return inTransaction(db, async (tx) => {
    const [locked] = await tx.query<{ isLocked: boolean }>(accessLockSql.tryShared(names))
    if (!locked!.isLocked) throw lockNotAvailable()
    await checkAccess(tx, holder)
    return work(tx)
  })
}

/** How long a connection waits for a lock: what is issued takes some milliseconds, who ends access may take long. */
const MAX_WAIT = '100ms'

/** Nobody waits longer for the others of the org, in milliseconds. */
const MAX_ORDER_MS = 10_000

/** The last of those in this process that end access to an org, by its id. */
const lastEnding = new Map<string, Promise<unknown>>()

/** Runs one after the other what ends access to an org, so that they wait with one connection. */
async function inOrder<T>(org: Org, work: () => Promise<T>): Promise<T> {
  const since = performance.now()
  const next = () => {
    if (performance.now() - since > MAX_ORDER_MS) throw serverTooBusy()
    return work()
  }
  const before = lastEnding.get(org.id)
  const running = before === undefined ? work() : before.then(next, next)
  lastEnding.set(org.id, running)
  try {
    return await running
  } finally {
    if (lastEnding.get(org.id) === running) lastEnding.delete(org.id)
  }
}

/**
 * Ends access in one transaction: it waits for what is being issued, and nothing is issued as long as it lasts.
 * @throws ApiError SERVER_UNAVAILABLE when others take long to end the same, or something else of the org
 */
export function ending<T>(db: Db, org: Org, subject: Subject, work: (tx: Db) => Promise<T>): Promise<T> {
  const lock = accessLockSql.lock(namesOf(org, subject))
  if (db.isTransaction) {
    return db.transaction(async (tx) => {
      await tx.query(lock)
      return work(tx)
    })
  }
  const once = () =>
    inTransaction(db, async (tx) => {
      const [before] = await tx.query<{ limit: string }>(accessLockSql.limitWaits(MAX_WAIT))
      await tx.query(lock)
      await tx.query(accessLockSql.limitWaits(before!.limit))
      return work(tx)
    })
  return inOrder(org, once)
}
