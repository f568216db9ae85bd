import type { ObjectDefinition } from '../../../schema/definitions/definition.ts'
import { expandFields } from '../../../schema/objects/expand-definition.ts'
import { makeRelationshipName } from '../../definitions/field-defaults.ts'
import type { Project } from './field-source.ts'
import { findStandard } from './find-standard.ts'

/** A field that a list view names, as a path from its object. */
export interface ViewField {
  readonly path: string
  /** The type of its values. */
  readonly type: string
}

/** Names that mean the same in every object. */
const COMMON: ReadonlyMap<string, ViewField> = new Map([
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
  ['RECORDTYPE', { path: 'RecordType.DeveloperName', type: 'recordType' }],
])

/** Names of standard fields that cannot be guessed from those of the fields. */
const STANDARD: ReadonlyMap<string, string> = new Map([
  ['ACCOUNT.PHONE1', 'Phone'],
  ['ACCOUNT.PHONE2', 'Fax'],
  ['ACCOUNT.EMPLOYEES', 'NumberOfEmployees'],
  ['ACCOUNT.SALES', 'AnnualRevenue'],
  ['ACCOUNT.URL', 'Website'],
  ['CONTACT.PHONE1', 'Phone'],
  ['CONTACT.PHONE2', 'Fax'],
  ['CONTACT.PHONE3', 'MobilePhone'],
  ['OPPORTUNITY.CLOSED', 'IsClosed'],
  ['OPPORTUNITY.WON', 'IsWon'],
  ['LEAD.REVENUE', 'AnnualRevenue'],
  ['FULL_NAME', 'Name'],
])

const normalize = (name: string) => name.replaceAll('_', '').toLowerCase()

/** `ACCOUNT.ADDRESS1_CITY`: a part of the first address of the object, 2 the second one. */
function findAddressPart({ fields }: ObjectDefinition, name: string): string | undefined {
  const [, at, part] = /^ADDRESS([12])?_(STREET|CITY|STATE|ZIP|COUNTRY)$/.exec(name) ?? []
  if (part === undefined) return undefined
  const address = fields.filter(({ type }) => type === 'address')[Number(at ?? 1) - 1]
  const prefix = address?.name.replace(/Address$/, '')
  return prefix === undefined ? undefined : `${prefix}${part === 'ZIP' ? 'PostalCode' : part}`
}

/** `OPPORTUNITY.STAGE_NAME` is StageName. */
function findStandardName(standard: ObjectDefinition, name: string): string | undefined {
  const known = STANDARD.get(name)
  if (known !== undefined) return known
  const own = name.includes('.') ? name.slice(name.indexOf('.') + 1) : name
  return findAddressPart(standard, own) ?? own
}

/** A reference is shown by the name of its record. */
function describe(name: string, type: string | undefined, relationship: string | undefined) {
  if (type === undefined) return undefined
  if (type !== 'reference') return { path: name, type }
  return relationship === undefined ? undefined : { path: `${relationship}.Name`, type: 'string' }
}

/** The field of an object that a list view of the project names; undefined when it is not known here. */
export function findViewField(project: Project, object: string, name: string): ViewField | undefined {
  const common = COMMON.get(name)
  const standard = findStandard(object)
  if (common !== undefined && (standard === undefined || name !== 'NAME')) return common
  if (name.endsWith('__c')) {
    return describe(name, project.fieldAt(`${object}.${name}`)?.type, makeRelationshipName(name))
  }
  if (standard === undefined) return undefined
  const wanted = findStandardName(standard, name)
  const field = expandFields(standard).find(
    (one) => wanted !== undefined && normalize(one.name) === normalize(wanted),
  )
  return field && describe(field.name, field.type, field.relationship)
}
