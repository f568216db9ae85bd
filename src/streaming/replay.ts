import type { EventBounds } from './event-log.sql.ts'

/** From where events are replayed: only new ones, all that are kept, or those after a position. */
const NEW_ONLY = -1
const ALL_KEPT = -2

/** The position after which events are wanted; undefined: it was never given, or events after it are gone. */
export function findStart(replay: number, { gone, last }: EventBounds): number | undefined {
  if (replay === NEW_ONLY) return last
  if (replay === ALL_KEPT) return gone
  return replay >= gone && replay <= last ? replay : undefined
}

/** What a client is told that asks for a position that does not exist. Both blanks after the first sentence are the platform's. */
export const invalidReplay = (replay: string | number): string =>
  `The replayId {${String(replay).slice(0, 100)}} you provided was invalid.  Please provide a valid ID, -2 to replay all events, or -1 to replay only new events.`
