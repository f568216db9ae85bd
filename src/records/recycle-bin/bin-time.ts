/** How long a record can be restored from the recycle bin, in days. */
export const BIN_DAYS = 15

const DAY_SECONDS = 24 * 3600

/**
 * How much longer deleted records are kept. An undelete at the last second still finds everything that was deleted with
 * the record, even if the clocks of the servers differ.
 */
const GRACE_SECONDS = 600

/**
 * Records deleted before this time cannot be restored, in seconds since 1970.
 * @param now by the org's clock
 */
export const restorableSince = (now: Date): number => now.getTime() / 1000 - BIN_DAYS * DAY_SECONDS

/** Records deleted before this time are purged, in seconds since 1970. */
export const purgedBefore = (now: Date): number => restorableSince(now) - GRACE_SECONDS
