import { ApiError } from '../../base/api-error.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Context } from '../../context.ts'
import { evaluateOutput } from '../../formulas/backends/evaluate.ts'
import { BudgetExceeded } from '../../formulas/language/budget.ts'
import type { EvaluationScope, Formula } from '../../formulas/language/expression.ts'
import { EvaluationError } from '../../formulas/language/formula-error.ts'
import type { ValidationRule } from '../../schema/definitions/definition.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import { explainEvaluation } from './explain-evaluation.ts'
import { listOwnFields } from './formula-leaves.ts'
import { formulasSql } from './formulas.sql.ts'
import { type FormulaRecord, loadScopes, withLookups } from './load-scopes.ts'

/** The active validation rules of an object, and the fields of its records that they read. */
interface ActiveRules {
  readonly rules: readonly { readonly rule: ValidationRule; readonly formula: Formula }[]
  readonly formulas: readonly Formula[]
  readonly fields: readonly Field[]
  /** Rules that do not fit the schema any more. */
  readonly broken: readonly ValidationRule[]
}

const getRules = oncePer((object: ObjectType): ActiveRules => {
  const active = object.validations.filter(({ rule }) => rule.active !== false)
  const rules = active.flatMap(({ rule, formula: { compiled } }) =>
    compiled === undefined ? [] : [{ rule, formula: compiled }],
  )
  const formulas = rules.map(({ formula }) => formula)
  const broken = active.flatMap(({ rule, formula }) => (formula.compiled === undefined ? [rule] : []))
  return { rules, formulas, fields: listOwnFields(formulas), broken }
})

/** True if records of the object are checked by validation rules of its definition. */
export const hasValidations = (object: ObjectType): boolean => {
  if (object.validations.length === 0) return false
  const { rules, broken } = getRules(object)
  return rules.length + broken.length > 0
}

/** The records as they are, locked until the transaction ends. */
async function loadOld(
  ctx: Context,
  object: ObjectType,
  fields: readonly Field[],
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<string, ReadonlyMap<Field, ColumnValue>>> {
  const ids = records.map(({ id }) => id).sort()
  const rows = await namingLocked(ctx, ids, () => ctx.db.rows(formulasSql.lock(ctx.org, object, fields, ids)))
  return new Map(
    rows.map(([id, ...values]) => [
      id as string,
      new Map(fields.map((field, index) => [field, values[index]!])),
    ]),
  )
}

/** A person's name follows from its parts. */
function withGenerated(fields: readonly Field[], values: Map<Field, ColumnValue>): Map<Field, ColumnValue> {
  for (const field of fields) {
    const parts = field.type.generatedFrom?.(field)
    if (parts?.some((part) => values.has(part))) {
      values.set(
        field,
        field.type.generate!(parts.map((part) => (values.get(part) ?? null) as string | null)),
      )
    }
  }
  return values
}

function refuse({ message, field }: ValidationRule): ApiError {
  return new ApiError('FIELD_CUSTOM_VALIDATION_EXCEPTION', message, {
    fields: field === undefined ? [] : [field],
  })
}

/** A rule that cannot say whether a record is good does not let it pass. */
const notEvaluated = ({ name }: ValidationRule, reason: string): ApiError =>
  new ApiError(
    'FIELD_CUSTOM_VALIDATION_EXCEPTION',
    `The validation rule ${name} cannot be evaluated: ${reason}`,
    {
      fields: [],
    },
  )

function findErrors(ctx: Context, { rules, broken }: ActiveRules, scope: EvaluationScope): ApiError[] {
  const errors = broken.map((rule) => notEvaluated(rule, 'its formula does not fit the schema'))
  for (const { rule, formula } of rules) {
    try {
      if (evaluateOutput(formula, {}, scope) === true) errors.push(refuse(rule))
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error
      errors.push(notEvaluated(rule, explainEvaluation(ctx, formula, error)))
      if (error instanceof BudgetExceeded) break
    }
  }
  return errors
}

/** Lets others be served between two records. */
async function findErrorsOfAll(
  ctx: Context,
  active: ActiveRules,
  scopes: readonly EvaluationScope[],
): Promise<readonly ApiError[][]> {
  const errors: ApiError[][] = []
  const pauseIfDue = makePauses()
  for (const scope of scopes) {
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
    errors.push(findErrors(ctx, active, scope))
  }
  return errors
}

/**
 * Evaluates the validation rules of an object for records as they will be written. An update reads and locks the records first, in one
 * statement for a list.
 * @returns the errors by record; all that a record has together
 */
export async function checkValidations(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  purpose: 'create' | 'update',
): Promise<Refusals<PlannedRecord>> {
  const refusals: Refusals<PlannedRecord> = new Map()
  if (!hasValidations(object)) return refusals
  const active = getRules(object)
  const old = purpose === 'create' ? undefined : await loadOld(ctx, object, active.fields, records)
  // A record that is gone is refused by the statement that would change it.
  const checked = records.filter(({ id }) => old === undefined || old.has(id))
  const given = checked.map((record): FormulaRecord => {
    const before = old?.get(record.id)
    return {
      values: withGenerated(active.fields, new Map([...(before ?? []), ...record.values])),
      old: before,
    }
  })
  const scopes = await loadScopes(ctx, object, active.formulas, given)
  const errors = await withLookups(ctx, scopes, () => findErrorsOfAll(ctx, active, scopes))
  checked.forEach((record, index) => {
    const found = errors[index]!
    if (found.length > 0) refusals.set(record, ApiError.all(found))
  })
  return refusals
}
