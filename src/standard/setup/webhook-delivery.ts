import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { WORK_FIELDS } from './work-fields.ts'

/** A signed delivery that was accepted: the delivery log. (docs/reference/api/custom-resources.md#acceptance) */
export const WEBHOOK_DELIVERY: ObjectDefinition = {
  name: 'WebhookDelivery',
  label: 'Webhook Delivery',
  labelPlural: 'Webhook Deliveries',
  keyPrefix: '0Wd',
  ownerless: true,
  searchable: false,
  createable: false,
  updateable: false,
  fields: [
    { name: 'Receiver', label: 'Receiver', type: 'string', length: 255, nameField: true, ...notWritable },
    {
      name: 'EventId',
      label: 'Event ID',
      type: 'string',
      length: 255,
      help: 'Known when it was processed.',
      ...notWritable,
    },
    {
      name: 'Outcome',
      label: 'Outcome',
      type: 'picklist',
      length: 40,
      values: [
        { value: 'Created', label: 'Created: a new event' },
        { value: 'Updated', label: 'Updated: the event was known' },
      ],
      restricted: true,
      ...notWritable,
    },
    { name: 'EventRecordId', label: 'Event Record ID', type: 'string', length: 18, ...notWritable },
    { name: 'BodyLength', label: 'Body Length', type: 'int', ...notWritable },
    { name: 'Body', label: 'Body', type: 'base64', ...notWritable },
    { name: 'Headers', label: 'Headers', type: 'longtextarea', length: 131_072, ...notWritable },
    ...WORK_FIELDS,
  ],
}
