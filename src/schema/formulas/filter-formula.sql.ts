import { type Sql, sql } from '../../base/sql.ts'
import { checkCompiledLength, compileOutput } from '../../formulas/backends/to-sql.sql.ts'
import type { Formula } from '../../formulas/language/expression.ts'
import { FormulaError } from '../../formulas/language/formula-error.ts'
import type { RowCondition, RowSource } from '../fields/field.ts'
import type { FindObject } from './bind.ts'
import { LazyFormula } from './lazy-formula.ts'
import { makeRowScope } from './row-scope.sql.ts'

/** The condition that decides which details a roll-up counts. It follows from the detail's own values alone. */
export class FilterFormula extends LazyFormula implements RowCondition {
  constructor(object: string, text: string, findObject: FindObject) {
    super({ object, text, place: 'field', result: 'Boolean', zero: false }, findObject)
  }

  protected override check(formula: Formula): void {
    if (!formula.isImmutable)
      throw new FormulaError(
        'The filter of a roll-up may only use fields of the detail itself and RecordType.DeveloperName, not other records, the caller or the clock.',
        0,
      )
    checkCompiledLength(formula, {}, makeRowScope(this.given.object, { alias: 't0' }))
  }

  toSql(row: RowSource): Sql {
    const { compiled } = this
    if (compiled === undefined) return sql`false`
    return compileOutput(compiled, {}, makeRowScope(this.given.object, row))
  }
}
