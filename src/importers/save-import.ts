import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { makeFolder } from '../base/make-folder.ts'
import { DefinitionError } from '../definitions/checks/problem.ts'
import { DEFINITION_KINDS, type DefinitionKind, FOLDERS } from '../definitions/files/has-definitions.ts'
import { readDefinitions } from '../definitions/files/read-definitions.ts'
import { saveDefinitions } from '../definitions/files/save-definitions.ts'
import { makeFileName } from '../definitions/formats/definition-name.ts'
import { EDITOR_SCHEMAS } from '../definitions/formats/editor-schema.ts'
import type { DefinitionFiles } from '../definitions/formats/object-file.ts'
import { merge } from './imported.ts'

/** Paths relative to the deployment. */
export interface Saved {
  readonly written: readonly string[]
  /** Files that already have the same content. */
  readonly unchanged: readonly string[]
}

/** Divides the files of a kind into new ones, unchanged ones and changed ones. */
function compare(kind: DefinitionKind, files: DefinitionFiles, known: DefinitionFiles) {
  const found = { added: {} as Record<string, never>, same: [] as string[], other: [] as string[] }
  const there: Readonly<Record<string, unknown>> = known[kind] ?? {}
  for (const [name, file] of Object.entries<unknown>(files[kind] ?? {})) {
    const path = `${FOLDERS[kind]}/${makeFileName(name)}.yaml`
    if (Object.hasOwn(there, name)) {
      if (isDeepStrictEqual(there[name] ?? {}, file ?? {})) {
        found.same.push(path)
        continue
      }
      found.other.push(path)
    }
    found.added[name] = file as never
  }
  return found
}

/**
 * Writes imported files and the JSON schemas for editors into a deployment.
 * @param known existing files of the deployment
 * @param advice ends the message of the error
 * @throws Error when a file exists with other content and must not be overwritten
 */
export function saveImport(
  deployment: string,
  files: DefinitionFiles,
  known: DefinitionFiles,
  overwrite: boolean,
  advice = '',
): Saved {
  const { problems } = readDefinitions(merge(known, files))
  if (problems.length > 0) throw new DefinitionError(problems)
  const compared = DEFINITION_KINDS.map((kind) => [kind, compare(kind, files, known)] as const)
  const other = compared.flatMap(([, found]) => found.other)
  if (other.length > 0 && !overwrite) {
    const [subject, them] = other.length === 1 ? ['is', 'it'] : ['are', 'them']
    throw new Error(
      `${other.join(', ')} ${subject} in ${deployment} already, with other content. Nothing was written; --overwrite replaces ${them}${advice}`,
    )
  }
  makeFolder(deployment)
  const added = Object.fromEntries(compared.map(([kind, found]) => [kind, found.added]))
  const written = saveDefinitions(deployment, added as unknown as DefinitionFiles)
  if (written.length > 0) {
    for (const [name, schema] of Object.entries(EDITOR_SCHEMAS)) {
      writeFileSync(join(deployment, name), `${JSON.stringify(schema(), null, 2)}\n`)
    }
  }
  return { written, unchanged: compared.flatMap(([, found]) => found.same) }
}
