import type { FieldFile, FileFieldType } from '../../definitions/field-file.ts'

type Plain = string | number | boolean | undefined

/** `"text"` or `'text'`, with `\"` for a quote inside. */
const QUOTED = /^(["'])((?:\\.|(?!\1)[^\\])*)\1$/s
const NUMBER = /^-?\d+(\.\d+)?$/

const parseText = (formula: string): Plain => QUOTED.exec(formula)?.[2]?.replaceAll(/\\(.)/g, '$1')
const parseNumber = (formula: string): Plain => (NUMBER.test(formula) ? Number(formula) : undefined)

/** Types whose defaults are not quoted texts. */
const READERS: Partial<Record<FileFieldType, (formula: string) => Plain>> = {
  boolean: (formula) => (/^(true|false)$/i.test(formula) ? formula.toLowerCase() === 'true' : undefined),
  double: parseNumber,
  currency: parseNumber,
  // A formula writes 10 % as 0.1, but the field value is 10.
  percent: (formula) => (NUMBER.test(formula) ? Number((Number(formula) * 100).toFixed(10)) : undefined),
  date: () => undefined,
  datetime: () => undefined,
  time: () => undefined,
}

/** The constant value of a default formula; undefined when it must be computed. */
export function readDefault(type: FieldFile['type'], formula: string): Plain {
  return (READERS[type!] ?? parseText)(formula.trim())
}
