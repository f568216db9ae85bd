import type { Variables } from '../../support/server-process.ts'

/** The settings of the server that bound its waits, in seconds. */
export interface Bounds {
  readonly statementSeconds: number
  readonly connectionSeconds: number
  readonly lockSeconds: number
  readonly stopSeconds: number
}

/** Above PostgreSQL's own time-out, the driver waits this long for a connection that says nothing. */
const READ_MARGIN_SECONDS = 5

/** Work that met a lock is begun again for this long. */
const LOCK_RETRY_SECONDS = 10

/** A call waits this long for the answer about its quota. */
const QUOTA_SECONDS = 5

/** For a machine that is busy. */
const MARGIN_SECONDS = 3

export const boundVariables = (bounds: Bounds): Variables => ({
  OBJECTRY_STATEMENT_SECONDS: String(bounds.statementSeconds),
  OBJECTRY_CONNECTION_SECONDS: String(bounds.connectionSeconds),
  OBJECTRY_LOCK_SECONDS: String(bounds.lockSeconds),
  OBJECTRY_STOP_SECONDS: String(bounds.stopSeconds),
})

/** A call that has no answer by then hangs, in milliseconds: its waits one after the other, each at its longest. */
export function hangMs({ statementSeconds, connectionSeconds, lockSeconds }: Bounds): number {
  const work = Math.max(statementSeconds + READ_MARGIN_SECONDS, LOCK_RETRY_SECONDS + lockSeconds)
  return (QUOTA_SECONDS + connectionSeconds + work + MARGIN_SECONDS) * 1000
}

/** A process that was told to stop and has not ended by then does not keep its bound, in milliseconds. */
export const stopMs = ({ stopSeconds }: Bounds): number => (stopSeconds + MARGIN_SECONDS) * 1000
