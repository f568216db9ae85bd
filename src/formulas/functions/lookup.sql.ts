import { sql } from '../../base/sql.ts'
import type { Expression, Operation, Reference } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import { Decimal } from '../values/number.ts'
import type { FormulaFunction } from './function.ts'

/** VLOOKUP reads other records, which only rules can wait for. */

const RULES = ['rule'] as const

const columnOf = (expression: Expression) => (expression as Reference).target.column!

const lookUp: Operation = {
  label: "function 'VLOOKUP()'",
  places: RULES,
  isImmutable: false,
  evaluate([wanted, , name], run, scope) {
    const key = run(name!)
    if (key === null) return null
    const column = columnOf(wanted!)
    const value = scope.lookUp!(column, key as string)
    return value instanceof Decimal && column.isPercent ? value.times('0.01') : value
  },
  toSql: () => ({ value: sql`null`, isNullOnFailure: true }),
}

export const LOOKUP_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: 'VLOOKUP',
    signature: 'VLOOKUP(field, name, text)',
    result: 'type of the field',
    description:
      'A field of the first record of a custom object with a name, without case: `VLOOKUP($ObjectType.Zip__c.Fields.City__c, $ObjectType.Zip__c.Fields.Name, Zip__c)`. Null when there is none.',
    places: RULES,
    parameters: [['Column'], ['Column'], ['Text']],
    make({ args: [wanted, key] }) {
      const [column, name] = [columnOf(wanted!), columnOf(key!)]
      if (!name.isKey)
        throw new FormulaError('The second parameter of VLOOKUP is the Name of a custom object.', key!.at)
      if (column.object !== name.object)
        throw new FormulaError('Both fields of VLOOKUP are of the same object.', wanted!.at)
      return { type: column.type, facts: column.facts, operation: lookUp }
    },
  },
]
