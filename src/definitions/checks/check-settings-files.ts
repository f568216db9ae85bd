import { didYouMean } from '../../base/nearest.ts'
import { findSchemaProblems, type Shape, shown } from '../../base/schema-problems.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { SETTINGS_FILES, type SettingsName } from '../formats/settings-file.ts'
import { checkPart } from './check-part.ts'
import type { Problem } from './problem.ts'

const NAMES = Object.keys(SETTINGS_FILES) as SettingsName[]

/** Finds settings of the org that there are none of, unknown properties and values of a wrong type. */
export function* checkSettingsFiles({ settings = {} }: DefinitionFiles): Generator<Problem[]> {
  for (const [name, input] of Object.entries<unknown>(settings)) {
    const at = ['settings', name]
    const known = NAMES.find((one) => one === name)
    if (known === undefined) {
      const meant = didYouMean(name, NAMES) || `; there are those of ${NAMES.join(', ')}`
      yield [{ path: at, message: `${shown(name)} is no name of settings${meant}` }]
      continue
    }
    const shape = SETTINGS_FILES[known] as unknown as Shape
    yield checkPart(input, at, () => findSchemaProblems(shape, input ?? {}, at, 'these settings'))
  }
}
