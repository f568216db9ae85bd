import { ApiError } from '../../base/api-error.ts'
import { didYouMean } from '../../base/nearest.ts'
import type { Field } from '../../schema/fields/field.ts'
import { WrongKind } from '../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { expandFields, isSystemField } from '../../schema/objects/expand-definition.ts'
import { makeFields } from '../../schema/objects/object-type.ts'
import { checkPicklist } from './check-picklist.ts'
import { checkReference } from './check-reference.ts'
import { type Checking, same } from './checking.ts'
import type { Problem } from './problem.ts'

/** Maximum number of fields in an index. PostgreSQL limits the bytes of an index entry. */
const MAX_INDEX_FIELDS = 3

/** Maximum number of columns of an object, including the parts of its compound fields. */
const MAX_COLUMNS = 800

/**
 * Maximum length of a name without its suffix, so that derived table, column and index names fit PostgreSQL's 63
 * bytes.
 */
const MAX_NAME_LENGTH = 40

function checkName(name: string, path: Problem['path']): Problem[] {
  const base = name.replace(/__c$/, '')
  if (base.length > MAX_NAME_LENGTH) {
    return [{ path, message: `the name is longer than ${MAX_NAME_LENGTH} characters` }]
  }
  if (base.includes('__') || base.endsWith('_')) {
    return [{ path, message: 'a name has no two _ after each other, and none at its end' }]
  }
  return []
}

function checkFieldName(checking: Checking, name: string, path: Problem['path']): Problem[] {
  const { object, standard } = checking
  const twice = object.fields.filter((field) => same(field.name, name)).length > 1
  if (twice) return [{ path, message: 'there are two fields of this name: case makes no difference' }]
  if (name.endsWith('__c')) return checkName(name, path)
  if (standard !== undefined) {
    if (checking.file.fields![name]?.type === undefined) return []
    return [{ path: [...path, 'type'], message: 'a standard field keeps its type; take this line out' }]
  }
  if (name === 'Name') return []
  if (isSystemField(name) || name === 'OwnerId' || name === 'RecordTypeId') {
    return [{ path, message: `every object has ${name} without saying so; take it out` }]
  }
  return [{ path, message: `a field of your own ends in __c: ${name}__c` }]
}

/** Why a field's default value is invalid, or undefined when it is valid. */
function findDefaultProblem(field: Field): string | undefined {
  const { default: defaultValue } = field.definition
  if (defaultValue === undefined) return undefined
  try {
    const value = field.type.coerce(defaultValue, field)
    if (value === null) return 'an empty text is no default'
    field.type.validate?.(value, field)
    return undefined
  } catch (error) {
    if (error instanceof WrongKind) return `${JSON.stringify(defaultValue)} is not a valid ${error.kind}`
    if (error instanceof ApiError) return error.message
    throw error
  }
}

/** Finds properties of a field that contradict each other. */
function checkProperties(
  checking: Checking,
  made: ReadonlyMap<string, Field>,
  name: string,
  path: Problem['path'],
): Problem[] {
  const field = checking.object.fields.find((known) => same(known.name, name))!
  const problems: Problem[] = []
  const report = (property: string, message: string) => problems.push({ path: [...path, property], message })
  if (field.caseSensitive && !field.unique) report('caseSensitive', 'is for unique fields only')
  if (field.computed && field.required)
    report('required', 'a computed field cannot be required: nobody writes it')
  if (field.computed && field.default !== undefined) report('default', 'a computed field has no default')
  if (field.scale !== undefined && field.scale > (field.precision ?? 18)) {
    report('scale', `more digits after the point (${field.scale}) than in all (${field.precision ?? 18})`)
  }
  if (FIELD_TYPES[field.type].counted) {
    const format = field.format ?? '{0}'
    if (!/^[^{}]*\{0{1,10}\}[^{}]*$/.test(format)) {
      report('format', `"${format}" has no place for the number; write {0} or {0000}, once, where it stands`)
    } else if (format.length > 30) report('format', 'is longer than 30 characters')
  }
  const defaultProblem = findDefaultProblem(made.get(name.toLowerCase())!)
  if (defaultProblem !== undefined) report('default', defaultProblem)
  if (name === 'Name' && checking.standard === undefined && !FIELD_TYPES[field.type].namesRecords) {
    report('type', 'a name is a string or an autonumber')
  }
  return problems
}

function checkIndexes({ object, file }: Checking): Problem[] {
  const all = expandFields(object)
  const names = all.map((field) => field.name)
  return (file.indexes ?? []).flatMap((fields, at) => {
    const indexPath = ['objects', object.name, 'indexes', at]
    if (fields.length > MAX_INDEX_FIELDS) {
      return [{ path: indexPath, message: `an index has ${MAX_INDEX_FIELDS} fields at most` }]
    }
    return fields.flatMap((name, position) => {
      const path = [...indexPath, position]
      const field = all.find((known) => same(known.name, name))
      if (field === undefined) {
        return [{ path, message: `${object.name} has no field ${name}${didYouMean(name, names)}` }]
      }
      return FIELD_TYPES[field.type].sortable ? [] : [{ path, message: `a ${field.type} cannot be indexed` }]
    })
  })
}

function checkRecordTypes({ object, file }: Checking): Problem[] {
  const at = ['objects', object.name, 'recordTypes']
  const types = Object.entries(file.recordTypes ?? {})
  const defaults = types.filter(([, type]) => type?.default === true)
  const problems: Problem[] = defaults.slice(1).map(([name]) => ({
    path: [...at, name, 'default'],
    message: `${defaults[0]![0]} is the default already`,
  }))
  for (const [name, type] of types) {
    if (!/^[A-Za-z]\w*$/.test(name)) {
      problems.push({ path: [...at, name], message: `"${name}" is no name: letters, digits and _` })
    }
    for (const [fieldName, allowedValues] of Object.entries(type?.picklists ?? {})) {
      const path = [...at, name, 'picklists', fieldName]
      const field = object.fields.find((known) => same(known.name, fieldName))
      if (field?.values === undefined) {
        const picklists = object.fields
          .filter((known) => known.values !== undefined)
          .map((known) => known.name)
        problems.push({
          path,
          message: `${object.name} has no picklist ${fieldName}${didYouMean(fieldName, picklists)}`,
        })
        continue
      }
      const values = field.values.map((entry) => (typeof entry === 'string' ? entry : entry.value))
      for (const [index, value] of allowedValues.entries()) {
        if (values.includes(value)) continue
        problems.push({
          path: [...path, index],
          message: `${fieldName} has no value "${value}"${didYouMean(value, values)}`,
        })
      }
    }
  }
  return problems
}

/** The key prefix of an id identifies the object, so no two objects share one. */
function checkKeyPrefix({ object, file, objects, standard }: Checking): Problem[] {
  if (file.keyPrefix === undefined) return []
  const path = ['objects', object.name, 'keyPrefix']
  if (standard !== undefined)
    return [{ path, message: `ids of ${object.name} start with ${standard.keyPrefix}` }]
  const twin = [...objects.values()].find(
    (other) => other.name !== object.name && other.keyPrefix === file.keyPrefix,
  )
  return twin === undefined
    ? []
    : [{ path, message: `ids of ${twin.name} start with ${file.keyPrefix} already` }]
}

function checkObjectName({ object, standard }: Checking): Problem[] {
  return standard === undefined ? checkName(object.name, ['objects', object.name]) : []
}

function checkSize({ object }: Checking): Problem[] {
  const count = expandFields(object).length
  if (count <= MAX_COLUMNS) return []
  return [
    { path: ['objects', object.name, 'fields'], message: `${count} fields are more than ${MAX_COLUMNS}` },
  ]
}

/** Finds problems in an object whose file matches the schema. */
export function checkObject(checking: Checking): Problem[] {
  const { object, file } = checking
  const tooLarge = checkSize(checking)
  // What each field is checked for takes longer the more there are.
  if (tooLarge.length > 0) return tooLarge
  const made = new Map(makeFields(object).map((field) => [field.name.toLowerCase(), field]))
  const fields = Object.keys(file.fields ?? {}).flatMap((name) => {
    const path = ['objects', object.name, 'fields', name]
    const named = checkFieldName(checking, name, path)
    if (named.length > 0) return named
    return [
      ...checkProperties(checking, made, name, path),
      ...checkPicklist(checking, name, path),
      ...checkReference(checking, name, path),
    ]
  })
  return [
    ...checkObjectName(checking),
    ...checkKeyPrefix(checking),
    ...fields,
    ...checkRecordTypes(checking),
    ...checkIndexes(checking),
  ]
}
