import type { FieldDefinition } from '../fields/field-definition.ts'

/** What tells an event from others: the same when it comes twice. */
export const EVENT_UUID = 'EventUuid'

/** The fields of a platform event that come before its own. The log gives them their values. */
export const EVENT_FIELDS: readonly FieldDefinition[] = [
  { name: 'ReplayId', label: 'Replay ID', type: 'string', length: 1000 },
  { name: EVENT_UUID, label: 'Event UUID', type: 'string', length: 36 },
]
