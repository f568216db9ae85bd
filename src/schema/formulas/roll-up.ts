import type { Formula } from '../../formulas/language/expression.ts'
import { FormulaError } from '../../formulas/language/formula-error.ts'
import type { CompiledRollUp, Field, FieldRollUp } from '../fields/field.ts'
import type { FieldDefinition, RollUpDefinition } from '../fields/field-definition.ts'
import type { FieldType } from '../fields/field-type.ts'
import { FIELD_TYPES } from '../fields/registry.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { type FindObject, isFieldTarget } from './bind.ts'
import { FilterFormula } from './filter-formula.sql.ts'

/** Standard references that roll-ups may follow as if they were master-detail fields. */
const LIKE_DETAILS: readonly string[] = [
  'Opportunity.AccountId',
  'OpportunityLineItem.OpportunityId',
  'OrderItem.OrderId',
  'QuoteLineItem.QuoteId',
]

/** Fields that change without a write of the record that a roll-up would notice. */
const UNNOTICED: readonly string[] = [
  'LastModifiedDate',
  'LastModifiedById',
  'SystemModstamp',
  'LastActivityDate',
]

/** Names of the record's own fields that a formula follows from, also through other formulas. */
function* listOwnFields(formula: Formula): Generator<string> {
  for (const target of formula.targets) {
    if (!isFieldTarget(target)) continue
    if (target.formula === undefined) yield (target.steps[0]?.reference ?? target.field).name
    else yield* listOwnFields(target.formula)
  }
}

/** A field that sums up the details of its record. What it refers to is looked up when it is first used. */
export class RollUp implements FieldRollUp {
  readonly definition: RollUpDefinition
  readonly filter: FilterFormula | undefined
  readonly #object: string
  readonly #field: FieldDefinition
  readonly #findObject: FindObject
  #result: CompiledRollUp | FormulaError | undefined

  constructor(object: string, field: FieldDefinition, findObject: FindObject) {
    this.definition = field.rollUp!
    this.#object = object
    this.#field = field
    this.#findObject = findObject
    const { object: child, filter } = this.definition
    if (filter !== undefined) this.filter = new FilterFormula(child, filter, findObject)
  }

  get compiled(): CompiledRollUp | undefined {
    this.#result ??= this.#compile()
    return this.#result instanceof FormulaError ? undefined : this.#result
  }

  /** Why it cannot be computed, apart from its filter, which has an error of its own. */
  get error(): FormulaError | undefined {
    this.#result ??= this.#compile()
    return this.#result instanceof FormulaError && this.#result !== this.filter?.error
      ? this.#result
      : undefined
  }

  #compile(): CompiledRollUp | FormulaError {
    try {
      return this.#check()
    } catch (error) {
      if (error instanceof FormulaError) return error
      throw error
    }
  }

  #check(): CompiledRollUp {
    const { object: name, reference, function: kind, field: summed } = this.definition
    const child = this.#findObject(name)
    if (child === undefined) throw refusal(`There is no object ${name}.`)
    const master = child.field(reference)
    if (master === undefined || !this.#isMaster(master))
      throw refusal(`${name}.${reference} is not the master-detail field of a detail of ${this.#object}.`)
    const of = this.#findSummed(child, kind, summed)
    const filter = this.filter
    if (filter?.error !== undefined) throw filter.error
    const sources = [of?.formula?.compiled, filter?.compiled]
    const named = sources.flatMap((formula) => (formula === undefined ? [] : [...listOwnFields(formula)]))
    const from = [...new Set([...named, ...(of === undefined || of.formula !== undefined ? [] : [of.name])])]
    const unnoticed = from.find(
      (one) => UNNOTICED.includes(one) || child.field(one)?.definition.recent !== undefined,
    )
    if (unnoticed !== undefined)
      throw refusal(
        `A roll-up cannot follow ${child.name}.${unnoticed}, which changes without a write of the record.`,
      )
    return {
      child: child.name,
      reference: master.name,
      function: kind,
      ...(of !== undefined && { of }),
      ...(filter !== undefined && { filter }),
      from,
    }
  }

  /** An object is not its own master, so no roll-up leads back to itself. */
  #isMaster({ definition, referenceTo, name }: Field): boolean {
    const isOnly = referenceTo.length === 1 && referenceTo[0] === this.#object
    const isDetail =
      definition.masterDetail !== undefined || LIKE_DETAILS.includes(`${this.definition.object}.${name}`)
    return isOnly && isDetail && this.definition.object.toLowerCase() !== this.#object.toLowerCase()
  }

  #findSummed(
    child: ObjectType,
    kind: RollUpDefinition['function'],
    name: string | undefined,
  ): Field | undefined {
    const { type } = this.#field
    if (kind === 'count') {
      if (name !== undefined) throw refusal('A count has no field: details are counted.')
      if (!FIELD_TYPES[type].rollUp?.counts) throw refusal('A count is of the type double.')
      return undefined
    }
    if (name === undefined) throw refusal(`Name the field of ${child.name} that the ${kind} is of.`)
    const field = child.field(name)
    if (field === undefined) throw refusal(`${child.name} has no field ${name}.`)
    const isStored = field.column !== undefined || field.formula !== undefined
    if (!isTaken(field.type, kind) || !isStored) {
      const allowed = Object.values(FIELD_TYPES).filter((one) => isTaken(one, kind))
      const names = allowed.map((one) => one.name).join(', ')
      throw refusal(`There is no ${kind} of a ${field.type.name}: take a field of ${names}.`)
    }
    const { result } = field.type.rollUp!
    if (type !== result) throw refusal(`The ${kind} of ${field.name} is of the type ${result}, not ${type}.`)
    if (field.formula === undefined) return field
    const { compiled } = field.formula
    if (compiled === undefined) throw refusal(`The formula of ${child.name}.${field.name} is not valid.`)
    if (!compiled.isImmutable)
      throw refusal(
        `${child.name}.${field.name} cannot be summed up: its formula uses another record, the caller or the clock.`,
      )
    return field
  }
}

const isTaken = ({ rollUp }: FieldType, kind: RollUpDefinition['function']): boolean =>
  rollUp !== undefined && (kind !== 'sum' || rollUp.hasSum === true)

/** The error of what is not a formula: it is at the beginning. */
const refusal = (message: string): FormulaError => new FormulaError(message, 0)
