import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectFile } from './object-file.ts'

/** An object to check, with all other objects and its definition file. */
export interface Checking {
  readonly object: ObjectDefinition
  readonly file: ObjectFile
  /** All objects after the deployment, by lower-case name. */
  readonly objects: ReadonlyMap<string, ObjectDefinition>
  readonly valueSets: readonly string[]
  /** The platform's definition of the object, if it is a standard object. */
  readonly standard: ObjectDefinition | undefined
}

/** Whether two names are equal, ignoring case. */
export const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
