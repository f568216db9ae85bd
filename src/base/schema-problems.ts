import type { z } from 'zod'
import { didYouMean } from './nearest.ts'

/** An error in the input, and its location. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Path = SchemaProblem['path']

export type Shape = z.ZodObject

/** The property names that the schema allows at a path. */
function propertiesAt(schema: z.core.$ZodType, path: Path): string[] {
  let here: z.core.$ZodType | undefined = schema
  for (const step of path) {
    // biome-ignore lint/suspicious/noExplicitAny: only the definition tells zod's schema types apart
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

/** A value as it appears in messages. */
export const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? 'nothing'

function inputAt(input: unknown, path: Path): unknown {
  let value = input
  for (const step of path) value = (value as Record<string | number, unknown> | undefined)?.[step]
  return value
}

/** Converts one of zod's issues to our messages. */
function makeProblems(
  schema: Shape,
  input: unknown,
  issue: z.core.$ZodIssue,
  at: Path,
  what: string,
): SchemaProblem[] {
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
    case 'invalid_value': {
      // A map may have a member toString.
      const meant = typeof value === 'object' ? '' : didYouMean(String(value), issue.values.map(String))
      return [{ path: here, message: `must be ${issue.values.join(' or ')}, not ${shown(value)}${meant}` }]
    }
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
        return makeProblems(schema, input, part, at, what)
      }
      return [{ path: here, message: `cannot be ${shown(value)}` }]
    }
    default:
      return [{ path: here, message: issue.message }]
  }
}

/**
 * Finds what does not match a schema: unknown properties, values of a wrong type.
 * @param at location of the input in its document
 * @param what what it is, for the messages: `a field`
 */
export function findSchemaProblems(schema: Shape, input: unknown, at: Path, what: string): SchemaProblem[] {
  const result = schema.safeParse(input)
  if (result.success) return []
  return result.error.issues.flatMap((issue) => makeProblems(schema, input, issue, at, what))
}
