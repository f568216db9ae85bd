import { isDeepStrictEqual } from 'node:util'
import type { Org } from '../../storage/orgs/org.ts'
import type { MetadataRecord } from '../definitions/definition.ts'
import type { ObjectType } from '../objects/object-type.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { ddl } from './ddl.sql.ts'
import { differences } from './differences.ts'
import { metadataRecordsSql } from './metadata-records.sql.ts'
import { makeMetadataRows } from './metadata-rows.ts'
import { hasSameOrder, type Pair } from './plan-field.ts'
import { during, type Statement, type Step } from './step.ts'

/*
 * A deployment has all records of a metadata type. So its table can be made again whenever a column changes: no values
 * have to be converted, and none can be lost.
 */

/** Maximum number of records that a step names. */
const MAX_NAMED = 6

/** Maximum length of what is said about a value. */
const MAX_SHOWN = 200

const getRecords = ({ definition }: ObjectType): readonly MetadataRecord[] => definition.records ?? []

function saveRecords(
  org: Org,
  object: ObjectType,
  schema: SchemaSnapshot,
  records: readonly MetadataRecord[],
): Statement[] {
  if (records.length === 0) return []
  const clear = metadataRecordsSql.clearUnique(
    org,
    object,
    records.map(({ id }) => id!),
  )
  const rows = makeMetadataRows(object, schema, records)
  return during('fill', [...clear, metadataRecordsSql.save(org, object, rows)])
}

const createTable = (org: Org, object: ObjectType): Statement[] => [
  ...during('create', ddl.createTable(org, object)),
  ...during(
    'create indexes',
    ddl.indexes(org, object).map(({ create }) => create),
  ),
]

/** Completes the step that adds a metadata type. */
export function addMetadataType(org: Org, object: ObjectType, schema: SchemaSnapshot, step: Step): Step {
  const { length } = getRecords(object)
  const records = length === 0 ? '' : ` and ${length} record${length === 1 ? '' : 's'}`
  return {
    ...step,
    what: `${step.what}${records}`,
    statements: [...createTable(org, object), ...saveRecords(org, object, schema, getRecords(object))],
  }
}

/** The steps of its fields, as text: the table is made again for all of them. */
function planFields({ before, after }: Pair): Step[] {
  const step = (kind: Step['kind'], field: string, what: string): Step[] => [
    { kind, object: after.name, field, what, statements: [], examinations: [] },
  ]
  const own = (object: ObjectType) => object.fields.filter(({ system }) => !system)
  return [
    ...own(after).flatMap((field) => {
      const known = before.field(field.name)
      if (known === undefined) return step('add', field.name, `new ${field.type.name}`)
      const found = differences(known.definition, field.definition)
      return found.length === 0 ? [] : step('change', field.name, found.map(({ what }) => what).join(', '))
    }),
    ...own(before)
      .filter(({ name }) => after.field(name) === undefined)
      .flatMap(({ name }) => step('destroy', name, 'goes with its values')),
  ]
}

/** The label and the values in the order of the fields: the database keeps no order. */
const inOrder = ({ label, values }: MetadataRecord, names: readonly string[]) => ({
  label,
  ...Object.fromEntries(
    names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]),
  ),
})

const describeValue = ({ property, what }: { readonly property: string; readonly what: string }) =>
  what.length > MAX_SHOWN ? `another ${property}` : what

function describeRecord(
  known: MetadataRecord | undefined,
  record: MetadataRecord,
  names: readonly string[],
): string | undefined {
  if (known === undefined) return `new record ${record.name}`
  const found = differences(inOrder(known, names), inOrder(record, names))
  return found.length === 0 ? undefined : `record ${record.name}: ${found.map(describeValue).join(', ')}`
}

/** Says which records come, change and go. */
function describeRecords(before: ObjectType, after: ObjectType): string[] {
  const known = new Map(getRecords(before).map((record) => [record.name, record]))
  const names = new Set(getRecords(after).map(({ name }) => name))
  const fields = [...after.definition.fields, ...before.definition.fields].map(({ name }) => name)
  const said = [
    ...getRecords(after).flatMap((record) => describeRecord(known.get(record.name), record, fields) ?? []),
    ...[...known.keys()].filter((name) => !names.has(name)).map((name) => `record ${name} goes`),
  ]
  return said.length <= MAX_NAMED
    ? said
    : [...said.slice(0, MAX_NAMED), `${said.length - MAX_NAMED} more records`]
}

/** True if both have the same table, apart from its rows. */
function hasSameTable({ org, before, after }: Pair): boolean {
  const list = (object: ObjectType) => createTable(org, object).map(({ sql }) => sql.text)
  return isDeepStrictEqual(list(before), list(after))
}

/** The statements that bring the table from one definition to the other. */
function rewrite(pair: Pair): Statement[] {
  const { org, before, after, schemaAfter } = pair
  const records = getRecords(after)
  if (!hasSameTable(pair)) {
    return [
      ...during('drop', ddl.dropTable(org, before)),
      ...createTable(org, after),
      ...saveRecords(org, after, schemaAfter, records),
    ]
  }
  // A default may have changed.
  const isOther = !isDeepStrictEqual(before.definition.fields, after.definition.fields)
  const known = new Map(getRecords(before).map((record) => [record.id, record]))
  const ids = new Set(records.map(({ id }) => id))
  const changed = records.filter((record) => isOther || !isDeepStrictEqual(known.get(record.id), record))
  const gone = [...known.keys()].filter((id) => !ids.has(id)).map((id) => id!)
  return [
    ...(gone.length === 0 ? [] : during('fill', [metadataRecordsSql.remove(org, after, gone)])),
    ...saveRecords(org, after, schemaAfter, changed),
  ]
}

/** The steps that change an existing metadata type. */
export function changeMetadataType(pair: Pair): Step[] {
  const { before, after } = pair
  const what = [
    ...differences(before.definition, after.definition, ['fields', 'records', 'keyPrefix']).map(
      (one) => one.what,
    ),
    ...describeRecords(before, after),
    ...(hasSameOrder(pair) ? [] : ['order of the fields']),
  ]
  const steps = planFields(pair)
  if (what.length > 0) {
    steps.push({
      kind: 'change',
      object: after.name,
      what: what.join(', '),
      statements: [],
      examinations: [],
    })
  }
  const [first, ...others] = steps
  return first === undefined ? [] : [{ ...first, statements: rewrite(pair) }, ...others]
}
