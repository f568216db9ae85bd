/**
 * Where a clock of a test stands: on a whole second. What a transaction writes is as old as its beginning, which would be in
 * the next second when the clock stands just before its end.
 */
export const thisSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000)
