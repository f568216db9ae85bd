import { getOrInsert } from '../base/get-or-insert.ts'
import type { Sharing } from '../schema/definitions/definition.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'

/** What is done with a record: seen, changed, or deleted, shared and given away. */
export type RowLevel = 'read' | 'edit' | 'full'

/** Which access levels of a share are enough. */
export const ACCESS_LEVELS = {
  read: ['Read', 'Edit', 'All'],
  edit: ['Edit', 'All'],
  full: ['All'],
} as const

/** Objects that have owners, and yet are nothing without the record that they hang on. */
const HANGING = ['Attachment', 'Note']

/** Files: seen by their owners, and wherever a link has put them. (docs/adr/0009) */
export const FILE = 'ContentDocument'
export const FILE_LINK = 'ContentDocumentLink'
/** What goes with files, and by which references: a link also goes with the record that it puts the file at. */
const FILE_MASTERS: Readonly<Record<string, readonly string[]>> = {
  ContentVersion: ['ContentDocumentId'],
  [FILE_LINK]: ['LinkedEntityId', 'ContentDocumentId'],
}

/** Whether its records may be kept from everybody else who sees the record that they hang on. */
export const mayBePrivate = ({ name }: ObjectType): boolean => HANGING.includes(name)

const masters = new WeakMap<ObjectType, readonly Field[]>()

function findMasters({ name, definition, fields }: ObjectType): readonly Field[] {
  const masterDetails = fields.filter((field) => field.definition.masterDetail !== undefined)
  if (masterDetails.length > 0) return masterDetails
  const ofFile = FILE_MASTERS[name]
  if (ofFile !== undefined) return fields.filter((field) => ofFile.includes(field.name))
  if (definition.ownerless !== true && !HANGING.includes(name)) return []
  const parent = fields.find(
    ({ definition: { type, required, onDelete } }) =>
      type === 'reference' && required === true && onDelete === 'cascade',
  )
  return parent === undefined ? [] : [parent]
}

/**
 * The references to the records that decide who sees this one: its masters; for line items and the like, which have no
 * owner and go with their parent, that parent.
 */
export const mastersOf = (object: ObjectType): readonly Field[] =>
  getOrInsert(masters, object, () => findMasters(object))

/** Who sees and edits records that are others', where the definition does not say. */
export function sharingOf(object: ObjectType): Sharing {
  const { sharing } = object.definition
  const isDetail = mastersOf(object).length > 0
  if (object.name === FILE && (sharing ?? 'controlledByParent') === 'controlledByParent') return 'private'
  if (sharing === undefined) return isDetail ? 'controlledByParent' : 'readWrite'
  return sharing === 'controlledByParent' && !isDetail ? 'readWrite' : sharing
}

/** Whether everybody who has the object may do this with all of its records. */
export const isOpenTo = (sharing: Sharing, level: RowLevel): boolean =>
  sharing === 'readWrite' ? level !== 'full' : sharing === 'read' && level === 'read'

/**
 * What somebody must be allowed with the master to do this with a record: whoever writes a detail changes its master,
 * whoever shares a record gives a part of it away.
 */
export function levelOnMaster({ definition }: ObjectType, level: RowLevel): RowLevel {
  if (level === 'read') return 'read'
  return definition.shareOf === undefined ? 'edit' : 'full'
}
