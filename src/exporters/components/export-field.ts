import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { FieldAt } from '../../definitions/list-views/find-view-field.ts'
import { isMetadataType } from '../../schema/definitions/custom-name.ts'
import type { FieldType } from '../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { TypeInSourceFormat } from '../../schema/fields/type-in-source-format.ts'
import type { ExportNotes } from './export-notes.ts'
import { exportSummaryFilter } from './export-summary-filter.ts'
import { exportValueSet } from './export-values.ts'
import type { Content } from './write-xml.ts'

/** Facts about other objects of the export that fields and list views refer to. */
export interface KnownObjects {
  readonly fieldAt: FieldAt
  readonly isPercent: (object: string, field: string) => boolean
  /** The labels of the record types of an object by their names. */
  readonly recordTypes: (object: string) => ReadonlyMap<string, string>
}

const quote = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A default value as a formula. */
function writeDefault({ formula }: FieldType, value: string | number | boolean): string {
  if (typeof value === 'boolean') return String(value)
  // A formula writes 10 % as 0.1.
  if (typeof value === 'number')
    return String(formula?.isPercent === true ? Number((value / 100).toFixed(12)) : value)
  return quote(value)
}

const DELETE_CONSTRAINTS = { clear: 'SetNull', cascade: 'Cascade', restrict: 'Restrict' } as const

/** A field while it is written: where it is, and what has no place goes to the notes. */
interface Exported {
  readonly location: string
  readonly field: FieldFile
  readonly type: FieldType
  readonly format: TypeInSourceFormat
  readonly notes: ExportNotes
  readonly known: KnownObjects
}

function writeReference({ location, field, notes }: Exported): Content {
  const targets = [field.to ?? []].flat()
  if (targets.length > 1) notes.add(location, `refers to ${targets.join(', ')}: only the first is written`)
  const relationshipName = field.children?.replace(/__r$/, '')
  const common = { referenceTo: targets[0], relationshipName }
  if (field.masterDetail === undefined)
    return {
      ...common,
      ...(field.onDelete !== undefined && { deleteConstraint: DELETE_CONSTRAINTS[field.onDelete] }),
    }
  return {
    ...common,
    relationshipOrder: field.masterDetail,
    reparentableMasterDetail: field.reparentable === true,
    writeRequiresMasterRead: false,
  }
}

/** A roll-up; undefined: its filter cannot be said in the format. */
function writeSummary({ location, field, notes, known }: Exported): Content | undefined {
  const { object, reference, function: operation, field: summed, filter } = field.rollUp!
  const detail = {
    name: object,
    isPercent: (name: string) => known.isPercent(object, name),
    recordTypes: known.recordTypes(object),
  }
  const items = filter === undefined ? [] : exportSummaryFilter(detail, filter)
  if (items === undefined) {
    notes.add(location, `its filter has no conditions in this format: ${filter}`)
    return undefined
  }
  return {
    type: 'Summary',
    summaryFilterItems: items,
    summaryForeignKey: `${object}.${reference}`,
    summaryOperation: operation,
    ...(summed !== undefined && { summarizedField: `${object}.${summed}` }),
  }
}

function nameType({ location, type, format, field }: Exported): string {
  if (field.masterDetail !== undefined) return 'MasterDetail'
  const isOfMetadata = type.refers === true && isMetadataType(location.slice(0, location.indexOf('.')))
  return isOfMetadata ? 'MetadataRelationship' : format.name
}

function writeType(exported: Exported): Content {
  const { type, format, field } = exported
  return {
    type: nameType(exported),
    ...format.write?.({ ...type.file?.defaults, ...field }),
    ...(type.refers === true && writeReference(exported)),
    ...(type.listed === true && { valueSet: exportValueSet(field) }),
  }
}

const writeTexts = ({ help, description }: FieldFile): Content => ({ description, inlineHelpText: help })

const writeDefaultOf = (type: FieldType, { default: value, defaultFormula }: FieldFile): Content => {
  const formula = defaultFormula ?? (value === undefined ? undefined : writeDefault(type, value))
  return { defaultValue: formula ?? (type.emptyValue === undefined ? undefined : String(type.emptyValue)) }
}

/** Notes what the format has no place for. */
function noteOthers({ location, field, format, notes }: Exported): void {
  const { computed, idLookup, createable, updateable, relationship } = field
  notes.addProperties(location, { computed, idLookup, createable, updateable, relationship })
  if (format.isOther === true) notes.add(location, `is a ${format.name} there`)
}

/**
 * The content of a custom field; undefined if the formats have no such field.
 * @param location `Job__c.Hours__c`
 */
export function exportField(
  location: string,
  field: FieldFile,
  notes: ExportNotes,
  known: KnownObjects,
): Content | undefined {
  const type = FIELD_TYPES[field.type ?? 'string']
  const format = type.sourceFormat
  const label = field.label ?? makeLabel(location.slice(location.indexOf('.') + 1))
  if (format === undefined) {
    notes.add(location, `the format has no ${type.name}`)
    return undefined
  }
  const exported = { location, field, type, format, notes, known }
  noteOthers(exported)
  const texts = { ...writeTexts(field), label }
  if (field.formula !== undefined) {
    const formulaTreatBlanksAs = field.blanks === 'blank' ? 'BlankAsBlank' : 'BlankAsZero'
    return { ...texts, formula: field.formula, formulaTreatBlanksAs, ...writeType(exported) }
  }
  const summary = field.rollUp === undefined ? undefined : writeSummary(exported)
  if (summary !== undefined) return { ...texts, ...summary }
  const { required, unique, externalId, caseSensitive, trackHistory } = field
  return {
    ...texts,
    ...writeDefaultOf(type, field),
    // A detail always has a master.
    ...(required === true && field.masterDetail === undefined && { required }),
    ...(externalId === true && { externalId }),
    ...(unique === true && { unique, caseSensitive: caseSensitive === true }),
    ...(trackHistory === true && { trackHistory }),
    ...writeType(exported),
  }
}

/** The content of a standard field that the org has changed. */
export function exportStandardField(
  location: string,
  field: FieldFile,
  notes: ExportNotes,
): Content | undefined {
  const { label, required, values, valueSet, trackHistory } = field
  const { default: value, defaultFormula } = field
  notes.addProperties(location, { default: value, defaultFormula })
  return {
    ...writeTexts(field),
    label,
    ...(required === true && { required }),
    ...(trackHistory === true && { trackHistory }),
    ...((values !== undefined || valueSet !== undefined) && {
      type: 'Picklist',
      valueSet: exportValueSet(field),
    }),
  }
}
