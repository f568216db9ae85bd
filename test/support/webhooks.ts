import { createHmac } from 'node:crypto'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { fetchRecords } from './ask.ts'
import type { Answer, TestOrg } from './org.ts'
import { until } from './until.ts'

export const SECRET = "It's a Secret to Everybody"

/** Returns the value that a sender puts into X-Hub-Signature-256. */
export const makeSignature = (body: string | Buffer, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** An object that keeps events, each once. */
export const EVENT_OBJECT: ObjectDefinition = {
  name: 'Event_Log__c',
  label: 'Event Log',
  labelPlural: 'Event Logs',
  keyPrefix: 'a9E',
  fields: [
    { name: 'Name', label: 'Name', type: 'autonumber', format: 'E-{0000}', nameField: true },
    {
      name: 'Event_Id__c',
      label: 'Event ID',
      type: 'string',
      length: 255,
      externalId: true,
      unique: true,
      caseSensitive: true,
    },
    { name: 'Kind__c', label: 'Kind', type: 'string', length: 80 },
    { name: 'Note__c', label: 'Note', type: 'string', length: 255 },
  ],
}

/** A delivery to a receiver, signed unless headers say otherwise. */
export function deliver(
  o: TestOrg,
  receiver: string,
  event: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const text = typeof event === 'string' || Buffer.isBuffer(event) ? event : JSON.stringify(event)
  return o.call('POST', `/services/customrest/${receiver}`, {
    text,
    headers: { 'x-hub-signature-256': makeSignature(text), ...headers },
  })
}

/** Returns the log of deliveries, the oldest first. */
export const fetchDeliveries = (o: TestOrg, where = ''): Promise<Record<string, unknown>[]> =>
  fetchRecords(
    o,
    `SELECT Id, Receiver, Status, Attempts, EventId, Outcome, EventRecordId, LastError, IsReplay, NextAttemptDate
     FROM WebhookDelivery ${where} ORDER BY Id`,
  )

/** Waits until a delivery is in one of these states. */
export const untilStatus = (
  o: TestOrg,
  id: string,
  ...statuses: string[]
): Promise<Record<string, unknown>> =>
  until(async () => {
    const [delivery] = await fetchDeliveries(o, `WHERE Id = '${id}'`)
    return statuses.includes(delivery!.Status as string) && delivery
  })
