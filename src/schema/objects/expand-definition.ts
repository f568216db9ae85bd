import { isEventObject, isMetadataType } from '../definitions/custom-name.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'
import type { FieldDefinition } from '../fields/field-definition.ts'
import { FIELD_TYPES } from '../fields/registry.ts'
import { EVENT_FIELDS } from './event-fields.ts'
import { getMetadataTypeFields } from './metadata-type-fields.ts'

/** For a field that only the platform sets. */
export const notWritable = { createable: false, updateable: false } as const

/** Where the label is not that of the object. */
const ID_LABELS: Readonly<Record<string, string>> = {
  Event: 'Activity ID',
  OpportunityContactRole: 'Contact Role ID',
  Task: 'Activity ID',
}

const findIdLabel = ({ name, label, view }: ObjectDefinition): string =>
  name.includes('__') || view !== undefined ? 'Record ID' : (ID_LABELS[name] ?? `${label} ID`)

const makeIdFields = (definition: ObjectDefinition): readonly FieldDefinition[] => [
  { name: 'Id', label: findIdLabel(definition), type: 'id', required: true, ...notWritable },
  { name: 'IsDeleted', label: 'Deleted', type: 'boolean', ...notWritable },
]

const user = { type: 'reference', to: ['User'], required: true } as const

const creationFields: readonly FieldDefinition[] = [
  { name: 'CreatedDate', label: 'Created Date', type: 'datetime', required: true, ...notWritable },
  { name: 'CreatedById', label: 'Created By ID', relationship: 'CreatedBy', ...user, ...notWritable },
]

/** Audit fields of every record. (docs/reference/api/records.md#audit-fields) */
const auditFields: readonly FieldDefinition[] = [
  ...creationFields,
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

/** The objects whose records own those of an object. */
function findOwners({ name, queueable }: ObjectDefinition): readonly string[] {
  if (name === 'Event') return ['Calendar', 'User']
  return queueable === true ? ['Group', 'User'] : ['User']
}

function ownerField(definition: ObjectDefinition): FieldDefinition {
  const to = findOwners(definition)
  const label = ['Event', 'Task'].includes(definition.name) ? 'Assigned To ID' : 'Owner ID'
  return { name: 'OwnerId', label, type: 'reference', to, relationship: 'Owner', required: true }
}

/** Owners of the records of a hierarchy setting; there is one record for each. */
const setupOwnerId: FieldDefinition = {
  name: 'SetupOwnerId',
  label: 'Location',
  type: 'reference',
  to: ['Organization', 'Profile', 'User'],
  relationship: 'SetupOwner',
  required: true,
  unique: true,
  onDelete: 'cascade',
}

const settingFields = ({ setting }: ObjectDefinition) => (setting === 'hierarchy' ? [setupOwnerId] : [])

/** Fields that the platform makes of others are not written by anybody. */
function withParts(field: FieldDefinition): FieldDefinition[] {
  const { makeParts, compose, generated } = FIELD_TYPES[field.type]
  if (compose === undefined && !generated) return [field]
  return [...(makeParts?.(field) ?? []), { ...field, ...notWritable }]
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

export const LAST_ACTIVITY_DATE = 'LastActivityDate'

/** Children of an object that tasks and events may be about. The standard objects define them themselves. */
const activityFields = ({ activities }: ObjectDefinition): FieldDefinition[] =>
  activities === true
    ? [
        {
          name: LAST_ACTIVITY_DATE,
          label: 'Last Activity Date',
          type: 'date',
          shows: 'lastActivity',
          ...notWritable,
        },
      ]
    : []

/** Nobody writes the records of a view, and those of a metadata type come with deployments. */
const withRights = (field: FieldDefinition, { name, view }: ObjectDefinition): FieldDefinition =>
  view === undefined && !isMetadataType(name) ? field : { ...field, ...notWritable }

/** The fields of a platform event. It is published once and has no id afterwards. */
const expandEvent = ({ fields }: ObjectDefinition): readonly FieldDefinition[] => [
  ...EVENT_FIELDS.map((field) => ({ ...field, ...notWritable })),
  ...creationFields,
  ...fields.map((field) => ({ ...field, updateable: false })),
]

/** All fields of an object in describe order: those of the definition, parts of compound fields, system fields. */
export function expandFields(definition: ObjectDefinition): readonly FieldDefinition[] {
  if (isEventObject(definition.name)) return expandEvent(definition)
  const owner = definition.ownerless === true ? [] : [ownerField(definition)]
  const standard = isMetadataType(definition.name) ? getMetadataTypeFields(definition.name) : []
  const own = [...standard, ...definition.fields]
    .flatMap(withParts)
    .map((field) => withRights(field, definition))
  return [
    ...makeIdFields(definition),
    ...own,
    ...settingFields(definition),
    ...recordTypeField(definition),
    ...activityFields(definition),
    ...owner,
    ...auditFields,
  ]
}

const SYSTEM = new Set(['Id', 'IsDeleted', ...auditFields.map(({ name }) => name)])

export function isSystemField(name: string): boolean {
  return SYSTEM.has(name)
}
