import type { Facts, FormulaType } from '../language/formula-type.ts'
import type { FormulaFunction } from './function.ts'
import { boundFacts, boundNumber, makeOperation, type OperationParts } from './operation.sql.ts'

interface PlainFunction
  extends Omit<FormulaFunction, 'make' | 'result'>,
    Omit<OperationParts, 'label' | 'places'> {
  readonly result: FormulaType
  /** Derives the facts of the result from those of the arguments. */
  readonly facts?: Facts | ((...args: Facts[]) => Facts)
}

/** A function with one operation for all of its arguments. */
export function define(plain: PlainFunction): FormulaFunction {
  const { evaluate, sql, fails, facts = {}, isImmutable, takesNull, costPerCharacter, ...rest } = plain
  const operation = makeOperation({
    label: `function '${plain.name}()'`,
    places: plain.places,
    isImmutable,
    takesNull,
    costPerCharacter,
    evaluate,
    sql,
    fails,
  })
  return {
    ...rest,
    make({ args }) {
      const known = typeof facts === 'function' ? facts(...args.map((argument) => argument.facts)) : facts
      return { type: plain.result, facts: boundFacts(known), operation: boundNumber(operation, known) }
    },
  }
}
