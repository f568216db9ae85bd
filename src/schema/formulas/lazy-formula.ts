import { checkFormula } from '../../formulas/check/check-formula.ts'
import type { Formula } from '../../formulas/language/expression.ts'
import { FormulaError } from '../../formulas/language/formula-error.ts'
import type { FormulaPlace, FormulaType } from '../../formulas/language/formula-type.ts'
import type { Field, ParentStep, SchemaFormula } from '../fields/field.ts'
import { type FindObject, isFieldTarget, SchemaBinder } from './bind.ts'

/** A formula of an object as its definition has it. */
export interface FormulaText {
  readonly object: string
  readonly text: string
  readonly place: FormulaPlace
  /** Undefined if any type is allowed. */
  readonly result: FormulaType | undefined
  /** Blank numbers count as zero. */
  readonly zero: boolean
}

/** The ways to parents that a formula needs, also through formulas of those. */
function* findParents(formula: Formula, before: readonly ParentStep[]): Generator<readonly ParentStep[]> {
  for (const target of formula.targets) {
    if (!isFieldTarget(target) || target.root !== 'record') continue
    const way = [...before, ...target.steps]
    if (way.length > 0) yield way
    if (target.formula !== undefined) yield* findParents(target.formula, way)
  }
}

const keyOf = (way: readonly ParentStep[]) =>
  way.map(({ reference, object }) => `${reference.name} ${object}`).join('.')

const CIRCLE = 'Formula cannot use another formula field that directly or indirectly refers to itself.'

/** A formula that is compiled when it is first used: the formulas that it refers to are there by then. */
export class LazyFormula implements SchemaFormula {
  readonly given: FormulaText
  readonly #findObject: FindObject
  #result: Formula | FormulaError | undefined
  #isCompiling = false
  #parents: readonly (readonly ParentStep[])[] | undefined

  constructor(given: FormulaText, findObject: FindObject) {
    this.given = given
    this.#findObject = findObject
  }

  get result(): Formula | FormulaError {
    this.#result ??= this.#compile()
    return this.#result
  }

  get compiled(): Formula | undefined {
    return this.result instanceof FormulaError ? undefined : this.result
  }

  get error(): FormulaError | undefined {
    return this.result instanceof FormulaError ? this.result : undefined
  }

  get parents(): readonly (readonly ParentStep[])[] {
    this.#parents ??= this.#listParents()
    return this.#parents
  }

  #listParents(): readonly (readonly ParentStep[])[] {
    const { compiled } = this
    if (compiled === undefined) return []
    return [...new Map(Array.from(findParents(compiled, []), (way) => [keyOf(way), way])).values()]
  }

  #compile(): Formula | FormulaError {
    const { object: name, text, place, result, zero } = this.given
    const object = this.#findObject(name)
    if (object === undefined) return new FormulaError(`${name} does not exist`, 0)
    this.#isCompiling = true
    try {
      const binder = new SchemaBinder(object, this.#findObject, place, requireFormula)
      const formula = checkFormula({ text, place, result, zero, binder })
      this.check(formula)
      return formula
    } catch (error) {
      if (error instanceof FormulaError) return error
      throw error
    } finally {
      this.#isCompiling = false
    }
  }

  /**
   * Refuses a formula for what else is asked of it.
   * @throws FormulaError
   */
  protected check(_formula: Formula): void {}

  /**
   * The formula, for another one that refers to it.
   * @throws FormulaError
   */
  require(name: string, at: number): Formula {
    if (this.#isCompiling) throw new FormulaError(CIRCLE, at)
    const { result } = this
    if (!(result instanceof FormulaError)) return result
    // Every formula of a circle is found by itself, whichever is compiled first.
    if (result.message === CIRCLE) throw new FormulaError(CIRCLE, at)
    throw new FormulaError(`Error in referenced formula ${name}, ${result.message}`, at)
  }
}

const requireFormula = (field: Field, at: number): Formula | undefined =>
  field.formula instanceof LazyFormula ? field.formula.require(field.name, at) : undefined
