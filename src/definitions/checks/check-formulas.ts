import { findLine } from '../../formulas/language/formula-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { findFormulaProblems } from '../../schema/formulas/find-problems.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import type { Problem } from './problem.ts'

/** True if a definition has formulas: for them the whole schema is needed. */
export const definesFormulas = ({ fields, validations = [] }: ObjectDefinition): boolean =>
  validations.length > 0 ||
  fields.some(({ formula, defaultFormula, rollUp }) =>
    [formula, defaultFormula, rollUp].some((one) => one !== undefined),
  )

/** Finds what is wrong with the formulas of the files, each with its position in the text. */
export function* checkFormulas(files: DefinitionFiles, schema: SchemaSnapshot): Generator<Problem[]> {
  for (const name of Object.keys(files.objects)) {
    const object = schema.object(name)
    if (object === undefined) continue
    yield findFormulaProblems(object).map(({ path, error, text }) => ({
      path: ['objects', object.name, ...path],
      message: error.message,
      ...(text !== '' && { offset: error.at, position: findLine(text, error.at) }),
    }))
  }
}
