import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { type Complete, getText, integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import { countRecords } from './setup.sql.ts'

/** Generic channels of an org, which each process keeps in memory. */
export const MAX_CHANNELS = 1000

/** A channel for whatever clients push to it. (docs/reference/api/streaming.md#generic-channels) */
export const STREAMING_CHANNEL: ObjectDefinition = {
  name: 'StreamingChannel',
  label: 'Streaming Channel',
  labelPlural: 'Streaming Channels',
  keyPrefix: '0M6',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'Name',
      label: 'Streaming Channel Name',
      type: 'string',
      length: 80,
      required: true,
      unique: true,
      caseSensitive: true,
      nameField: true,
    },
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
  ],
}

const complete: Complete = (values, object) => {
  const name = getText(object, values, 'Name')
  if (name === undefined || /^\/u(?:\/[\w!~()$@-]+)+$/.test(name)) return
  throw integrityError(
    `Streaming Channel Name: ${name} must begin with /u/ and have letters, digits and the characters _ - ! ~ ( ) $ @`,
    'Name',
  )
}

export const STREAMING_CHANNEL_BEHAVIOUR: ObjectBehaviour = {
  completeInsert: complete,
  completeUpdate: complete,
  async refuseInsert(write, channels) {
    const count = await countRecords(write, 'StreamingChannel')
    if (count + channels.length <= MAX_CHANNELS) return new Map()
    const error = new ApiError('LIMIT_EXCEEDED', `An org has ${MAX_CHANNELS} streaming channels at most`)
    return new Map(channels.map((channel) => [channel, error]))
  },
}
