import { getOrInsert } from '../../base/get-or-insert.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { FIELD_TYPES, type FieldTypeName } from '../../schema/fields/registry.ts'
import { expandFields } from '../../schema/objects/expand-definition.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import { same } from '../checks/checking.ts'
import { makeRelationshipName } from '../formats/definition-name.ts'
import type { FieldFile } from '../formats/field-file.ts'

/** Record types by name, which filters give with their object. */
export const RECORD_TYPE = 'recordType'

/** Finds a custom field by its path, such as `Expense__c.Amount__c`; undefined when it does not exist. */
export type FieldAt = (path: string) => FieldFile | undefined

/** A field that a list view names, as a path from its object. */
export interface ViewField {
  readonly path: string
  /** The type of its values; of record types they are names. */
  readonly type: FieldTypeName | typeof RECORD_TYPE
}

/** True if values of the field are compared as texts. */
export const isTextField = ({ type }: ViewField): boolean =>
  type === RECORD_TYPE ||
  (FIELD_TYPES[type].literal === 'string' && FIELD_TYPES[type].operators.includes('like'))

/** Names that mean the same in every object. */
export const COMMON: ReadonlyMap<string, ViewField> = new Map([
  ['NAME', { path: 'Name', type: 'string' }],
  ['OBJECT_ID', { path: 'Id', type: 'id' }],
  ['OWNER.ALIAS', { path: 'Owner.Alias', type: 'string' }],
  ['OWNER.FIRST_NAME', { path: 'Owner.FirstName', type: 'string' }],
  ['OWNER.LAST_NAME', { path: 'Owner.LastName', type: 'string' }],
  ['OWNER_NAME', { path: 'Owner.Name', type: 'string' }],
  ['CORE.USERS.ALIAS', { path: 'Owner.Alias', type: 'string' }],
  ['CORE.USERS.FIRST_NAME', { path: 'Owner.FirstName', type: 'string' }],
  ['CORE.USERS.LAST_NAME', { path: 'Owner.LastName', type: 'string' }],
  ['CREATEDBY_USER', { path: 'CreatedBy.Name', type: 'string' }],
  ['CREATEDBY_USER.ALIAS', { path: 'CreatedBy.Alias', type: 'string' }],
  ['UPDATEDBY_USER', { path: 'LastModifiedBy.Name', type: 'string' }],
  ['UPDATEDBY_USER.ALIAS', { path: 'LastModifiedBy.Alias', type: 'string' }],
  ['CREATED_DATE', { path: 'CreatedDate', type: 'datetime' }],
  ['LAST_UPDATE', { path: 'LastModifiedDate', type: 'datetime' }],
  ['RECORDTYPE', { path: 'RecordType.DeveloperName', type: RECORD_TYPE }],
])

/** Objects by what stands before the dot of the names of their fields. */
export const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['ACCOUNT', 'Account'],
  ['ASSET', 'Asset'],
  ['CAMPAIGN', 'Campaign'],
  ['CASES', 'Case'],
  ['CONTACT', 'Contact'],
  ['CONTRACT', 'Contract'],
  ['EVENT', 'Event'],
  ['LEAD', 'Lead'],
  ['OPPORTUNITY', 'Opportunity'],
  ['ORDERS', 'Order'],
  ['PRODUCT', 'Product2'],
  ['PRODUCT2', 'Product2'],
  ['TASK', 'Task'],
])

/** Names of standard fields that cannot be guessed from those of the fields. */
export const STANDARD: ReadonlyMap<string, string> = new Map([
  ['Account.PHONE1', 'Phone'],
  ['Account.PHONE2', 'Fax'],
  ['Account.EMPLOYEES', 'NumberOfEmployees'],
  ['Account.SALES', 'AnnualRevenue'],
  ['Account.URL', 'Website'],
  ['Campaign.ACTIVE', 'IsActive'],
  ['Case.ESCALATION_STATE', 'IsEscalated'],
  ['Case.NAME', 'ContactId'],
  ['Contact.PHONE1', 'Phone'],
  ['Contact.PHONE2', 'Fax'],
  ['Contact.PHONE3', 'MobilePhone'],
  ['Event.WHAT_NAME', 'WhatId'],
  ['Event.WHO_NAME', 'WhoId'],
  ['Lead.REVENUE', 'AnnualRevenue'],
  ['Lead.UNREAD', 'IsUnreadByOwner'],
  ['Opportunity.EXP_AMOUNT', 'ExpectedRevenue'],
  ['Product2.CUSTOMER_PRODUCT_ID', 'ProductCode'],
  ['Product2.FAMILY_ENUM', 'Family'],
  ['Task.DUE_DATE', 'ActivityDate'],
  ['Task.WHAT_NAME', 'WhatId'],
  ['Task.WHO_NAME', 'WhoId'],
])

/** Names that stand for the same field of every standard object. */
const ANY_STANDARD: ReadonlyMap<string, string> = new Map([
  ['CREATED_DATE_DATE_ONLY', 'CreatedDate'],
  ['FULL_NAME', 'Name'],
  ['LAST_UPDATE', 'LastModifiedDate'],
])

const expanded = new WeakMap<ObjectDefinition, readonly FieldDefinition[]>()

/** The fields of a standard object, which many list views name. */
export const listStandardFields = (standard: ObjectDefinition): readonly FieldDefinition[] =>
  getOrInsert(expanded, standard, () => expandFields(standard))

const normalize = (name: string) => name.replaceAll('_', '').toLowerCase()

/** The addresses of an object, whose parts list views name by the place of the address. */
export const listAddresses = ({ fields }: ObjectDefinition) =>
  fields
    .filter(({ type }) => FIELD_TYPES[type].graphql === 'Address')
    .map(({ name }) => name.replace(/Address$/, ''))

/** `ACCOUNT.ADDRESS1_CITY`: a part of the first address of the object, 2 the second one. */
function findAddressPart(standard: ObjectDefinition, name: string): string | undefined {
  const [, at, part] = /^ADDRESS([12])?_(STREET|CITY|STATE|ZIP|COUNTRY)$/.exec(name) ?? []
  if (part === undefined) return undefined
  const prefix = listAddresses(standard)[Number(at ?? 1) - 1]
  return prefix === undefined ? undefined : `${prefix}${part === 'ZIP' ? 'PostalCode' : part}`
}

/** A reference is shown by the name of its record. */
function describe(
  name: string,
  type: FieldTypeName | undefined,
  relationship: string | undefined,
): ViewField | undefined {
  if (type === undefined) return undefined
  if (FIELD_TYPES[type].refers !== true) return { path: name, type }
  return relationship === undefined ? undefined : { path: `${relationship}.Name`, type: 'string' }
}

/** `STAGE_NAME` is StageName, `CLOSED` is IsClosed. */
function findStandardField(standard: ObjectDefinition, name: string): ViewField | undefined {
  const known = STANDARD.get(`${standard.name}.${name}`) ?? ANY_STANDARD.get(name)
  const wanted = normalize(known ?? findAddressPart(standard, name) ?? name)
  const fields = listStandardFields(standard)
  const find = (spelled: string) => fields.find((one) => normalize(one.name) === spelled)
  const field = find(wanted) ?? (known === undefined ? find(`is${wanted}`) : undefined)
  return field && describe(field.name, field.type, field.relationship)
}

/** A field of an object by its name without the object's. */
function findOwnField(fieldAt: FieldAt, object: string, name: string): ViewField | undefined {
  const common = COMMON.get(name)
  const standard = findStandardObject(object)
  if (common !== undefined && (standard === undefined || name !== 'NAME')) return common
  if (name.endsWith('__c'))
    return describe(name, fieldAt(`${object}.${name}`)?.type, makeRelationshipName(name))
  return standard && findStandardField(standard, name)
}

/** The only reference of a standard object to another one. */
export function findReference(standard: ObjectDefinition, target: string): string | undefined {
  const references = listStandardFields(standard).filter(({ to }) => to?.length === 1 && to[0] === target)
  const own = references.find(({ relationship }) => relationship === target)
  return own?.relationship ?? (references.length === 1 ? references[0]!.relationship : undefined)
}

/**
 * The field of an object that a list view in source format names; undefined when it is not known here. `ACCOUNT.NAME` is the name of the
 * account, whatever the object.
 */
export function findViewField(fieldAt: FieldAt, object: string, name: string): ViewField | undefined {
  const at = name.indexOf('.')
  if (at < 0 || COMMON.has(name)) return findOwnField(fieldAt, object, name)
  const [prefix, own] = [name.slice(0, at), name.slice(at + 1)]
  const target = PREFIXES.get(prefix.toUpperCase())
  if (target === undefined) return undefined
  if (same(target, object)) return findOwnField(fieldAt, object, own)
  const standard = findStandardObject(object)
  const relationship = standard && findReference(standard, target)
  const field = relationship && findOwnField(fieldAt, target, own)
  return field ? { ...field, path: `${relationship}.${field.path}` } : undefined
}
