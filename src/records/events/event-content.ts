/** Why an event of a change is in the log. A gap says that records were changed, and not how; an overflow, that more records of the object were. */
export const CHANGE_KINDS = [
  'CREATE',
  'UPDATE',
  'DELETE',
  'UNDELETE',
  'GAP_CREATE',
  'GAP_UPDATE',
  'GAP_DELETE',
  'GAP_UNDELETE',
  'GAP_OVERFLOW',
] as const

/** Why an event is in the log. `PUBLISH`: a platform event. `TOPIC`: of a PushTopic. `PUSH`: what a client pushed to a generic channel. */
export type EventKind = (typeof CHANGE_KINDS)[number] | 'PUBLISH' | 'TOPIC' | 'PUSH'

/** Longest JSON of an event, in UTF-16 units. */
export const MAX_EVENT_LENGTH = 1_000_000

/** What an event of the log tells, as JSON. */
export interface EventContent {
  /** Of updates the fields that have another value now; absent: those of `values`. The time of the change is not among them. */
  readonly changed?: readonly string[]
  /**
   * By the name of the field. Of updates those that changed, empty ones as null; of others all that are not empty. Times and authors that are
   * absent are those of the event.
   */
  readonly values?: Readonly<Record<string, unknown>>
  /** The values of fields that some channels have in each event, of updates and deletions; not the empty ones. */
  readonly enriched?: Readonly<Record<string, unknown>>
  /** Of a platform event. */
  readonly uuid?: string
}

/** Content of an event of a PushTopic, as JSON. */
export interface TopicContent {
  /** The object of its query. */
  readonly of: string
  readonly type: 'created' | 'updated' | 'deleted' | 'undeleted'
  readonly id: string
  /** The selected fields, by name; absent if they are too long. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
}

/** Content of a push to a generic channel, as JSON. */
export interface PushContent {
  readonly payload: string
  /** The users that it is for; absent: all. */
  readonly userIds?: readonly string[]
}
