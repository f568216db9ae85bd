import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import {
  type Complete,
  getText,
  integrityError,
  type ObjectBehaviour,
  type Write,
  type WrittenRecord,
} from '../behaviour/behaviour.ts'
import { countRecords } from './setup.sql.ts'

/** Topics of an org: each one of an object is evaluated with each change of it. */
export const MAX_TOPICS = 100

/** The first version after the ones that have no topics. */
const FIRST_VERSION = 21

const operation = (name: string) =>
  ({ name: `NotifyForOperation${name}`, label: name, type: 'boolean', default: true }) as const

/** A query whose records are told of when they change. (docs/reference/api/streaming.md#pushtopics) */
export const PUSH_TOPIC: ObjectDefinition = {
  name: 'PushTopic',
  label: 'Push Topic',
  labelPlural: 'Push Topics',
  keyPrefix: '0IF',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'Name',
      label: 'Topic Name',
      type: 'string',
      length: 25,
      required: true,
      unique: true,
      caseSensitive: true,
      nameField: true,
    },
    { name: 'Query', label: 'SOQL Query', type: 'longtextarea', length: 1300, required: true },
    { name: 'ApiVersion', label: 'API Version', type: 'double', precision: 18, scale: 1, required: true },
    { name: 'IsActive', label: 'Is Active', type: 'boolean', default: true },
    {
      name: 'NotifyForFields',
      label: 'Notify For Fields',
      type: 'picklist',
      length: 40,
      values: ['All', { value: 'Referenced', label: 'Referenced', default: true }, 'Select', 'Where'],
      restricted: true,
      required: true,
    },
    operation('Create'),
    operation('Update'),
    operation('Delete'),
    operation('Undelete'),
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
  ],
}

const complete: Complete = (values, object) => {
  const name = getText(object, values, 'Name')
  // The name is a part of a channel, which clients of CometD check.
  if (name !== undefined && !/^[\w!~()$@-]+$/.test(name)) {
    throw integrityError(
      `Topic Name: ${name} may have letters, digits and the characters _ - ! ~ ( ) $ @`,
      'Name',
    )
  }
  const version = values.get(object.field('ApiVersion')!)
  if (version !== undefined && version !== null && Number(version) < FIRST_VERSION) {
    throw integrityError(`API Version: ${version} must be ${FIRST_VERSION}.0 or later`, 'ApiVersion')
  }
}

/** The errors of queries that nothing can be told of. */
function refuseQueries<R extends WrittenRecord>(
  { object, checkTopicQuery }: Write,
  topics: readonly R[],
): Map<R, ApiError> {
  const refused = new Map<R, ApiError>()
  for (const topic of topics) {
    const query = getText(object, topic.values, 'Query')
    const error = query === undefined ? undefined : checkTopicQuery(query)
    if (error !== undefined) refused.set(topic, error)
  }
  return refused
}

export const PUSH_TOPIC_BEHAVIOUR: ObjectBehaviour = {
  completeInsert: complete,
  completeUpdate: complete,
  async refuseInsert(write, topics) {
    const refused = refuseQueries(write, topics)
    const count = await countRecords(write, 'PushTopic')
    if (count + topics.length <= MAX_TOPICS) return refused
    const error = new ApiError('LIMIT_EXCEEDED', `An org has ${MAX_TOPICS} push topics at most`)
    return new Map(topics.map((topic) => [topic, refused.get(topic) ?? error]))
  },
  refuseChange: async (write, topics) => refuseQueries(write, topics),
}
