import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { isSystemField, LAST_ACTIVITY_DATE, RECORD_TYPE_ID } from '../../schema/objects/expand-definition.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { makeSnapshot } from '../../schema/snapshot/snapshot.ts'
import { STANDARD_OBJECTS } from '../../standard/standard-objects.ts'
import { finishImport } from '../finish-import.ts'
import { type Imported, merge, NO_FILES } from '../imported.ts'
import { NotePad } from '../notes.ts'
import { changeStandardField } from './change-standard-field.ts'
import type { DescribedField, DescribedObject } from './described-object.ts'
import { type DescribedOrg, describedOrg } from './described-org.ts'
import { importDescribedField } from './import-described-field.ts'
import { noteDifferences } from './note-differences.ts'

const standard = makeSnapshot(1, new Date(0), STANDARD_OBJECTS)

const isOwn = ({ name }: DescribedField) => name.endsWith('__c')
/** Parts of compound fields come with the compound field. */
const isPart = ({ name }: DescribedField) => name.endsWith('__s')
/** System fields exist in every object and are not part of a file. */
const isGiven = ({ name }: DescribedField) =>
  isSystemField(name) || name === 'OwnerId' || name === RECORD_TYPE_ID

function ownFields(object: DescribedObject, org: DescribedOrg): [string, FieldFile][] {
  return object.fields
    .filter(isOwn)
    .map((field) => [field.name, importDescribedField(object, field, org)] as const)
    .map(([name, field]) => [name, field])
}

function readRecordTypes({ name, recordTypeInfos }: DescribedObject, org: DescribedOrg): ObjectFile {
  const types = recordTypeInfos.filter(({ master, developerName }) => !master && developerName !== null)
  if (types.length === 0) return {}
  org.pad.collect('unsaid', name, 'which values a record type offers')
  const files = types.map(({ active, defaultRecordTypeMapping, developerName, name: label }) => [
    developerName,
    { label, ...(!active && { inactive: true }), ...(defaultRecordTypeMapping && { default: true }) },
  ])
  return { recordTypes: Object.fromEntries(files) }
}

/** True if users or queues own the records. */
function readOwner({ fields }: DescribedObject): ObjectFile {
  const owner = fields.find(({ name }) => name === 'OwnerId')
  const isDetail = fields.some(({ relationshipOrder }) => relationshipOrder !== null)
  return {
    ...((owner === undefined) !== isDetail && { ownerless: owner === undefined }),
    ...(owner?.referenceTo?.includes('Group') && { queueable: true }),
  }
}

function importCustomObject(object: DescribedObject, org: DescribedOrg): ObjectFile {
  const name = object.fields.find((field) => field.name === 'Name')
  const activities = org.hasActivities(object)
  for (const field of object.fields) {
    const isImplied = isGiven(field) || (activities && field.name === LAST_ACTIVITY_DATE)
    if (!isOwn(field) && !isPart(field) && !isImplied && field !== name) {
      org.pad.collect('standardField', object.name, field.name)
    }
  }
  const flags = ['createable', 'updateable', 'deletable', 'searchable'] as const
  return {
    label: object.label,
    ...(object.labelPlural !== null && { labelPlural: object.labelPlural }),
    ...(/^a\w{2}$/.test(object.keyPrefix ?? '') && { keyPrefix: object.keyPrefix! }),
    ...Object.fromEntries(flags.filter((flag) => !object[flag]).map((flag) => [flag, false])),
    ...readOwner(object),
    ...(activities && { activities: true }),
    ...readRecordTypes(object, org),
    fields: Object.fromEntries([
      ...(name ? [['Name', importDescribedField(object, name, org)] as const] : []),
      ...ownFields(object, org),
    ]),
  }
}

function importStandardObject(object: DescribedObject, known: ObjectType, org: DescribedOrg): ObjectFile {
  const { definition } = known
  const changed = object.fields.flatMap((field): [string, FieldFile][] => {
    if (isOwn(field) || isPart(field)) return []
    const ours = known.field(field.name)
    if (ours === undefined) {
      org.pad.collect('standardField', object.name, field.name)
      return []
    }
    const mayChange = definition.fields.some(({ name }) => name === ours.name) && ours.name !== RECORD_TYPE_ID
    const change = mayChange ? changeStandardField(object, field, known) : undefined
    return change === undefined ? [] : [[ours.name, change]]
  })
  return {
    ...(object.label !== definition.label && { label: object.label }),
    ...(object.labelPlural !== null &&
      object.labelPlural !== definition.labelPlural && { labelPlural: object.labelPlural }),
    ...readRecordTypes(object, org),
    fields: Object.fromEntries([...changed, ...ownFields(object, org)]),
  }
}

/** Why an object cannot be imported; undefined when it can. */
function reasonAgainst({ name, customSetting }: DescribedObject): string | undefined {
  if (customSetting) return 'a custom setting'
  if (/__c$/.test(name) || standard.object(name) !== undefined) return undefined
  return /__[A-Za-z0-9]+$/.test(name)
    ? 'an object of another kind'
    : 'a standard object that Objectry does not have'
}

/**
 * Makes definition files from describes, the responses of GET /sobjects/X/describe. The file of a standard object has
 * the differences only.
 * @param known existing files of the deployment
 */
export function importDescribes(
  described: readonly DescribedObject[],
  known: DefinitionFiles = NO_FILES,
  pad = new NotePad(),
): Imported {
  const org = describedOrg(described, pad)
  const objects = described.flatMap((object): [string, ObjectFile][] => {
    const reason = reasonAgainst(object)
    if (reason !== undefined) {
      const own = object.fields.filter(isOwn).length
      pad.add(
        'object',
        object.name,
        `${reason}${own > 0 ? `, with ${own} ${own === 1 ? 'field' : 'fields'} of its own` : ''}`,
      )
      return []
    }
    const ours = standard.object(object.name)
    if (ours === undefined) return [[object.name, importCustomObject(object, org)]]
    // The platform makes all of them.
    if (ours.definition.view !== undefined) return []
    return [[ours.name, importStandardObject(object, ours, org)]]
  })
  pad.add('unsaid', 'every object', 'sharing, descriptions, indexes and global value sets')
  const { files } = finishImport({ objects: Object.fromEntries(objects), valueSets: {} }, pad, known)
  noteDifferences(described, merge(known, files), pad)
  return { files, notes: pad.notes }
}
