import type { CopiedField, FieldDefinition } from '../../schema/fields/field-definition.ts'
import { notWritable } from './not-writable.ts'

type Shown = Pick<FieldDefinition, 'copyOf' | 'createable' | 'updateable'>

/** For a field that shows others, as they are now: the first that is not empty. */
export const showing = (...copyOf: readonly CopiedField[]): Shown => ({ copyOf, ...notWritable })

/** A field of the contact that `ContactId` points to. */
export const ofContact = (field: string): CopiedField => ({
  references: [{ name: 'ContactId', to: 'Contact' }],
  field,
})

/** A field of the product that `Product2Id` points to. */
export const ofProduct = (field: string): CopiedField => ({
  references: [{ name: 'Product2Id', to: 'Product2' }],
  field,
})

/** A field of the lead that `LeadId` points to. */
export const ofLead = (field: string): CopiedField => ({
  references: [{ name: 'LeadId', to: 'Lead' }],
  field,
})
