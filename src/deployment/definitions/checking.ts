import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectFile } from './object-file.ts'

/** What an object is checked against: all of them, and what the files say. */
export interface Checking {
  readonly object: ObjectDefinition
  readonly file: ObjectFile
  /** Every object that there will be, by its name in lower case. */
  readonly objects: ReadonlyMap<string, ObjectDefinition>
  readonly valueSets: readonly string[]
  /** Whether the platform brings it. */
  readonly standard: ObjectDefinition | undefined
}

/** Whether two names are one: case makes no difference. */
export const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
