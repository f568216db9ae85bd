import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import { Budget } from '../../formulas/language/budget.ts'
import type { Column, EvaluationScope, Formula, Target, Value } from '../../formulas/language/expression.ts'
import { EvaluationError } from '../../formulas/language/formula-error.ts'
import { DAY_SECONDS, toDays } from '../../formulas/values/civil-date.ts'
import { Decimal } from '../../formulas/values/number.ts'
import type { Field, ParentStep } from '../../schema/fields/field.ts'
import { type FieldTarget, isFieldTarget, type TargetRoot } from '../../schema/formulas/bind.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { type Leaf, listLeaves, makeKey } from './formula-leaves.ts'
import { leavesSql } from './formulas.sql.ts'

/** A record that formulas are evaluated for. */
export interface FormulaRecord {
  /** As it will be. */
  readonly values: ReadonlyMap<Field, ColumnValue>
  /** As it was; undefined for a new one. */
  readonly old?: ReadonlyMap<Field, ColumnValue> | undefined
}

const daysOf = (text: string) =>
  toDays(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)))
const secondsOf = (text: string) =>
  Number(text.slice(0, 2)) * 3600 + Number(text.slice(3, 5)) * 60 + Number(text.slice(6, 8))

/** A value as it is stored, or as the database gives it, in the form of formulas. */
function toFormulaValue(type: Target['type'], value: ColumnValue | undefined): Value {
  if (value === null || value === undefined || value === '') return null
  switch (type) {
    case 'Number':
      return new Decimal(value as number)
    case 'Date':
      return daysOf(value as string)
    case 'DateTime':
      return daysOf(value as string) * DAY_SECONDS + secondsOf((value as string).slice(11))
    case 'Time':
      return secondsOf(value as string) * 1000 + Number(`${(value as string).slice(9)}000`.slice(0, 3))
    default:
      return value as string | boolean
  }
}

/** Values of parents by the key of a leaf, and by the id of the parent that its way begins with. */
type Loaded = ReadonlyMap<string, ReadonlyMap<string, ColumnValue>>

const CALLERS = ''

/** The value is not loaded yet: what is evaluated now is evaluated again. */
class NotLoaded extends EvaluationError {}

/** Results of VLOOKUP for all records of a list. */
class Lookups {
  readonly #found = new Map<string, ReadonlyMap<string, Value>>()
  readonly #missing = new Map<string, { readonly column: Column; readonly names: Set<string> }>()

  get(column: Column, name: string): Value {
    const key = `${column.object}.${column.field}`
    const value = this.#found.get(key)?.get(name)
    if (value !== undefined) return value
    getOrInsert(this.#missing, key, () => ({ column, names: new Set<string>() })).names.add(name)
    throw new NotLoaded('not loaded yet')
  }

  /** Loads what was missing, each column by one statement. Returns whether there was anything. */
  async load(ctx: Context): Promise<boolean> {
    const missing = [...this.#missing]
    this.#missing.clear()
    for (const [key, { column, names }] of missing) {
      const object = requireObject(ctx.schema, column.object)
      const rows = await ctx.db.rows(
        leavesSql.byName(ctx.org, object, object.field(column.field)!, [...names]),
      )
      const values = new Map<string, Value>([...names].map((name) => [name, null]))
      for (const [name, value] of rows) values.set(name as string, toFormulaValue(column.type, value))
      this.#found.set(key, new Map([...(this.#found.get(key) ?? []), ...values]))
    }
    return missing.length > 0
  }
}

class RecordScope implements EvaluationScope {
  readonly isNew: boolean
  readonly now: Date
  readonly timeZone: string
  readonly budget: Budget
  readonly #record: FormulaRecord
  readonly #loaded: Loaded
  readonly #lookups: Lookups
  readonly #root: TargetRoot
  readonly #steps: readonly ParentStep[]

  constructor(
    record: FormulaRecord,
    loaded: Loaded,
    lookups: Lookups,
    caller: Pick<EvaluationScope, 'now' | 'timeZone' | 'budget'>,
    root: TargetRoot = 'record',
    steps: readonly ParentStep[] = [],
  ) {
    this.#record = record
    this.#loaded = loaded
    this.#lookups = lookups
    this.#root = root
    this.#steps = steps
    this.isNew = record.old === undefined
    this.now = caller.now
    this.timeZone = caller.timeZone
    this.budget = caller.budget
  }

  read(target: Target): Value {
    const { root, steps, field } = this.#locate(target)
    return toFormulaValue(target.type, this.#find(root, steps, field))
  }

  readPrior(target: Target): Value {
    return toFormulaValue(target.type, this.#record.old?.get((target as FieldTarget).field))
  }

  enter(target: Target): EvaluationScope | undefined {
    const { root, steps, object } = this.#locate(target)
    const isOwn = root === 'record' && steps.length === 0
    if (!isOwn && (this.#find(root, steps, object.field('Id')!) ?? null) === null) return undefined
    return new RecordScope(this.#record, this.#loaded, this.#lookups, this, root, steps)
  }

  lookUp(column: Column, name: string): Value {
    return this.#lookups.get(column, name)
  }

  loadLookups(ctx: Context): Promise<boolean> {
    return this.#lookups.load(ctx)
  }

  #locate(target: Target) {
    if (!isFieldTarget(target)) throw new Error(`${target.name} is not a field`)
    const { root, steps, field, object } = target
    return root === 'record'
      ? { root: this.#root, steps: [...this.#steps, ...steps], field, object }
      : { root, steps, field, object }
  }

  #find(root: TargetRoot, steps: readonly ParentStep[], field: Field): ColumnValue | undefined {
    const { values } = this.#record
    if (root === 'record' && steps.length === 0) return values.get(field)
    const first = root === 'record' ? values.get(steps[0]!.reference) : CALLERS
    return this.#loaded.get(makeKey(root, steps, field.name))?.get(String(first))
  }
}

/** The parents of all records by the first step, one statement for each. */
async function loadParents(ctx: Context, leaves: readonly Leaf[], records: readonly FormulaRecord[]) {
  const loaded = new Map<string, Map<string, ColumnValue>>()
  const bySteps = new Map<string, Leaf[]>()
  for (const leaf of leaves) {
    if (leaf.root !== 'record' || leaf.steps.length === 0) continue
    getOrInsert(bySteps, makeKey('record', leaf.steps.slice(0, 1), ''), () => []).push(leaf)
  }
  for (const list of bySteps.values()) {
    const step = list[0]!.steps[0]!
    const ids = new Set(records.flatMap(({ values }) => (values.get(step.reference) as string | null) ?? []))
    if (ids.size === 0) continue
    const parent = requireObject(ctx.schema, step.object)
    const rows = await ctx.db.rows(leavesSql.ofParents(ctx.org, step, parent, list, [...ids].sort()))
    for (const [id, ...values] of rows) {
      list.forEach(({ key }, index) => {
        getOrInsert(loaded, key, () => new Map<string, ColumnValue>()).set(id as string, values[index]!)
      })
    }
  }
  return loaded
}

/**
 * Loads what formulas read beside the records themselves: their parents, and what belongs to the caller. Each relationship takes one
 * statement for the list.
 * @param budget of these records, if they share it with others
 */
export async function loadScopes(
  ctx: Context,
  object: ObjectType,
  formulas: readonly Formula[],
  records: readonly FormulaRecord[],
  budget = ctx.formulaBudget(),
): Promise<readonly EvaluationScope[]> {
  const leaves = listLeaves(formulas)
  const loaded = await loadParents(ctx, leaves, records)
  const ofCaller = leaves.filter(({ root }) => root !== 'record')
  if (ofCaller.length > 0) {
    const [row] = await ctx.db.rows(leavesSql.ofCaller(object, ofCaller))
    ofCaller.forEach(({ key }, index) => {
      loaded.set(key, new Map([[CALLERS, row![index]!]]))
    })
  }
  const caller = { now: ctx.clock(), timeZone: ctx.principal.timeZone }
  const lookups = new Lookups()
  return records.map(
    (record) => new RecordScope(record, loaded, lookups, { ...caller, budget: Budget.ofRecord(budget) }),
  )
}

/** A name may follow from what another one found. */
const MAX_LOOKUPS = 10

/**
 * Evaluates formulas that may look up other records: again after what they looked up is loaded.
 * @param evaluate for all records of the scopes
 * @throws EvaluationError when a name follows from a name too often
 */
export async function withLookups<T>(
  ctx: Context,
  [scope]: readonly EvaluationScope[],
  evaluate: () => T | Promise<T>,
): Promise<T> {
  if (scope === undefined) return evaluate()
  for (let round = 0; round <= MAX_LOOKUPS; round++) {
    let outcome: { readonly value: T } | { readonly error: unknown }
    try {
      outcome = { value: await evaluate() }
    } catch (error) {
      outcome = { error }
    }
    if (await (scope as RecordScope).loadLookups(ctx)) continue
    if ('value' in outcome) return outcome.value
    throw outcome.error
  }
  throw new EvaluationError('VLOOKUP is nested too deeply')
}
