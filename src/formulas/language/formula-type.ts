/**
 * The types of values in formulas. Number is also Currency and Percent; a picklist is only allowed in certain
 * functions, a column (a field of all records of an object) only in VLOOKUP.
 */
export type FormulaType =
  | 'Number'
  | 'Text'
  | 'Boolean'
  | 'Date'
  | 'DateTime'
  | 'Time'
  | 'Null'
  | 'Picklist'
  | 'MultiPicklist'
  | 'Location'
  | 'Column'

/** Where a formula stands: a formula field, a validation rule, or the default value of a field. */
export type FormulaPlace = 'field' | 'rule' | 'default'

/**
 * Facts about all values of an expression, known without evaluating it. Both backends depend on it, so that neither a number nor a
 * text can grow without bound, and statements check only what can happen.
 */
export interface Facts {
  /** Number: digits after the point, at most. */
  readonly scale?: number
  /** Number: digits before the point, at most. */
  readonly digits?: number
  /** Number: least and greatest value, where that says more than `digits`. */
  readonly range?: readonly [number, number]
  /** Text: characters, at most. */
  readonly length?: number
  /** Date and DateTime: days that it may lie outside of the years 1700 to 4000. */
  readonly reach?: number
  /** Text: it is a record id, of which formulas see 15 characters. */
  readonly isId?: boolean
}

/** Decimals that every number is rounded to, half away from zero. */
export const MAX_SCALE = 40
/** A number of 10^308 or more is an error: a double has no room for more. */
export const MAX_DIGITS = 308
/** The greatest decimal logarithm of a power by the operator `^`. */
export const MAX_POWER_DIGITS = 64
/** Characters that a text may have by its facts. */
export const MAX_TEXT = 1_000_000
/** Length of a formula's text, in characters. */
export const MAX_FORMULA_LENGTH = 3900
/** Length of a compiled formula as SQL, in characters. */
export const MAX_COMPILED_LENGTH = 30_000
/** Most operators and functions inside each other, also through formulas that a formula refers to. */
export const MAX_DEPTH = 300
/** Most operators, functions, values and references of a formula, with those of the formulas that it refers to. */
export const MAX_NODES = 5000

/** How the value of a formula is given out. */
export interface FormulaOutput {
  /** Decimals of a number; not rounded when absent. */
  readonly scale?: number | undefined
  /** 0.5 is given out as 50. */
  readonly isPercent?: boolean | undefined
}

/** Characters of a text that a formula field shows. */
export const MAX_RESULT_LENGTH = 1300
