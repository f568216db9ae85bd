import type { DefinitionFiles } from '../definitions/object-file.ts'
import { readDefinitions } from '../definitions/read-definitions.ts'
import { writeDefinitions } from '../definitions/write-definitions.ts'
import { type Imported, NO_FILES } from './imported.ts'
import { merge } from './merge.ts'
import type { NotePad } from './notes.ts'
import { plainNames } from './plain-names.ts'
import { settleReferences } from './settle-references.ts'
import { takeOutProblems } from './take-out-problems.ts'

/**
 * What every import ends with: names and references that can stand here, nothing that a definition may not say, and
 * files that leave out what goes without saying.
 * @param known the files that the deployment has already
 */
export function finishImport(draft: DefinitionFiles, pad: NotePad, known = NO_FILES): Imported {
  const named = plainNames(draft, pad)
  const files = takeOutProblems(settleReferences(named, pad, known), pad, known)
  const { objects } = writeDefinitions(readDefinitions(merge(known, files)).objects)
  const own = Object.entries(objects).filter(([name]) => Object.hasOwn(files.objects, name))
  return { files: { objects: Object.fromEntries(own), valueSets: files.valueSets }, notes: pad.notes }
}
