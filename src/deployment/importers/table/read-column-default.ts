import type { FieldFile } from '../../definitions/field-file.ts'

/** `'text'::type`, with `''` for a quote inside. */
const QUOTED = /^'((?:[^']|'')*)'(?:::.+)?$/s
const NUMBER = /^\(?(-?\d+(?:\.\d+)?)\)?(?:::.+)?$/
const NUMERIC = ['double', 'currency']

/** The plain value that a column's default is, for a field of this type; undefined: it has to be computed. */
export function readColumnDefault(
  type: FieldFile['type'],
  text: string,
): string | number | boolean | undefined {
  if (type === 'boolean') return /^(?:true|false)$/.test(text) ? text === 'true' : undefined
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll("''", "'")
  if (!NUMERIC.includes(type!)) return quoted
  const number = NUMBER.exec(quoted ?? text)?.[1]
  return number === undefined ? undefined : Number(number)
}
