/** What a subscriber gets of an event. (docs/reference/api/streaming.md) */
export interface EventMessage {
  /** The object that it is of; the id of a PushTopic or generic channel. */
  readonly object: string
  readonly position: number
  /** True if it came before, with another position. */
  readonly isCopy: boolean
  readonly data: {
    /** Of a change and a platform event: id of the form of the payload: another one when the fields of the object change. */
    readonly schema?: string
    readonly payload?: Readonly<Record<string, unknown>> | string
    readonly sobject?: Readonly<Record<string, unknown>>
    readonly event: {
      readonly replayId: number
      readonly EventUuid?: string
      readonly createdDate?: string
      readonly type?: string
    }
  }
}
