import { type Sql, sql } from '../../base/sql.ts'
import { checkCompiledLength, compileOutput } from '../../formulas/backends/to-sql.sql.ts'
import type { Formula } from '../../formulas/language/expression.ts'
import type { FormulaOutput } from '../../formulas/language/formula-type.ts'
import type { FieldFormula, RowSource } from '../fields/field.ts'
import type { FieldDefinition } from '../fields/field-definition.ts'
import { FIELD_TYPES } from '../fields/registry.ts'
import type { FindObject } from './bind.ts'
import { LazyFormula } from './lazy-formula.ts'
import { makeRowScope } from './row-scope.sql.ts'

/** How the values of a formula field are given out. */
function makeOutput({ type, scale = 0 }: FieldDefinition): FormulaOutput {
  const known = FIELD_TYPES[type].formula
  if (known?.type !== 'Number') return {}
  return { scale, isPercent: known.isPercent === true }
}

/** The formula of a field, which statements compute. */
export class ComputedFormula extends LazyFormula implements FieldFormula {
  readonly #definition: FieldDefinition

  constructor(object: string, definition: FieldDefinition, findObject: FindObject) {
    const { formula, blanks, type } = definition
    const result = FIELD_TYPES[type].formula!.type
    super({ object, text: formula!, place: 'field', result, zero: blanks !== 'blank' }, findObject)
    this.#definition = definition
  }

  protected override check(formula: Formula): void {
    checkCompiledLength(
      formula,
      makeOutput(this.#definition),
      makeRowScope(this.given.object, { alias: 't0' }),
    )
  }

  toSql(row: RowSource): Sql {
    const { compiled } = this
    if (compiled === undefined) return sql`null::${sql.raw(FIELD_TYPES[this.#definition.type].parameter)}`
    const value = compileOutput(compiled, makeOutput(this.#definition), makeRowScope(this.given.object, row))
    return row.isOptional === true
      ? sql`(case when ${sql.id(row.alias!, 'id')} is not null then ${value} end)`
      : value
  }
}
