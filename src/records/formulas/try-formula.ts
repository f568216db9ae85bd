import type { Context } from '../../context.ts'
import { evaluateOutput } from '../../formulas/backends/evaluate.ts'
import { compileOutput } from '../../formulas/backends/to-sql.sql.ts'
import type { Formula } from '../../formulas/language/expression.ts'
import { EvaluationError, FormulaError } from '../../formulas/language/formula-error.ts'
import type { FormulaPlace } from '../../formulas/language/formula-type.ts'
import type { Field } from '../../schema/fields/field.ts'
import { LazyFormula } from '../../schema/formulas/lazy-formula.ts'
import { makeRowScope } from '../../schema/formulas/row-scope.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { listOwnFields } from './formula-leaves.ts'
import { formulasSql } from './formulas.sql.ts'
import { loadScopes, withLookups } from './load-scopes.ts'
import { toJsonValue } from './to-json-value.ts'

/** Checks a formula, and evaluates it for a record. (docs/reference/api/admin-api.md#formulas) */
export interface TriedFormula {
  /** `Number`, `Text`, `Boolean`, `Date`, `DateTime` or `Time`. */
  readonly type: string
  readonly value: unknown
  /** Why there is no value: a division by zero, a text that is not a date. */
  readonly error?: string
  /** The expression as a formula field has it; null where a formula field cannot have this formula. */
  readonly sql: string | null
  /** Why a formula field cannot have it. */
  readonly sqlError?: string
  /** Names of what it refers to. */
  readonly references: readonly string[]
}

/** @throws FormulaError */
function compile(
  ctx: Context,
  object: ObjectType,
  text: string,
  place: FormulaPlace,
  zero: boolean,
): Formula {
  const formula = new LazyFormula({ object: object.name, text, place, result: undefined, zero }, (name) =>
    ctx.schema.object(name),
  )
  if (formula.result instanceof FormulaError) throw formula.result
  return formula.result
}

function findSql(ctx: Context, object: ObjectType, text: string, zero: boolean) {
  try {
    const formula = compile(ctx, object, text, 'field', zero)
    return { sql: compileOutput(formula, {}, makeRowScope(object.name, { alias: 't0' })).text }
  } catch (error) {
    if (error instanceof FormulaError) return { sql: null, sqlError: error.message }
    throw error
  }
}

/** @returns undefined: there is no such record */
async function loadValues(
  ctx: Context,
  object: ObjectType,
  fields: readonly Field[],
  id: string,
): Promise<ReadonlyMap<Field, ColumnValue> | undefined> {
  const [row] = await ctx.db.rows(formulasSql.read(ctx.org, object, fields, id))
  return row && new Map(fields.map((field, index) => [field, row[index + 1]!]))
}

/**
 * Compiles a formula as a validation rule has it, which may use everything, and evaluates it in the name of the caller.
 * @param id a record, as it is stored; undefined: a new one without values
 * @param zero blank numbers count as zero
 * @returns undefined: there is no such record
 * @throws FormulaError
 */
export async function tryFormula(
  ctx: Context,
  object: ObjectType,
  text: string,
  id: string | undefined,
  zero: boolean,
): Promise<TriedFormula | undefined> {
  const formula = compile(ctx, object, text, 'rule', zero)
  const values = id === undefined ? new Map() : await loadValues(ctx, object, listOwnFields([formula]), id)
  if (values === undefined) return undefined
  const record = id === undefined ? { values } : { values, old: values }
  const [scope] = await loadScopes(ctx, object, [formula], [record])
  const told = {
    type: formula.root.type,
    ...findSql(ctx, object, text, zero),
    references: formula.targets.map(({ name }) => name),
  }
  try {
    const value = await withLookups(ctx, [scope!], () => evaluateOutput(formula, {}, scope!))
    return { ...told, value: toJsonValue(value, formula.root.type) }
  } catch (error) {
    if (error instanceof EvaluationError) return { ...told, value: null, error: error.message }
    throw error
  }
}
