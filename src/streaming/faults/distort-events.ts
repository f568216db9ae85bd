import { isDeepStrictEqual } from 'node:util'
import type { EventMessage } from '../event-message.ts'

/** The members of the header of a change that faults look at. */
interface Header {
  readonly changeType: string
  readonly recordIds: readonly string[]
}

/** Empty for events of PushTopics and generic channels. */
const payloadOf = ({ data }: EventMessage): Readonly<Record<string, unknown>> =>
  typeof data.payload === 'object' ? data.payload : {}

const headerOf = (message: EventMessage) => payloadOf(message).ChangeEventHeader as Header | undefined

/** True if the event tells of a change, and what it consists of. */
export function isWholeChange(message: EventMessage): boolean {
  const header = headerOf(message)
  return header !== undefined && !header.changeType.startsWith('GAP_')
}

/** A gap in place of a change: that records were changed, and not how. */
export function toGap(message: EventMessage): EventMessage {
  const header = headerOf(message)!
  const gap = {
    ...header,
    ...{ changeType: `GAP_${header.changeType}`, nulledFields: [], diffFields: [], changedFields: [] },
  }
  return { ...message, data: { ...message.data, payload: { ChangeEventHeader: gap } } }
}

/** A change without which record it is of, and when. */
function outline(message: EventMessage): unknown {
  const { ChangeEventHeader: _header, CreatedDate, LastModifiedDate, ...rest } = payloadOf(message)
  return [message.object, headerOf(message)!.changeType, CreatedDate !== undefined, rest]
}

/** How many of the next events tell the same of other records. */
export function countAlike(message: EventMessage, next: readonly EventMessage[]): number {
  if (!isWholeChange(message)) return 0
  const wanted = outline(message)
  const seen = new Set(headerOf(message)!.recordIds)
  const end = next.findIndex((other) => {
    if (!isWholeChange(other) || !isDeepStrictEqual(outline(other), wanted)) return true
    const ids = headerOf(other)!.recordIds
    const isNew = ids.every((id) => !seen.has(id))
    for (const id of ids) seen.add(id)
    return !isNew
  })
  return end < 0 ? next.length : end
}

/** Several changes as one. Who goes on after it goes on after the last of them. */
export function merge(message: EventMessage, alike: readonly EventMessage[]): EventMessage {
  const last = alike.at(-1)!
  const recordIds = [message, ...alike].flatMap((one) => headerOf(one)!.recordIds)
  const ChangeEventHeader = { ...headerOf(message)!, recordIds }
  const { position } = last
  const event = { ...message.data.event, replayId: position }
  const payload = { ...payloadOf(last), ChangeEventHeader }
  return { ...message, position, data: { ...message.data, payload, event } }
}
