import { ApiError } from '../../base/api-error.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import { evaluateOutput } from '../../formulas/backends/evaluate.ts'
import type { Budget } from '../../formulas/language/budget.ts'
import type { Formula, Value } from '../../formulas/language/expression.ts'
import { EvaluationError } from '../../formulas/language/formula-error.ts'
import { dayInZone, formatDate } from '../../formulas/values/civil-date.ts'
import type { Decimal } from '../../formulas/values/number.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import { WrongKind } from '../../schema/fields/field-type.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { missingFields, validateValues } from '../prepare/validate.ts'
import { explainEvaluation, mayQuote } from './explain-evaluation.ts'
import { loadScopes } from './load-scopes.ts'
import { toJsonValue } from './to-json-value.ts'

interface ComputedDefault {
  readonly field: Field
  /** Undefined if it does not fit the schema any more. */
  readonly formula: Formula | undefined
}

const getDefaults = oncePer(({ fields }: ObjectType): readonly ComputedDefault[] =>
  fields.flatMap((field) =>
    field.defaultFormula === undefined ? [] : [{ field, formula: field.defaultFormula.compiled }],
  ),
)

/** The JSON form of a formula's value for a field. */
function toJson(
  value: Value,
  { type }: Formula['root'],
  { type: fieldType }: Field,
  timeZone: string,
): unknown {
  if (value !== null && type === 'Number' && fieldType.formula?.isPercent === true)
    return (value as Decimal).times(100).toNumber()
  // The date where the user is, in a date field.
  if (value !== null && type === 'DateTime' && fieldType.formula?.type === 'Date')
    return formatDate(dayInZone(value as number, timeZone))
  return toJsonValue(value, type)
}

const failed = (field: Field, reason: string): ApiError =>
  new ApiError(
    'FIELD_INTEGRITY_EXCEPTION',
    `${field.label}: the default value cannot be computed: ${reason}`,
    { fields: [field.name] },
  )

/** Refuses a value that the field cannot hold. */
function checkComputed(ctx: Context, formula: Formula, field: Field, value: ColumnValue): void {
  try {
    validateValues(new Map([[field, value]]))
  } catch (error) {
    if (!(error instanceof ApiError) || mayQuote(ctx, formula)) throw error
    throw failed(field, 'the field cannot hold its value')
  }
}

/**
 * Evaluates the default values that formulas compute for a new record.
 * @param values what the record has
 * @param budget of the records that are written together
 * @returns by field; fields whose formula has no value are null
 * @throws ApiError when one cannot be computed
 */
export async function evaluateDefaults(
  ctx: Context,
  object: ObjectType,
  values: RecordValues,
  budget?: Budget,
): Promise<ReadonlyMap<Field, ColumnValue>> {
  const computed: RecordValues = new Map()
  const missing = getDefaults(object).filter(({ field }) => {
    const given = values.get(field)
    return given === undefined || (given === null && !field.nillable)
  })
  if (missing.length === 0) return computed
  const formulas = missing.flatMap(({ formula }) => formula ?? [])
  const [scope] = await loadScopes(ctx, object, formulas, [{ values }], budget)
  for (const { field, formula } of missing) {
    if (formula === undefined) throw failed(field, 'its formula does not fit the schema')
    try {
      const json = toJson(evaluateOutput(formula, {}, scope!), formula.root, field, scope!.timeZone)
      if (json === null && !field.nillable && field.type.alwaysFilled !== true) throw missingFields([field])
      computed.set(field, json === null ? null : field.type.coerce(json, field))
      checkComputed(ctx, formula, field, computed.get(field)!)
    } catch (error) {
      if (error instanceof EvaluationError) throw failed(field, explainEvaluation(ctx, formula, error))
      if (error instanceof WrongKind) throw failed(field, `its value is not a ${error.kind}`)
      throw error
    }
  }
  return computed
}
