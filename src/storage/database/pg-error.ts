/** What PostgreSQL refused, in our words. The only file that knows SQLSTATE. */
export type DatabaseFault =
  | { readonly kind: 'duplicate'; readonly constraint: string }
  | { readonly kind: 'missing reference'; readonly constraint: string }
  | { readonly kind: 'out of range' }
  | { readonly kind: 'bad text' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'cancelled' }
  /** The statement was made for tables that have changed since. */
  | { readonly kind: 'outdated' }
  /** The database does not answer, cannot take more work, or takes no writes: it may again in a moment. */
  | { readonly kind: 'unreachable' }
  /** The connection broke while a transaction was being committed: nobody knows whether it was. */
  | { readonly kind: 'unknown outcome' }

interface PgError {
  readonly code: string
  readonly constraint?: string
}

function isPgError(error: unknown): error is PgError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/** How the driver names its own failures of connections, which have no code. */
const CONNECTION_FAILURES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
]

const isConnectionFailure = (error: unknown) =>
  error instanceof Error && CONNECTION_FAILURES.some((text) => error.message.startsWith(text))

/** Codes of the operating system for a peer that is not there, or no longer. */
const NETWORK_ERRORS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A socket in the file system.
  'ENOENT',
  'EACCES',
]

/**
 * Classes of SQLSTATE that say nothing about the statement: connection exceptions, insufficient resources (too many
 * connections, full disk, no memory), operator intervention (shut down, starting up), errors of the system (I/O).
 */
const TRANSIENT_CLASSES = ['08', '53', '57P', '58']
const READ_ONLY = '25006'
const QUERY_CANCELED = '57014'

const isTransient = (code: string) =>
  code === READ_ONLY || TRANSIENT_CLASSES.some((start) => code.startsWith(start) && code.length === 5)

/** Whether the connection was lost, or gave no answer: what was sent on it may have been carried out. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof EngineStopped ||
  (!(error instanceof NoConnection) && isConnectionFailure(error)) ||
  (isPgError(error) && NETWORK_ERRORS.includes(error.code))

/** A commit, or a write outside of any transaction, that was sent and not answered. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost while something was being written', { cause })
    this.name = 'OutcomeUnknown'
  }
}

/** No connection could be made, whatever the reason: nothing was sent. */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'NoConnection'
  }
}

/** The embedded database was ended, or cannot be opened just now: what it was asked has not been done. */
export class EngineStopped extends Error {
  constructor(cause?: unknown) {
    super('The embedded database has stopped', { cause })
    this.name = 'EngineStopped'
  }
}

/** For a statement that somebody else than PostgreSQL has ended, because it took too long. */
export const statementTooLong = (): Error =>
  Object.assign(new Error('The statement was ended because it took too long'), { code: QUERY_CANCELED })

/** Whether a connection holds a prepared statement that no longer fits: the same text has to be prepared again. */
export const isOutdatedPlan = (error: unknown): boolean =>
  isPgError(error) && error.code === '0A000' && (error as unknown as Error).message.startsWith('cached plan')

/** The fault behind an error, or undefined when the error is not one that a client can have caused. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof OutcomeUnknown) return { kind: 'unknown outcome' }
  if (error instanceof EngineStopped || error instanceof NoConnection) return { kind: 'unreachable' }
  if (!isPgError(error)) return isConnectionFailure(error) ? { kind: 'unreachable' } : undefined
  switch (error.code) {
    case '23505':
      return { kind: 'duplicate', constraint: error.constraint ?? '' }
    case '23503':
      return { kind: 'missing reference', constraint: error.constraint ?? '' }
    case '22003': // numeric value out of range
    case '22008': // datetime field overflow
      return { kind: 'out of range' }
    case '22021': // character not in repertoire (NUL)
    case '22P05': // untranslatable character
      return { kind: 'bad text' }
    case '40001': // serialization failure
    case '40P01': // deadlock
    case '55P03': // lock not available
      return { kind: 'locked' }
    case QUERY_CANCELED: // it ran longer than the setting allows
      return { kind: 'cancelled' }
    case '0A000': // a prepared statement whose columns have other types by now
      return isOutdatedPlan(error) ? { kind: 'outdated' } : undefined
    case '42703': // no such column
    case '42P01': // no such table
    case '42804': // a value of another type than the column has by now
    case '42883': // no operator for the types
      return { kind: 'outdated' }
    default:
      return isTransient(error.code) || NETWORK_ERRORS.includes(error.code)
        ? { kind: 'unreachable' }
        : undefined
  }
}
