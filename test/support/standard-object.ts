import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'

/** The definition of a standard object. */
export const standardObject = (name: string): ObjectDefinition =>
  STANDARD_OBJECTS.find((object) => object.name === name)!
