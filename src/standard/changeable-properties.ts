import type { FieldDefinition } from '../schema/fields/field-definition.ts'

/** The properties of a standard field that an org may change. All others are the platform's. */
export const CHANGEABLE_PROPERTIES = [
  'label',
  'help',
  'description',
  'required',
  'values',
  'valueSet',
  'controller',
  'restricted',
  'trackHistory',
  'default',
  'defaultFormula',
] as const satisfies readonly (keyof FieldDefinition)[]
