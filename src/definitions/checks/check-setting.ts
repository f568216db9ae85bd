import { FIELD_TYPES, type FieldTypeName } from '../../schema/fields/registry.ts'
import { FILE_FIELD_TYPES } from '../formats/field-file.ts'
import type { ObjectFile } from '../formats/object-file.ts'
import type { Checking } from './checking.ts'
import type { Problem } from './problem.ts'

/** True if fields of custom settings may have the type: each value is one short text, number, date or flag. */
const isPlain = (type: FieldTypeName): boolean => {
  const { refers, listed, long, counted, compose, holdsBytes, encrypted, literal } = FIELD_TYPES[type]
  const isSpecial = refers || listed || long || counted || holdsBytes || literal === 'time'
  return !isSpecial && compose === undefined && encrypted === undefined
}

/** Properties that follow from `setting`, or that make no sense for settings. */
const NOT_FOR_SETTINGS = [
  'sharing',
  'ownerless',
  'queueable',
  'searchable',
  'activities',
  'trackHistory',
  'changeEvents',
  'channels',
  'recordTypes',
  'listViews',
] as const satisfies readonly (keyof ObjectFile)[]

/** Finds properties of a file that a custom setting cannot have. */
export function checkSetting({ object, file, standard }: Checking): Problem[] {
  if (file.setting === undefined) return []
  const at = ['objects', object.name]
  if (standard !== undefined) {
    return [
      { path: [...at, 'setting'], message: 'a standard object is not a custom setting; take this line out' },
    ]
  }
  return NOT_FOR_SETTINGS.filter((property) => file[property] !== undefined).map((property) => ({
    path: [...at, property],
    message: `a custom setting has no ${property}; take it out`,
  }))
}

/** Settings have plain values only. */
export function checkSettingField(
  { file, fields, standard }: Checking,
  name: string,
  path: Problem['path'],
): Problem[] {
  if (file.setting === undefined || standard !== undefined) return []
  const type = fields.get(name.toLowerCase())!.type
  const problem = (message: string): Problem[] => [{ path: [...path, 'type'], message }]
  if (name === 'Name' && FIELD_TYPES[type].counted) return problem('the name of a custom setting is a string')
  if (isPlain(type)) return []
  return problem(`a custom setting has no ${type}; there are ${FILE_FIELD_TYPES.filter(isPlain).join(', ')}`)
}
