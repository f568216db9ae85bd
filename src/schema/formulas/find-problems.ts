import { FormulaError } from '../../formulas/language/formula-error.ts'
import type { Field, SchemaFormula } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { LazyFormula } from './lazy-formula.ts'
import { RollUp } from './roll-up.ts'

/** A formula that cannot be compiled, and where its definition has it. */
export interface FormulaProblem {
  readonly path: readonly [part: 'fields' | 'validations', name: string, ...property: string[]]
  readonly error: FormulaError
  /** Empty: the problem is none of a text. */
  readonly text: string
}

function findProblem(formula: SchemaFormula | undefined, path: FormulaProblem['path']): FormulaProblem[] {
  if (!(formula instanceof LazyFormula) || formula.error === undefined) return []
  return [{ path, error: formula.error, text: formula.given.text }]
}

/** The limit is that of the interface. */
const MAX_ROLL_UPS = 25

function* findRollUpProblems(fields: readonly Field[]): Generator<FormulaProblem> {
  const rolledUp = fields.filter(({ rollUp }) => rollUp instanceof RollUp)
  for (const [index, { name, rollUp }] of rolledUp.entries()) {
    const { error, filter } = rollUp as RollUp
    const path = ['fields', name, 'rollUp'] as const
    if (index >= MAX_ROLL_UPS)
      yield { path, error: new FormulaError(`An object has ${MAX_ROLL_UPS} roll-ups at most.`, 0), text: '' }
    if (error !== undefined) yield { path, error, text: '' }
    else yield* findProblem(filter, [...path, 'filter'])
  }
}

/** Finds the problems of an object's formulas. */
export const findFormulaProblems = ({ fields, validations }: ObjectType): readonly FormulaProblem[] => [
  ...fields.flatMap(({ name, formula, defaultFormula }) => [
    ...findProblem(formula, ['fields', name, 'formula']),
    ...findProblem(defaultFormula, ['fields', name, 'defaultFormula']),
  ]),
  ...findRollUpProblems(fields),
  ...validations.flatMap(({ rule, formula }) =>
    findProblem(formula, ['validations', rule.name, 'condition']),
  ),
]
