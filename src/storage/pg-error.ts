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
  | { readonly kind: 'unreachable' }

interface PgError {
  readonly code: string
  readonly constraint?: string
}

function isPgError(error: unknown): error is PgError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/** pg gives a connection that was cut in the middle of a statement no code. */
const wasCut = (error: unknown) => error instanceof Error && error.message.startsWith('Connection terminated')

/** Whether a connection holds a prepared statement that no longer fits: the same text has to be prepared again. */
export const isOutdatedPlan = (error: unknown): boolean =>
  isPgError(error) && error.code === '0A000' && (error as unknown as Error).message.startsWith('cached plan')

/** The fault behind an error, or undefined when the error is not one that a client can have caused. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!isPgError(error)) return wasCut(error) ? { kind: 'unreachable' } : undefined
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
    case '57014': // query canceled: it ran longer than the setting allows
      return { kind: 'cancelled' }
    case '0A000': // a prepared statement whose columns have other types by now
      return isOutdatedPlan(error) ? { kind: 'outdated' } : undefined
    case '42703': // no such column
    case '42P01': // no such table
    case '42804': // a value of another type than the column has by now
    case '42883': // no operator for the types
      return { kind: 'outdated' }
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case '57P01': // the database was shut down
    case '57P02':
    case '57P03':
      return { kind: 'unreachable' }
    default:
      return undefined
  }
}
