import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { OWN_CHANNELS } from '../../schema/definitions/event-channels.ts'
import { listTold, mayShow } from '../../schema/fields/told-field.ts'
import { makeFields } from '../../schema/objects/object-type.ts'
import { mayTrackHistory } from '../../standard/setup/setup-objects.ts'
import { type Checking, same } from './checking.ts'
import type { Problem } from './problem.ts'

/** Characters of the name of a channel. */
const MAX_NAME = 40
const NAME = /^[A-Za-z](?:_?[A-Za-z0-9])*__chn$/

/** Fields that events of a channel always have. */
const MAX_ENRICHED = 10

function checkEnriched({ object }: Checking, enriched: readonly string[], path: Problem['path']): Problem[] {
  if (enriched.length > MAX_ENRICHED)
    return [{ path, message: `${enriched.length} fields are more than ${MAX_ENRICHED}` }]
  const fields = makeFields(object)
  const told = new Set(listTold(fields))
  return enriched.flatMap((name, index) => {
    const field = fields.find((one) => same(one.name, name))
    const at = [...path, String(index)]
    if (field === undefined) return [{ path: at, message: `${object.name} has no field ${name}` }]
    if (enriched.indexOf(name) < index) return [{ path: at, message: `${name} is there twice` }]
    if (field.name !== name) return [{ path: at, message: `the field is spelled ${field.name}` }]
    return told.has(field) && mayShow(field)
      ? []
      : [{ path: at, message: `events do not have ${name}; take it out` }]
  })
}

/** Checks that the channels of an object are there for its events, and that their fields are. */
export function checkChannels(checking: Checking): Problem[] {
  const { object, file } = checking
  const isEvent = isEventObject(object.name)
  const at = ['objects', object.name, 'channels']
  const channels = Object.entries(file.channels ?? {})
  if (channels.length > 0 && !isEvent && !mayTrackHistory(object))
    return [{ path: at, message: `changes of ${object.name} records are not told; take this out` }]
  return channels.flatMap(([name, enriched]) => {
    const path = [...at, name]
    if (isEvent && enriched.length > 0)
      return [
        { path, message: 'events of a platform event have all of its fields; leave the list empty: []' },
      ]
    if (name === OWN_CHANNELS && !isEvent) {
      if (file.changeEvents === true) return checkEnriched(checking, enriched, path)
      return [{ path, message: 'the object has no channel of its own without changeEvents: true' }]
    }
    if (!NAME.test(name) || name.length > MAX_NAME) {
      const message = `a channel is named by letters, digits and single _, and __chn: Partner__chn; at most ${MAX_NAME} characters`
      return [{ path, message }]
    }
    return checkEnriched(checking, enriched, path)
  })
}
