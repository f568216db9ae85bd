import { didYouMean } from '../../base/nearest.ts'
import { findSchemaProblems, type Shape, shown } from '../../base/schema-problems.ts'
import { FIELD_FILES, FILE_FIELD_TYPES, isFileFieldType, STANDARD_FIELD } from './field-file.ts'
import { type DefinitionFiles, OBJECT_FILE, VALUE_SET_FILE } from './object-file.ts'
import type { Problem } from './problem.ts'

type Path = Problem['path']

/** Also rejects `__proto__`, which would not become a property. */
const isName = (name: string) => /^[A-Za-z][A-Za-z0-9_]*$/.test(name)

function checkField(input: unknown, at: Path, isStandard: boolean): Problem[] {
  const type = (input as { type?: unknown } | null)?.type
  if (type === undefined && isStandard)
    return findSchemaProblems(STANDARD_FIELD, input ?? {}, at, 'a standard field')
  if (type === undefined) {
    return [
      { path: at, message: `has no type; write one: type: string. There are ${FILE_FIELD_TYPES.join(', ')}` },
    ]
  }
  if (!isFileFieldType(type)) {
    const meant = didYouMean(String(type), FILE_FIELD_TYPES) || '.'
    const message = `${shown(type)} is no type of field${meant} There are ${FILE_FIELD_TYPES.join(', ')}`
    return [{ path: [...at, 'type'], message }]
  }
  const article = /^[aeiou]/.test(type) ? 'an' : 'a'
  return findSchemaProblems(FIELD_FILES[type] as unknown as Shape, input, at, `${article} ${type}`)
}

function checkObject(name: string, input: unknown): Problem[] {
  const at = ['objects', name]
  const problems = findSchemaProblems(OBJECT_FILE as unknown as Shape, input ?? {}, at, 'an object')
  const { fields } = (input ?? {}) as { fields?: unknown }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return problems
  const here = problems.filter(({ path }) => path[2] !== 'fields')
  const custom = name.endsWith('__c')
  return here.concat(
    Object.entries(fields).flatMap(([field, value]) => {
      const path = [...at, 'fields', field]
      if (!isName(field)) return [{ path, message: `"${field}" is no name: letters, digits and _` }]
      return checkField(value, path, !custom && !field.endsWith('__c'))
    }),
  )
}

/** Finds texts that PostgreSQL cannot store. */
function checkTexts(value: unknown, path: Path): Problem[] {
  if (typeof value === 'string') {
    const isText = !value.includes('\0') && value.isWellFormed()
    return isText ? [] : [{ path, message: 'has a character that is none' }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...checkTexts(name, path),
    ...checkTexts(member, [...path, name]),
  ])
}

/** Finds unknown properties and values of a wrong type. */
export function checkShape({ objects, valueSets }: DefinitionFiles): Problem[] {
  return [
    ...checkTexts(objects, ['objects']),
    ...checkTexts(valueSets, ['valueSets']),
    ...Object.entries(valueSets).flatMap(([name, input]) =>
      findSchemaProblems(VALUE_SET_FILE as unknown as Shape, input ?? {}, ['valueSets', name], 'a value set'),
    ),
    ...Object.entries(objects).flatMap(([name, input]) =>
      isName(name)
        ? checkObject(name, input)
        : [{ path: ['objects', name], message: `"${name}" is no name: letters, digits and _` }],
    ),
  ]
}
