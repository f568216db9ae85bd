import type { FieldTypeName } from '../../schema/definitions/definition.ts'
import type { Checking } from './checking.ts'
import type { ObjectFile } from './object-file.ts'
import type { Problem } from './problem.ts'

/** The types that fields of custom settings may have. */
const SETTING_FIELD_TYPES: readonly FieldTypeName[] = [
  'boolean',
  'currency',
  'date',
  'datetime',
  'double',
  'email',
  'int',
  'percent',
  'phone',
  'string',
  'textarea',
  'url',
]

/** Properties that follow from `setting`, or that make no sense for settings. */
const NOT_FOR_SETTINGS = [
  'sharing',
  'ownerless',
  'queueable',
  'searchable',
  'activities',
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
  const { type } = fields.get(name.toLowerCase())!
  const problem = (message: string): Problem[] => [{ path: [...path, 'type'], message }]
  if (name === 'Name' && type !== 'string') return problem('the name of a custom setting is a string')
  if (SETTING_FIELD_TYPES.includes(type)) return []
  return problem(`a custom setting has no ${type}; there are ${SETTING_FIELD_TYPES.join(', ')}`)
}
