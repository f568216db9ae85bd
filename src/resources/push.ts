import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { type Envelope, readEnvelope } from '../calls/envelope.ts'
import { type Handler, route } from '../calls/route.ts'
import type { PushContent } from '../records/events/event-content.ts'
import { logEvents } from '../records/events/log-events.sql.ts'
import { findForbidden } from '../records/prepare/find-forbidden.ts'
import { readRecord } from '../records/read/read.ts'
import { makeAuditFields } from '../records/steps/audit-fields.ts'
import { findObject, parseId } from './find-object.ts'

const MAX_EVENTS = 100
const MAX_USERS = 100

/** In characters. */
const MAX_PAYLOAD = 3000

const USER_PREFIX = '005'

function readUserIds(event: Envelope): PushContent['userIds'] {
  const texts = event.texts('userIds') ?? []
  if (texts.length > MAX_USERS) throw event.refusal(`More than ${MAX_USERS} users`, 'userIds')
  const userIds = texts.map((text) => {
    const id = canonicalRecordId(text)
    if (id?.startsWith(USER_PREFIX) === true) return id
    throw new ApiError('MALFORMED_ID', `${text.slice(0, 255)} is not the id of a user`)
  })
  return userIds.length > 0 ? userIds : undefined
}

function readEvent(event: Envelope): PushContent {
  const payload = event.required('payload', event.text('payload'))
  if (payload.length > MAX_PAYLOAD) {
    throw new ApiError('STRING_TOO_LONG', `payload: data value too large (max length=${MAX_PAYLOAD})`)
  }
  const userIds = readUserIds(event)
  return userIds === undefined ? { payload } : { payload, userIds }
}

const push: Handler<{ id: string }> = async (ctx, call, params) => {
  const object = findObject(ctx, 'StreamingChannel')
  const id = parseId(object, params.id)
  await readRecord(ctx, object, id, 'Id')
  const forbidden = findForbidden(object, 'insert')
  if (forbidden !== undefined) throw forbidden
  const envelope = readEnvelope(call, ['pushEvents'])
  const given = envelope.required('pushEvents', envelope.envelopes('pushEvents', ['payload', 'userIds']))
  if (given.length > MAX_EVENTS) throw envelope.refusal(`More than ${MAX_EVENTS} events`, 'pushEvents')
  const events = given.map((event) => ({ content: JSON.stringify(readEvent(event)) }))
  const about = { object: id, kind: 'PUSH', origin: ctx.source } as const
  if (events.length > 0) await ctx.db.query(logEvents(ctx.org, about, events, makeAuditFields(ctx)))
  // Nobody counts who follows a channel: they read it when they read it.
  return { status: 200, body: events.map(() => ({ fanoutCount: -1, userOnlineStatus: {} })) }
}

/** Pushes events to a generic channel. (docs/reference/api/streaming.md#generic-channels) */
export const pushRoutes = [route('POST', '/sobjects/StreamingChannel/:id/push', 'sobject', push)]
