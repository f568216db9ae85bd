/** Why PostgreSQL failed. This is the only file that knows SQLSTATE. */
type DatabaseFault =
  | { readonly kind: 'duplicate'; readonly constraint: string }
  | { readonly kind: 'missing reference'; readonly constraint: string }
  | { readonly kind: 'out of range' }
  | { readonly kind: 'bad text' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'cancelled' }
  /** The statement was prepared for tables that have changed since. */
  | { readonly kind: 'outdated' }
  /** The database does not answer, has no capacity, or is read-only; this may be temporary. */
  | { readonly kind: 'unreachable' }
  /** The connection broke during a commit: it is unknown whether the transaction was committed. */
  | { readonly kind: 'unknown outcome' }

interface PgError {
  readonly code: string
  readonly constraint?: string
  /** `ERROR` if PostgreSQL has sent it, and the connection goes on. */
  readonly severity?: string
}

/**
 * The errors that came from the database. Code alone does not tell: what a trigger throws may have the code of a system error,
 * or that of another database.
 */
const fromDatabase = new WeakSet<Error>()

/**
 * Errors of rows that Citus copies to a node, such as those of an insert of several records, by how they begin: it passes on the text of the
 * node's error, and not its code.
 */
const COPY_ERRORS: readonly (readonly [RegExp, code: string])[] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/^insert or update on table ".+" violates foreign key constraint/, '23503'],
  [/^numeric field overflow|out of range/, '22003'],
  [/^deadlock detected/, '40P01'],
  [/^canceling statement due to lock timeout/, '55P03'],
  [/^canceling statement due to/, '57014'],
  // The node was lost meanwhile.
  [
    /^(?:failed to (?:complete )?COPY|SSL SYSCALL error|server closed the connection|no connection to the server|failure on connection marked as essential)/,
    '08006',
  ],
]
/** An internal error, or one of input and output. */
const COPY_CODES = ['XX000', '58030']

/** Notes that an error came from the database, and returns it. */
export function markDatabaseError<E extends Error & { code?: string }>(error: E): E {
  fromDatabase.add(error)
  if (COPY_CODES.includes(error.code ?? '')) {
    const found = COPY_ERRORS.find(([start]) => start.test(error.message))
    if (found !== undefined) error.code = found[1]
  }
  return error
}

const isFromDatabase = (error: unknown): error is Error => error instanceof Error && fromDatabase.has(error)

function isPgError(error: unknown): error is PgError & Error {
  return isFromDatabase(error) && 'code' in error && typeof error.code === 'string'
}

/** Messages of the driver for connection failures, which have no code. */
const CONNECTION_FAILURES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
]

const isConnectionFailure = (error: unknown) =>
  isFromDatabase(error) && CONNECTION_FAILURES.some((text) => error.message.startsWith(text))

/** System error codes for a peer that cannot be reached, or no longer. */
const NETWORK_ERRORS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // For a Unix domain socket.
  'ENOENT',
  'EACCES',
]

/**
 * Classes of SQLSTATE unrelated to the statement: connection exceptions, insufficient resources (too many
 * connections, full disk, no memory), operator intervention (shutdown, starting up), system errors (I/O).
 */
const TRANSIENT_CLASSES = ['08', '53', '57P', '58']
/** A transaction that lasted or stood still for too long: PostgreSQL has ended the connection, and taken it back. */
const ENDED_TRANSACTION = ['25P03', '25P04']
const READ_ONLY = '25006'
const DISK_FULL = '53100'
const QUERY_CANCELED = '57014'
const LOCK_NOT_AVAILABLE = '55P03'

const isTransient = (code: string) =>
  code === READ_ONLY ||
  ENDED_TRANSACTION.includes(code) ||
  TRANSIENT_CLASSES.some((start) => code.startsWith(start) && code.length === 5)

export const isDiskFull = (error: unknown): boolean => isPgError(error) && error.code === DISK_FULL

/** True if a setting of the database, such as `temp_file_limit`, forbids it. */
export const isOverLimit = (error: unknown): boolean => isPgError(error) && error.code === '53400'

const isReadOnly = (error: unknown): boolean => isPgError(error) && error.code === READ_ONLY

/** Why the database takes no writes, though it may be read; undefined if the error has another reason. */
export function findWriteRefusal(error: unknown): string | undefined {
  if (isDiskFull(error)) return 'The disk of the database is full'
  return isReadOnly(error) ? 'The database is read-only' : undefined
}

/** True if the connection was lost or did not answer: a statement sent on it may have been carried out. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof EngineStopped ||
  (!(error instanceof NoConnection) && isConnectionFailure(error)) ||
  (isPgError(error) && (NETWORK_ERRORS.includes(error.code) || isCommitLostOnNode(error)))

/** True if PostgreSQL has taken a transaction back because it lasted or stood still for too long: its commit did not arrive. */
export const isTakenBack = (error: unknown): boolean =>
  isPgError(error) && ENDED_TRANSACTION.includes(error.code)

/** A commit, or a write outside a transaction, that was sent but not answered. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost while something was being written', { cause })
    this.name = 'OutcomeUnknown'
  }
}

/** No connection could be made: nothing was sent. */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'NoConnection'
  }
}

/** The embedded database stopped, or cannot be opened now: the operation was not carried out. */
export class EngineStopped extends Error {
  constructor(cause?: unknown) {
    super('The embedded database has stopped', { cause })
    this.name = 'EngineStopped'
  }
}

const makeError = (message: string, code: string): Error =>
  markDatabaseError(Object.assign(new Error(message), { code }))

/** The error of a statement that was cancelled by something other than PostgreSQL because it took too long. */
export const statementTooLong = (): Error =>
  makeError('The statement was ended because it took too long', QUERY_CANCELED)

/** The error of a statement that is not sent because the disk is full. */
export const diskFull = (): Error => makeError('The disk of the database is full', DISK_FULL)

/** The error of a statement that does not wait for a lock which others hold. */
export const lockNotAvailable = (): Error => makeError('Others hold the lock', LOCK_NOT_AVAILABLE)

/** A table cannot be made in an org while a cluster moves it, and an org cannot be moved meanwhile. Citus has no code for that. */
const isHeldByMove = ({ code, message }: PgError & Error) =>
  code === 'XX000' && message.startsWith('could not acquire the lock required to')

/** A node of a cluster was lost while a transaction was being committed there. Citus has no code for that either. */
const isCommitLostOnNode = ({ code, message }: PgError & Error) =>
  code === 'XX000' && message.startsWith('could not commit transaction')

/** True if a node of a cluster cannot be reached, or was lost: the connection, which is to the coordinator, remains usable. */
export const isNodeFailure = (error: unknown): boolean =>
  isPgError(error) && (error.code.startsWith('08') || isCommitLostOnNode(error)) && error.severity === 'ERROR'

/** The error of a statement for a node that is known not to answer: it is not sent. */
export const nodeIsSilent = (): Error =>
  Object.assign(makeError('The node does not answer', '08006'), { severity: 'ERROR' })

/** Returns the result of work, or something else where the node of its org cannot be reached. */
export async function unlessNodeFails<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isNodeFailure(error)) return otherwise
    throw error
  }
}

/** True if a prepared statement of a connection is out of date, and the text has to be prepared again. */
export const isOutdatedPlan = (error: unknown): boolean =>
  isPgError(error) && error.code === '0A000' && error.message.startsWith('cached plan')

/** The constraint that was violated. An error from a node of a cluster names it in its text only. */
const findConstraint = ({ constraint, message }: PgError & Error): string =>
  constraint ?? /constraint "(.+)"/.exec(message)?.[1] ?? ''

/** The fault behind an error; undefined if it did not come from the database, or is not one that a client can cause. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof OutcomeUnknown) return { kind: 'unknown outcome' }
  if (error instanceof EngineStopped || error instanceof NoConnection) return { kind: 'unreachable' }
  if (!isPgError(error)) return isConnectionFailure(error) ? { kind: 'unreachable' } : undefined
  switch (error.code) {
    case '23505':
      return { kind: 'duplicate', constraint: findConstraint(error) }
    case '23503':
      return { kind: 'missing reference', constraint: findConstraint(error) }
    case '22003': // numeric value out of range
    case '22008': // datetime field overflow
      return { kind: 'out of range' }
    case '22021': // character not in repertoire (NUL)
    case '22P05': // untranslatable character
      return { kind: 'bad text' }
    case '40001': // serialization failure
    case '40P01': // deadlock
    case LOCK_NOT_AVAILABLE:
      return { kind: 'locked' }
    case QUERY_CANCELED: // it exceeded the time limit
      return { kind: 'cancelled' }
    case '0A000': // a prepared statement whose column types have changed
      return isOutdatedPlan(error) ? { kind: 'outdated' } : undefined
    case '42703': // no such column
    case '42P01': // no such table
    case '42804': // a value does not have the column's current type
    case '42883': // no operator for the types
      return { kind: 'outdated' }
    default:
      if (isHeldByMove(error)) return { kind: 'locked' }
      if (isCommitLostOnNode(error)) return { kind: 'unreachable' }
      return isTransient(error.code) || NETWORK_ERRORS.includes(error.code)
        ? { kind: 'unreachable' }
        : undefined
  }
}
