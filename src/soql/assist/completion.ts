import { dataTypeLabel, type Field, getOperators } from '../../schema/fields/field.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { COUNTED_DATE_LITERALS, FIXED_DATE_LITERALS } from '../parse/date-literal-names.ts'
import { AGGREGATE_FUNCTIONS, DATE_FUNCTIONS, FIELD_FUNCTIONS } from '../parse/function-names.ts'
import { writeLiteral } from '../parse/write-literal.ts'
import type { Completion } from './assistance.ts'

export const keywords = (...words: readonly string[]): Completion[] =>
  words.map((label) => ({ label, kind: 'keyword', detail: '', insert: label }))

const call = (name: string, inside = ''): Completion => ({
  label: `${name}(${inside})`,
  kind: 'function',
  detail: '',
  insert: `${name}(${inside})`,
})

export const listFunctions = (names: readonly string[]): Completion[] => names.map((name) => call(name))

export const SELECTED_FUNCTIONS: readonly Completion[] = [
  ...['ALL', 'STANDARD', 'CUSTOM'].map((group) => call('FIELDS', group)),
  ...listFunctions([...AGGREGATE_FUNCTIONS, ...FIELD_FUNCTIONS, 'FORMAT', ...DATE_FUNCTIONS]),
]

/** Parents that a reference leads to, as far as the caller may see them. */
export function findParent(field: Field, schema: SchemaSnapshot): ObjectType | undefined {
  const [only] = field.referenceTo
  return field.referenceTo.length > 1 ? NAME_ENTITY : only === undefined ? undefined : schema.object(only)
}

export const listFields = (object: ObjectType, schema: SchemaSnapshot): Completion[] =>
  object.fields.flatMap((field): Completion[] => {
    const known = field.referenceTo.filter((name) => schema.object(name) !== undefined)
    const detail = `${dataTypeLabel(field, known)} · ${field.label}`
    const { relationship } = field.definition
    const own: Completion = { label: field.name, kind: 'field', detail, insert: field.name }
    if (relationship === undefined || findParent(field, schema) === undefined) return [own]
    const parent = {
      label: relationship,
      kind: 'relationship',
      detail: known.slice(0, 3).join(', '),
    } as const
    return [own, { ...parent, insert: `${relationship}.` }]
  })

/** @param write what is written for a relationship */
export const listChildren = (
  object: ObjectType,
  schema: SchemaSnapshot,
  write: (relationship: string) => string,
): Completion[] =>
  object.children.flatMap(({ name, childObject, field }): Completion[] => {
    if (name === undefined || schema.object(childObject) === undefined) return []
    return [{ label: name, kind: 'child', detail: `${childObject}.${field.name}`, insert: write(name) }]
  })

export const listObjects = (objects: readonly ObjectType[]): Completion[] =>
  objects.map(({ name, definition }) => ({
    label: name,
    kind: 'object',
    detail: definition.label ?? name,
    insert: name,
  }))

/** The values that a field may be compared with, as far as they can be listed. */
export function listValues(field: Field): Completion[] {
  const { type, picklist } = field
  const values = picklist
    .filter(({ inactive }) => !inactive)
    .map(({ value, label }): Completion => {
      return { label: value, kind: 'value', detail: label, insert: writeLiteral(value, 'value') }
    })
  if (type.emptyValue === false) return keywords('TRUE', 'FALSE')
  if (type.displayedAs !== 'date' && type.displayedAs !== 'dateTime') return [...values, ...keywords('NULL')]
  return [
    ...FIXED_DATE_LITERALS.map((name): Completion => {
      return { label: name, kind: 'dateLiteral', detail: '', insert: name }
    }),
    ...COUNTED_DATE_LITERALS.map((name): Completion => {
      return { label: `${name}:n`, kind: 'dateLiteral', detail: '', insert: `${name}:` }
    }),
    ...keywords('NULL'),
  ]
}

/** Lists the operators that may follow a field in a condition. */
export function listOperators(field: Field | undefined): Completion[] {
  const groups = field === undefined ? ['equality', 'order', 'like'] : getOperators(field)
  const has = (group: string) => (groups as readonly string[]).includes(group)
  return keywords(
    ...(has('equality') ? ['=', '!=', 'IN', 'NOT IN'] : []),
    ...(has('order') ? ['<', '<=', '>', '>='] : []),
    ...(has('like') ? ['LIKE'] : []),
    ...(has('includes') ? ['INCLUDES', 'EXCLUDES'] : []),
  )
}
