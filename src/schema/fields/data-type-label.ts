import type { Field } from './field.ts'

/**
 * The type of a field as people see it: `Text(80)`, `Lookup(Account)`, `Formula (Currency)`.
 * @param referenceTo the objects that it points to, as far as the reader may see them
 */
export function dataTypeLabel(field: Field, referenceTo: readonly string[]): string {
  const { definition, type } = field
  const label = typeof type.label === 'string' ? type.label : type.label(field, referenceTo)
  if (definition.computed === true) return `Formula (${label.replace(/\(.*/, '').trim()})`
  const unique = definition.unique === true && !type.counted
  const marks = [
    definition.externalId === true && ' (External ID)',
    unique && ` (Unique Case ${definition.caseSensitive === true ? 'Sensitive' : 'Insensitive'})`,
  ]
  return label + marks.filter((mark) => mark !== false).join('')
}
