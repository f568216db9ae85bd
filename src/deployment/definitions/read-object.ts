import type {
  FieldDefinition,
  ListView,
  ObjectDefinition,
  PicklistValue,
  RecordType,
} from '../../schema/definitions/definition.ts'
import { FIELD_DEFAULTS, labelOf, pluralOf, relationshipOf } from './field-defaults.ts'
import type { FieldFile } from './field-file.ts'
import type { ListViewFile, ObjectFile, RecordTypeFile, ValueSetFile } from './object-file.ts'

type ValueSets = Readonly<Record<string, ValueSetFile>>

/** Without what is undefined: definitions are compared as JSON. */
function given<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T
}

/** A value with nothing beside it is its own text. */
function readValue(entry: string | PicklistValue): string | PicklistValue {
  if (typeof entry === 'string') return entry
  const { value, label, ...rest } = entry
  const whole = given({ value, label: label === value ? undefined : label, ...rest })
  const says = [whole.label, whole.default || undefined, whole.inactive || undefined, whole.validFor]
  return says.every((member) => member === undefined) ? value : whole
}

/** The values of a field, those of a set with what the field says of single ones. */
function readValues({ values, valueSet }: FieldFile, sets: ValueSets): FieldDefinition['values'] {
  const own = values?.map(readValue)
  if (valueSet === undefined || !Object.hasOwn(sets, valueSet)) return own
  const more = new Map(
    (own ?? []).map((entry) => (typeof entry === 'string' ? [entry, {}] : [entry.value, entry])),
  )
  return sets[valueSet]!.values.map(readValue).map((entry) => {
    const value = typeof entry === 'string' ? { value: entry } : entry
    return readValue({ ...value, ...more.get(value.value) })
  })
}

/** Properties that files and definitions write alike. */
function sameInBoth(field: FieldFile) {
  const { type: _type, label: _label, values: _values, to: _to, ...rest } = field
  return rest
}

/** A field of an org's own. */
export function readField(name: string, field: FieldFile, sets: ValueSets): FieldDefinition {
  const type = field.type!
  const { to } = field
  return given({
    name,
    label: field.label ?? labelOf(name),
    type,
    ...FIELD_DEFAULTS[type],
    relationship: to === undefined ? undefined : relationshipOf(name),
    ...sameInBoth(field),
    to: typeof to === 'string' ? [to] : to,
    values: readValues(field, sets),
  })
}

/** A standard field with what a file changes in it. */
function changeField(known: FieldDefinition, field: FieldFile, sets: ValueSets): FieldDefinition {
  const values = readValues(field, sets)
  const changed: FieldDefinition = { ...known, ...sameInBoth(field) }
  return given({ ...changed, label: field.label ?? known.label, values: values ?? known.values })
}

function readRecordType(name: string, file: RecordTypeFile | null): RecordType {
  return given({ name, ...file, label: file?.label ?? labelOf(name) })
}

function readListView(name: string, file: ListViewFile | null): ListView {
  return given({ name, ...file, label: file?.label ?? labelOf(name) })
}

const NAME: FieldDefinition = { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true }

/** The fields of a custom object: it always has a name, first of all. */
function customFields(label: string, fields: readonly FieldDefinition[]): FieldDefinition[] {
  const written = fields.find((field) => field.name === 'Name')
  const name = written ?? { ...NAME, label: `${label} Name` }
  return [{ ...name, nameField: true }, ...fields.filter((field) => field !== written)]
}

const properties = ({
  fields: _f,
  recordTypes,
  listViews,
  label: _l,
  labelPlural: _p,
  ...rest
}: ObjectFile) => ({
  ...rest,
  recordTypes: recordTypes && Object.entries(recordTypes).map(([name, file]) => readRecordType(name, file)),
  listViews: listViews && Object.entries(listViews).map(([name, file]) => readListView(name, file)),
})

/** An object of the org's own as its file says. */
export function readCustomObject(name: string, given_: ObjectFile | null, sets: ValueSets): ObjectDefinition {
  const file = given_ ?? {}
  const label = file.label ?? labelOf(name)
  const fields = Object.entries(file.fields ?? {}).map(([field, value]) =>
    readField(field, field === 'Name' && value?.type === 'string' ? { length: 80, ...value } : value!, sets),
  )
  const isDetail = fields.some((field) => field.masterDetail !== undefined)
  return given({
    name,
    label,
    labelPlural: file.labelPlural ?? pluralOf(label),
    keyPrefix: '',
    ...(isDetail ? { ownerless: true, sharing: 'controlledByParent' as const } : {}),
    ...properties(file),
    fields: customFields(label, fields),
  })
}

/** A standard object with what its file changes and adds. */
export function readStandardObject(
  standard: ObjectDefinition,
  file: ObjectFile | null,
  sets: ValueSets,
): ObjectDefinition {
  const written = new Map(
    Object.entries(file?.fields ?? {}).map(([name, field]) => [name.toLowerCase(), field ?? {}]),
  )
  const changed = standard.fields.map((field) => {
    const change = written.get(field.name.toLowerCase())
    return change === undefined ? field : changeField(field, change, sets)
  })
  const isKnown = (name: string) =>
    standard.fields.some((field) => field.name.toLowerCase() === name.toLowerCase())
  const added = Object.entries(file?.fields ?? {})
    .filter(([name]) => !isKnown(name))
    .map(([name, field]) => readField(name, field!, sets))
  return given({
    ...standard,
    ...properties(file ?? {}),
    label: file?.label ?? standard.label,
    labelPlural: file?.labelPlural ?? standard.labelPlural,
    fields: [...changed, ...added],
  })
}
