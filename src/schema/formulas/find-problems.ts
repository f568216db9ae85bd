import type { FormulaError } from '../../formulas/language/formula-error.ts'
import type { SchemaFormula } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { LazyFormula } from './lazy-formula.ts'

/** A formula that cannot be compiled, and where its definition has it. */
export interface FormulaProblem {
  readonly path: readonly [part: 'fields' | 'validations', name: string, property: string]
  readonly error: FormulaError
  readonly text: string
}

function findProblem(formula: SchemaFormula | undefined, path: FormulaProblem['path']): FormulaProblem[] {
  if (!(formula instanceof LazyFormula) || formula.error === undefined) return []
  return [{ path, error: formula.error, text: formula.given.text }]
}

/** What is wrong with the formulas of an object. */
export const findFormulaProblems = ({ fields, validations }: ObjectType): readonly FormulaProblem[] => [
  ...fields.flatMap(({ name, formula, defaultFormula }) => [
    ...findProblem(formula, ['fields', name, 'formula']),
    ...findProblem(defaultFormula, ['fields', name, 'defaultFormula']),
  ]),
  ...validations.flatMap(({ rule, formula }) =>
    findProblem(formula, ['validations', rule.name, 'condition']),
  ),
]
