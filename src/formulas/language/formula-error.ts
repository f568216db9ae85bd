/** Why a formula cannot be compiled, with the position in its text. */
export class FormulaError extends Error {
  /** Offset in the text of the formula, from 0. */
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.name = 'FormulaError'
    this.at = at
  }
}

/**
 * The evaluation of a formula failed: division by zero, a text that is not a date. A formula field has no value then; a validation rule
 * or a default value refuses the record.
 */
export class EvaluationError extends Error {
  /** The message for those who may not read the values that it quotes. */
  readonly withoutValues: string

  constructor(message: string, withoutValues = message) {
    super(message)
    this.name = 'EvaluationError'
    this.withoutValues = withoutValues
  }
}

/** Line and column of an offset, both from 1. */
export function findLine(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split(/\r\n|\r|\n/)
  return { line: before.length, column: before.at(-1)!.length + 1 }
}
