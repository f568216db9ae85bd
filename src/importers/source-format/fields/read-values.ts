import type { FieldFile, FileValue } from '../../../definitions/formats/field-file.ts'
import type { StatusProperties } from '../../../schema/fields/field-definition.ts'
import type { MetadataElement } from '../project/metadata-element.ts'

const FLAGS = ['closed', 'won', 'converted', 'highPriority'] as const

/** Meaning of a status value, as far as the source defines it. */
function readStatus(xml: MetadataElement): StatusProperties {
  const flags = FLAGS.filter((name) => xml.text(name) !== undefined).map((name) => [name, xml.isTrue(name)])
  const probability = xml.text('probability')
  const forecastCategory = xml.text('forecastCategory')
  return {
    ...Object.fromEntries(flags),
    ...(probability !== undefined && { probability: Number(probability) }),
    ...(forecastCategory !== undefined && { forecastCategory }),
  }
}

/** Reads `value`, `customValue`, `standardValue` and `picklistValues`. */
function readValue(xml: MetadataElement): FileValue {
  const value = xml.text('fullName') ?? ''
  const label = xml.text('label')
  return {
    value,
    ...(label !== undefined && label !== value && { label }),
    ...(xml.isTrue('default') && { default: true }),
    ...(xml.text('isActive') === 'false' && { inactive: true }),
    ...(readStatus(xml) as Partial<FileValue>),
  }
}

/** Lists that were read in slices, by their elements. */
const readAlready = new WeakMap<MetadataElement, readonly FileValue[]>()

/** Reads the values of a list, of which there may be thousands, one at a time: whoever asks for them later gets these. */
export function* readListAhead(list: MetadataElement | undefined, name: string): Generator<void, void> {
  if (list === undefined) return
  const values: FileValue[] = []
  for (const xml of list.all(name)) {
    values.push(readValue(xml))
    yield
  }
  readAlready.set(list, values)
}

/** Reads the values of a picklist ahead. */
export function* readAhead(field: MetadataElement): Generator<void, void> {
  yield* readListAhead(field.one('valueSet')?.one('valueSetDefinition'), 'value')
  yield* readListAhead(field.one('picklist'), 'picklistValues')
}

/** Reads the values of a picklist in their order, or by label when `sorted` is set. */
export function readValues(list: MetadataElement, name: string): FileValue[] {
  const values = [...(readAlready.get(list) ?? list.all(name).map(readValue))]
  const labelOf = ({ value, label = value }: FileValue) => label
  return list.isTrue('sorted') ? values.sort((a, b) => labelOf(a).localeCompare(labelOf(b), 'en')) : values
}

/** The values of a controlling checkbox are spelled differently. */
const CHECKBOX = new Map([
  ['checked', 'true'],
  ['unchecked', 'false'],
])

const controllingValue = (text: string) => CHECKBOX.get(text) ?? text

/** Reads the controlling values of each value from `valueSettings`. */
function readSettings(valueSet: MetadataElement): Map<string, string[]> {
  return new Map(
    valueSet
      .all('valueSettings')
      .map((xml) => [xml.text('valueName') ?? '', xml.texts('controllingFieldValue').map(controllingValue)]),
  )
}

/**
 * Reads a `valueSet`: its values or the name of a global set, and their controlling values. If there is a controlling
 * field, a value without settings is valid for no controlling value.
 * @param valuesOfSet the values of a global set
 */
function readValueSet(
  xml: MetadataElement,
  valuesOfSet: (name: string) => readonly FileValue[] | undefined,
): FieldFile {
  const controller = xml.text('controllingField')
  const setName = xml.text('valueSetName')
  const definition = xml.one('valueSetDefinition')
  const values =
    definition === undefined ? (setName && valuesOfSet(setName)) || [] : readValues(definition, 'value')
  const settings = readSettings(xml)
  const dependent = values.map((value) => ({ ...value, validFor: settings.get(value.value) ?? [] }))
  return {
    ...(setName === undefined && { values: controller === undefined ? values : dependent }),
    ...(setName !== undefined && { valueSet: setName }),
    ...(setName !== undefined && controller !== undefined && { values: dependent }),
    ...(controller !== undefined && { controller }),
    ...(xml.isTrue('restricted') && { restricted: true }),
  }
}

/** Reads the older form, in which each value has its controlling values. */
function readPicklist(
  xml: MetadataElement,
  valuesOfSet: (name: string) => readonly FileValue[] | undefined,
): FieldFile {
  const global = xml.text('globalPicklist')
  const controller = xml.text('controllingField')
  if (global !== undefined) return { valueSet: global, ...(valuesOfSet(global) && { restricted: true }) }
  const validFor = new Map(
    xml
      .all('picklistValues')
      .map((value) => [
        value.text('fullName') ?? '',
        value.texts('controllingFieldValues').map(controllingValue),
      ]),
  )
  const values = readValues(xml, 'picklistValues')
  return {
    values:
      controller === undefined
        ? values
        : values.map((value) => ({ ...value, validFor: validFor.get(value.value) ?? [] })),
    ...(controller !== undefined && { controller }),
    ...(xml.isTrue('restrictedPicklist') && { restricted: true }),
  }
}

/** Reads the values of a picklist in the newer or older form; undefined when it has none. */
export function readPicklistValues(
  field: MetadataElement,
  valuesOfSet: (name: string) => readonly FileValue[] | undefined,
): FieldFile | undefined {
  const valueSet = field.one('valueSet')
  if (valueSet !== undefined) return readValueSet(valueSet, valuesOfSet)
  const picklist = field.one('picklist')
  return picklist && readPicklist(picklist, valuesOfSet)
}
