import type { z } from 'zod'
import { didYouMean } from '../../base/nearest.ts'
import { FIELD_FILES, FILE_FIELD_TYPES, isFileFieldType, STANDARD_FIELD } from './field-file.ts'
import { type DefinitionFiles, OBJECT_FILE, VALUE_SET_FILE } from './object-file.ts'
import type { Problem } from './problem.ts'

type Path = Problem['path']
type Shape = z.ZodObject

/** What may stand where an unknown property stands. */
function propertiesAt(schema: z.core.$ZodType, path: Path): string[] {
  let here: z.core.$ZodType | undefined = schema
  for (const step of path) {
    // biome-ignore lint/suspicious/noExplicitAny: zod's kinds of schemas are told apart by their definition
    let def: any = here?._zod.def
    while (def?.type === 'optional' || def?.type === 'nullable') def = def.innerType._zod.def
    if (def?.type === 'object') here = def.shape[step]
    else if (def?.type === 'record') here = def.valueType
    else if (def?.type === 'array') here = def.element
    else here = undefined
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  let def: any = here?._zod.def
  while (def?.type === 'optional' || def?.type === 'nullable') def = def.innerType._zod.def
  if (def?.type === 'union')
    def = def.options.find((option: z.ZodType) => option._zod.def.type === 'object')?._zod.def
  return def?.type === 'object' ? Object.keys(def.shape) : []
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a map of names to values',
  record: 'a map of names to values',
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? 'nothing'

function inputAt(input: unknown, path: Path): unknown {
  let value = input
  for (const step of path) value = (value as Record<string | number, unknown> | undefined)?.[step]
  return value
}

/** One of zod's issues in our words. */
function problemsOf(
  schema: Shape,
  input: unknown,
  issue: z.core.$ZodIssue,
  at: Path,
  what: string,
): Problem[] {
  const path = issue.path as Path
  const here = [...at, ...path]
  const value = inputAt(input, path)
  if (value === undefined && issue.code !== 'unrecognized_keys')
    return [{ path: here, message: 'is missing' }]
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = propertiesAt(schema, path)
      return issue.keys.map((key) => ({
        path: [...here, key],
        message: `"${key}" means nothing for ${what}${didYouMean(key, known)}`,
      }))
    }
    case 'invalid_type':
      return [
        { path: here, message: `must be ${KINDS[issue.expected] ?? issue.expected}, not ${shown(value)}` },
      ]
    case 'invalid_value':
      return [
        {
          path: here,
          message: `must be ${issue.values.join(' or ')}, not ${shown(value)}${didYouMean(String(value), issue.values.map(String))}`,
        },
      ]
    case 'too_big':
      return [{ path: here, message: `must be at most ${issue.maximum}, not ${shown(value)}` }]
    case 'too_small':
      return [{ path: here, message: `must be at least ${issue.minimum}, not ${shown(value)}` }]
    case 'invalid_union': {
      const isText = typeof value !== 'object' && path.includes('values')
      if (isText) return [{ path: here, message: `must be a text, not ${shown(value)}: write it in quotes` }]
      const inner = issue.errors.at(-1)?.[0]
      if (inner !== undefined && typeof value === 'object' && value !== null) {
        const part = { ...inner, path: [...path, ...inner.path] } as z.core.$ZodIssue
        return problemsOf(schema, input, part, at, what)
      }
      return [{ path: here, message: `cannot be ${shown(value)}` }]
    }
    default:
      return [{ path: here, message: issue.message }]
  }
}

function check(schema: Shape, input: unknown, at: Path, what: string): Problem[] {
  const result = schema.safeParse(input)
  if (result.success) return []
  return result.error.issues.flatMap((issue) => problemsOf(schema, input, issue, at, what))
}

/** A property named `__proto__` would be none. */
const isName = (name: string) => /^[A-Za-z][A-Za-z0-9_]*$/.test(name)

function checkField(input: unknown, at: Path, isStandard: boolean): Problem[] {
  const type = (input as { type?: unknown } | null)?.type
  if (type === undefined && isStandard) return check(STANDARD_FIELD, input ?? {}, at, 'a standard field')
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
  return check(FIELD_FILES[type] as unknown as Shape, input, at, `${article} ${type}`)
}

function checkObject(name: string, input: unknown): Problem[] {
  const at = ['objects', name]
  const problems = check(OBJECT_FILE as unknown as Shape, input ?? {}, at, 'an object')
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

/** Texts that no database could hold. */
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

/** What is wrong with the shape of files: properties that mean nothing, values of a wrong kind. */
export function checkShape({ objects, valueSets }: DefinitionFiles): Problem[] {
  return [
    ...checkTexts(objects, ['objects']),
    ...checkTexts(valueSets, ['valueSets']),
    ...Object.entries(valueSets).flatMap(([name, input]) =>
      check(VALUE_SET_FILE as unknown as Shape, input ?? {}, ['valueSets', name], 'a value set'),
    ),
    ...Object.entries(objects).flatMap(([name, input]) =>
      isName(name)
        ? checkObject(name, input)
        : [{ path: ['objects', name], message: `"${name}" is no name: letters, digits and _` }],
    ),
  ]
}
