import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { FIELD_TYPES, type FieldTypeName } from '../../schema/fields/registry.ts'
import { FILE_FIELD_TYPES } from '../formats/field-file.ts'
import type { ObjectFile } from '../formats/object-file.ts'
import type { Checking } from './checking.ts'
import type { Problem } from './problem.ts'

/** True if fields of platform events may have the type. */
const isOfEvents = (type: FieldTypeName): boolean => FIELD_TYPES[type].inEvents === true

/** Properties that need records, which platform events do not have. */
const NOT_FOR_EVENTS = [
  'setting',
  'sharing',
  'ownerless',
  'queueable',
  'searchable',
  'activities',
  'recordTypes',
  'listViews',
  'validations',
  'indexes',
  'createable',
  'updateable',
  'deletable',
] as const satisfies readonly (keyof ObjectFile)[]

const NOT_FOR_FIELDS = [
  'unique',
  'externalId',
  'idLookup',
  'caseSensitive',
  'computed',
  'formula',
  'rollUp',
  'createable',
  'updateable',
  'trackHistory',
] as const

/** Finds what only platform events have, or what they cannot have, in the rest of an object file. */
export function checkEvent({ object, file }: Checking): Problem[] {
  const at = ['objects', object.name]
  if (!isEventObject(object.name)) {
    if (file.publish === undefined) return []
    const message = 'publish is for platform events, whose names end in __e; take it out'
    return [{ path: [...at, 'publish'], message }]
  }
  return NOT_FOR_EVENTS.filter((property) => file[property] !== undefined).map((property) => ({
    path: [...at, property],
    message: `a platform event has no ${property}; take it out`,
  }))
}

/** Finds what a field of a platform event cannot be. */
export function checkEventField(
  { object, file, fields }: Checking,
  name: string,
  path: Problem['path'],
): Problem[] {
  if (!isEventObject(object.name)) return []
  const { type } = fields.get(name.toLowerCase())!
  if (!isOfEvents(type)) {
    const message = `a platform event has no ${type}; there are ${FILE_FIELD_TYPES.filter(isOfEvents).join(', ')}`
    return [{ path, message }]
  }
  const written = file.fields![name]!
  return NOT_FOR_FIELDS.filter((property) => written[property] !== undefined).map((property) => ({
    path: [...path, property],
    message: 'means nothing in a platform event: it is published and not kept; take it out',
  }))
}
