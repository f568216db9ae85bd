import type { DefinitionFiles } from '../definitions/object-file.ts'
import type { Note } from './note.ts'

/** What an import gives: definition files, and everything that they do not say as the source does. */
export interface Imported {
  readonly files: DefinitionFiles
  readonly notes: readonly Note[]
}

/** A deployment that says nothing yet. */
export const NO_FILES: DefinitionFiles = { objects: {}, valueSets: {} }
