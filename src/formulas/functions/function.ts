import type { Expression, Operation } from '../language/expression.ts'
import type { Facts, FormulaPlace, FormulaType } from '../language/formula-type.ts'

/** A parameter: the types that it takes. */
export type Parameter = readonly FormulaType[]

/** A call as it is checked: names and arguments are known. */
interface CheckedCall {
  readonly args: readonly Expression[]
  readonly at: number
  readonly place: FormulaPlace
  /** `function 'LEFT()'` */
  readonly label: string
}

/** Evaluates a function with checked arguments. */
export interface Made {
  readonly type: FormulaType
  readonly facts: Facts
  readonly operation: Operation
  /** Other arguments than the ones given. */
  readonly args?: readonly Expression[]
}

/** A function of the language, with everything that is known about it. */
export interface FormulaFunction {
  readonly name: string
  /** `LEFT(text, count)` */
  readonly signature: string
  readonly result: string
  readonly description: string
  /** Everywhere when absent. */
  readonly places?: readonly FormulaPlace[]
  readonly parameters: readonly Parameter[]
  /** How many of the last parameters may be left out. */
  readonly optional?: number
  /** The last parameter repeats. */
  readonly repeats?: boolean
  /** @throws FormulaError */
  make(call: CheckedCall): Made | Expression
}

export const isMade = (made: Made | Expression): made is Made => 'operation' in made && !('kind' in made)

export const NUMBER: Parameter = ['Number']
export const TEXT: Parameter = ['Text']
export const DATE: Parameter = ['Date']
export const TIME: Parameter = ['Time']
