import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { notWritable } from '../behaviour/not-writable.ts'

/** State of deferred work: a delivery, or a run of a job. */
export const WORK_STATUSES = [
  { value: 'Queued' },
  { value: 'Done' },
  { value: 'Retrying' },
  { value: 'Dead', label: 'Dead: every attempt failed' },
] as const

export const WORK_FIELDS: readonly FieldDefinition[] = [
  {
    name: 'Status',
    label: 'Status',
    type: 'picklist',
    length: 40,
    values: WORK_STATUSES,
    restricted: true,
    ...notWritable,
  },
  { name: 'Attempts', label: 'Attempts', type: 'int', ...notWritable },
  { name: 'NextAttemptDate', label: 'Next Attempt', type: 'datetime', ...notWritable },
  { name: 'LastAttemptDate', label: 'Last Attempt', type: 'datetime', ...notWritable },
  { name: 'LastError', label: 'Last Error', type: 'longtextarea', length: 32_000, ...notWritable },
  { name: 'IsReplay', label: 'Replayed', type: 'boolean', ...notWritable },
]
