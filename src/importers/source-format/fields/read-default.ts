import type { LiteralKind } from '../../../schema/fields/field-type.ts'
import { FIELD_TYPES, type FieldTypeName } from '../../../schema/fields/registry.ts'

type Plain = string | number | boolean | undefined

/** `"text"` or `'text'`, with `\"` for a quote inside. */
const QUOTED = /^(["'])((?:\\.|(?!\1)[^\\])*)\1$/s
const NUMBER = /^-?\d+(\.\d+)?$/

const parseText = (formula: string): Plain => QUOTED.exec(formula)?.[2]?.replaceAll(/\\(.)/g, '$1')
const parseNumber = (formula: string): Plain => (NUMBER.test(formula) ? Number(formula) : undefined)

const READERS: Readonly<Record<LiteralKind, (formula: string) => Plain>> = {
  string: parseText,
  id: parseText,
  boolean: (formula) => (/^(true|false)$/i.test(formula) ? formula.toLowerCase() === 'true' : undefined),
  int: parseNumber,
  double: parseNumber,
  date: () => undefined,
  dateTime: () => undefined,
  time: () => undefined,
}

/** The constant value of a default formula; undefined when it must be computed. */
export function readDefault(name: FieldTypeName, text: string): Plain {
  const { literal, formula } = FIELD_TYPES[name]
  const value = READERS[literal](text.trim())
  // A formula writes 10 % as 0.1, but the field value is 10.
  const isFraction = formula?.isPercent === true && typeof value === 'number'
  return isFraction ? Number((value * 100).toFixed(10)) : value
}
