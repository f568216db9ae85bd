import type { ObjectDefinition } from '../definitions/definition.ts'
import type { FieldDefinition } from '../fields/field-definition.ts'

export const isOwn = (object: string): boolean => object.endsWith('__c')

/** The reference of an object that the platform makes for another: `AccountId`, or `ParentId` to one of the org's own. */
export const makeParentField = (
  { name, label }: Pick<ObjectDefinition, 'name' | 'label'>,
  children: string,
): FieldDefinition => ({
  name: isOwn(name) ? 'ParentId' : `${name}Id`,
  label: `${label} ID`,
  type: 'reference',
  to: [name],
  relationship: isOwn(name) ? 'Parent' : name,
  children,
  masterDetail: 0,
})
