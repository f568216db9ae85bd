import { drain } from '../base/run-in-slices.ts'
import { readInSlices } from '../definitions/files/read-definitions.ts'
import { writeInSlices } from '../definitions/files/write-definitions.ts'
import type { DefinitionFiles } from '../definitions/formats/object-file.ts'
import { type Imported, merge, NO_FILES } from './imported.ts'
import type { NotePad } from './notes.ts'
import { settleReferences } from './settle-references.ts'
import { takeOutProblems } from './take-out-problems.ts'

/** An import knows nothing of search indexes: a file that asks for one still does afterwards. */
const keepIndexed = (draft: DefinitionFiles, known: DefinitionFiles): DefinitionFiles => ({
  ...draft,
  objects: Object.fromEntries(
    Object.entries(draft.objects).map(([name, file]) =>
      known.objects[name]?.searchable === 'indexed'
        ? [name, { searchable: 'indexed' as const, ...file }]
        : [name, file],
    ),
  ),
})

/**
 * Completes an import: resolves references, removes what a definition does not support, and leaves out
 * default properties. Takes a pause after each of its parts.
 * @param known existing files of the deployment
 */
export function* finishInSlices(
  draft: DefinitionFiles,
  pad: NotePad,
  { objects: knownObjects, valueSets }: DefinitionFiles = NO_FILES,
): Generator<void, Imported> {
  // Permissions that are known may name what the import takes out, or come with it again.
  const known = { objects: knownObjects, valueSets }
  const files = yield* takeOutProblems(settleReferences(keepIndexed(draft, known), pad, known), pad, known)
  const { objects } = yield* writeInSlices((yield* readInSlices(merge(known, files))).objects)
  const own = Object.entries(objects).filter(([name]) => Object.hasOwn(files.objects, name))
  return { files: { objects: Object.fromEntries(own), valueSets: files.valueSets }, notes: pad.notes }
}

/** The same without a pause. */
export const finishImport = (draft: DefinitionFiles, pad: NotePad, known?: DefinitionFiles): Imported =>
  drain(finishInSlices(draft, pad, known))
