import { oncePer } from '../base/get-or-insert.ts'
import type { Sharing } from '../schema/definitions/definition.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'

/** Access to a record: `read`, `edit`, or `full` (delete, share, transfer). */
export type RowLevel = 'read' | 'edit' | 'full'

/** The access levels of a share that grant a row level. */
export const ACCESS_LEVELS = {
  read: ['Read', 'Edit', 'All'],
  edit: ['Edit', 'All'],
  full: ['All'],
} as const

/** Objects with an owner whose records also belong to a parent record. */
const ATTACHED = ['Attachment', 'Note']

/** Files are visible to their owners and by links. (docs/adr/0009) */
export const FILE = 'ContentDocument'
export const FILE_LINK = 'ContentDocumentLink'
const EMAIL = 'EmailMessage'
const EVENT = 'Event'
/** Objects that belong to other records without being their details, with their parent references. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  ContentVersion: ['ContentDocumentId'],
  // A link belongs to the linked record too.
  [FILE_LINK]: ['LinkedEntityId', 'ContentDocumentId'],
  [EMAIL]: ['ParentId', 'RelatedToId'],
}

/** True if records may be without the masters that decide access; then everybody with the object has it. */
export const mayLackMasters = ({ name }: ObjectType): boolean => name === EMAIL

/**
 * True if the owner can hide records from others: notes and attachments (`owner`) from everybody who may see the record that they
 * belong to, events (`above`) from all who do not stand above the owner.
 */
export const getPrivacy = ({ name }: ObjectType): 'owner' | 'above' | undefined => {
  if (name === EVENT) return 'above'
  return ATTACHED.includes(name) ? 'owner' : undefined
}

/**
 * The references to the records that decide access to this one: its masters, or for objects without an owner that are
 * deleted with their parent, such as line items, that parent.
 */
export const getMasters = oncePer(({ name, definition, fields }: ObjectType): readonly Field[] => {
  const masterDetails = fields.filter((field) => field.definition.masterDetail !== undefined)
  if (masterDetails.length > 0) return masterDetails
  const parents = PARENTS[name]
  if (parents !== undefined) return fields.filter((field) => parents.includes(field.name))
  if (definition.ownerless !== true && !ATTACHED.includes(name)) return []
  const parent = fields.find(
    ({ type, definition: { required, onDelete } }) =>
      type.refers === true && required === true && onDelete === 'cascade',
  )
  return parent === undefined ? [] : [parent]
})

/** The sharing model of an object, with its default. */
export function getSharing(object: ObjectType): Sharing {
  const { sharing } = object.definition
  const isDetail = getMasters(object).length > 0
  if (object.name === FILE && (sharing ?? 'controlledByParent') === 'controlledByParent') return 'private'
  if (sharing === undefined) return isDetail ? 'controlledByParent' : 'readWrite'
  return sharing === 'controlledByParent' && !isDetail ? 'readWrite' : sharing
}

/** True if every user with the object permission has this access to all records. */
export const isOpenTo = (sharing: Sharing, level: RowLevel): boolean =>
  sharing === 'readWrite' ? level !== 'full' : sharing === 'read' && level === 'read'

/** True if every user with the object permission sees all records, whoever owns them or their masters. */
export const isOpenToAll = (object: ObjectType): boolean =>
  isOpenTo(getSharing(object), 'read') && getPrivacy(object) === undefined

/**
 * The access to the master that an operation on a record requires: writing a detail changes its master, and sharing a
 * record needs full access to it.
 */
export function levelOnMaster({ definition }: ObjectType, level: RowLevel): RowLevel {
  if (level === 'read') return 'read'
  return definition.shareOf === undefined ? 'edit' : 'full'
}
