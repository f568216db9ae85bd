import type { FieldDefinition, ObjectDefinition } from '../definitions/definition.ts'

const notWritable = { createable: false, updateable: false } as const

const idFields: readonly FieldDefinition[] = [
  { name: 'Id', label: 'Record ID', type: 'id', required: true, ...notWritable },
  { name: 'IsDeleted', label: 'Deleted', type: 'boolean', ...notWritable },
]

const user = { type: 'reference', to: ['User'], required: true } as const

/** Audit fields of every record. (docs/reference/api/records.md#audit-fields) */
const auditFields: readonly FieldDefinition[] = [
  { name: 'CreatedDate', label: 'Created Date', type: 'datetime', required: true, ...notWritable },
  { name: 'CreatedById', label: 'Created By ID', relationship: 'CreatedBy', ...user, ...notWritable },
  { name: 'LastModifiedDate', label: 'Last Modified Date', type: 'datetime', required: true, ...notWritable },
  {
    name: 'LastModifiedById',
    label: 'Last Modified By ID',
    relationship: 'LastModifiedBy',
    ...user,
    ...notWritable,
  },
  { name: 'SystemModstamp', label: 'System Modstamp', type: 'datetime', required: true, ...notWritable },
]

function ownerField(definition: ObjectDefinition): FieldDefinition {
  const to = definition.queueable === true ? ['Group', 'User'] : ['User']
  return { name: 'OwnerId', label: 'Owner ID', type: 'reference', to, relationship: 'Owner', required: true }
}

const GEOCODE_ACCURACIES = [
  'Address',
  'NearAddress',
  'Block',
  'Street',
  'ExtendedZip',
  'Zip',
  'Neighborhood',
  'City',
  'County',
  'State',
  'Unknown',
]

/** `BillingAddress` is made of BillingStreet, BillingCity, ...; `Home__c` of Home__Street__s, .... */
function addressParts(field: FieldDefinition): FieldDefinition[] {
  const custom = field.name.endsWith('__c')
  const prefix = custom ? `${field.name.slice(0, -3)}__` : field.name.slice(0, -'Address'.length)
  const labels = field.label.replace(/ ?Address$/, '')
  const part = (
    name: string,
    label: string,
    rest: Omit<FieldDefinition, 'name' | 'label'>,
  ): FieldDefinition => ({
    name: `${prefix}${name}${custom ? '__s' : ''}`,
    label: labels === '' ? label : `${labels} ${label}`,
    compound: field.name,
    ...rest,
  })
  return [
    part('Street', 'Street', { type: 'textarea', length: 255 }),
    part('City', 'City', { type: 'string', length: 40 }),
    part('State', 'State/Province', { type: 'string', length: 80 }),
    part('PostalCode', 'Zip/Postal Code', { type: 'string', length: 20 }),
    part('Country', 'Country', { type: 'string', length: 80 }),
    part('Latitude', 'Latitude', { type: 'double', precision: 18, scale: 15 }),
    part('Longitude', 'Longitude', { type: 'double', precision: 18, scale: 15 }),
    part('GeocodeAccuracy', 'Geocode Accuracy', {
      type: 'picklist',
      length: 40,
      values: GEOCODE_ACCURACIES,
      restricted: true,
    }),
  ]
}

/** `Site__c` is made of Site__Latitude__s and Site__Longitude__s. */
function locationParts(field: FieldDefinition): FieldDefinition[] {
  return ['Latitude', 'Longitude'].map((name) => ({
    name: `${field.name.slice(0, -3)}__${name}__s`,
    label: `${field.label} (${name})`,
    type: 'double',
    precision: 18,
    scale: 15,
    compound: field.name,
  }))
}

function withParts(field: FieldDefinition): FieldDefinition[] {
  if (field.type === 'address') return [...addressParts(field), { ...field, ...notWritable }]
  if (field.type === 'location') return [...locationParts(field), { ...field, ...notWritable }]
  if (field.type === 'personname') return [{ ...field, ...notWritable }]
  return [field]
}

export const RECORD_TYPE_ID = 'RecordTypeId'

/** The record type field, the same on every object with record types. */
export const recordTypeId: FieldDefinition = {
  name: RECORD_TYPE_ID,
  label: 'Record Type ID',
  type: 'reference',
  to: ['RecordType'],
  relationship: 'RecordType',
}

/** An object with record types gets the field for them automatically. */
function recordTypeField({ recordTypes = [], fields }: ObjectDefinition): FieldDefinition[] {
  if (recordTypes.length === 0 || fields.some(({ name }) => name === RECORD_TYPE_ID)) return []
  return [recordTypeId]
}

/** All fields of an object in describe order: those of the definition, parts of compound fields, system fields. */
export function expandFields(definition: ObjectDefinition): readonly FieldDefinition[] {
  const owner = definition.ownerless === true ? [] : [ownerField(definition)]
  const own = definition.fields.flatMap(withParts)
  return [...idFields, ...own, ...recordTypeField(definition), ...owner, ...auditFields]
}

const SYSTEM = new Set([...idFields, ...auditFields].map((field) => field.name))

export function isSystemField(name: string): boolean {
  return SYSTEM.has(name)
}
