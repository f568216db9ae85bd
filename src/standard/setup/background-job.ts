import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { WORK_FIELDS } from './work-fields.ts'

/** A run of a job of the deployment. */
export const BACKGROUND_JOB: ObjectDefinition = {
  name: 'BackgroundJob',
  label: 'Background Job',
  labelPlural: 'Background Jobs',
  keyPrefix: '0Bj',
  ownerless: true,
  searchable: false,
  createable: false,
  updateable: false,
  fields: [
    { name: 'Job', label: 'Job', type: 'string', length: 255, nameField: true, ...notWritable },
    { name: 'Payload', label: 'Payload', type: 'longtextarea', length: 131_072, ...notWritable },
    {
      name: 'Occurrence',
      label: 'Occurrence',
      type: 'string',
      length: 255,
      unique: true,
      caseSensitive: true,
      help: 'Of a scheduled job: which run of its schedule this is.',
      ...notWritable,
    },
    ...WORK_FIELDS,
  ],
}
