/** How long a record comes back from the recycle bin, in days. */
export const BIN_DAYS = 15

const DAY = 24 * 3600

/**
 * How much longer it is kept, in seconds: a call that brings a record back at the last moment still finds everything that
 * went with it, although servers' clocks are apart.
 */
const GRACE = 600

/**
 * Records that were deleted before do not come back, in seconds since 1970.
 * @param now by the org's clock
 */
export const returnsSince = (now: Date): number => now.getTime() / 1000 - BIN_DAYS * DAY

/** Records that were deleted before are purged, in seconds since 1970. */
export const purgedBefore = (now: Date): number => returnsSince(now) - GRACE
