import { quoteIdentifier } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { isEventObject, isMetadataType } from '../definitions/custom-name.ts'
import type { Field } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../snapshot/snapshot.ts'
import { clearReferences, deleteGrants, deleteReferring } from './alter.sql.ts'
import { findConversion } from './conversions.sql.ts'
import { ddl, type Named } from './ddl.sql.ts'
import { differences } from './differences.ts'
import { examineSql } from './examine.sql.ts'
import { addField, changeField, dropField, hasSameOrder, type Pair } from './plan-field.ts'
import { addMetadataType, changeMetadataType } from './plan-metadata-type.ts'
import { during, type Phase, type Statement, type Step } from './step.ts'

const create = (phase: Phase, all: readonly Named[]) =>
  during(
    phase,
    all.map((one) => one.create),
  )

/** For a table that already has records, so that creating them takes time. */
const createOnRecords = (phase: Phase, all: readonly Named[]): Statement[] =>
  all.map(({ create, createConcurrently }) => ({
    phase,
    sql: create,
    ...(createConcurrently !== undefined && { quick: [] }),
  }))

const drop = (phase: Phase, all: readonly Named[]) =>
  during(
    phase,
    all.map((one) => one.drop),
  )

const isView = ({ definition }: ObjectType) => definition.view !== undefined

export function addObject(org: Org, object: ObjectType, schema: SchemaSnapshot): Step {
  const own = object.definition.fields.length
  const what = `new object with ${own} field${own === 1 ? '' : 's'}`
  const step: Step = { kind: 'add', object: object.name, what, statements: [], examinations: [] }
  if (isView(object)) return step
  if (isMetadataType(object.name)) return addMetadataType(org, object, schema, step)
  return {
    ...step,
    statements: [
      ...during('create', ddl.createTable(org, object)),
      ...create('create indexes', ddl.indexes(org, object)),
    ],
  }
}

/** Describes how a platform event changes. What was published before stays as it is. */
function describeEventChanges(pair: Pair): string[] {
  const [old, now] = [pair.before.definition, pair.after.definition]
  const changed = now.fields.flatMap((field) => {
    const known = old.fields.find(({ name }) => name === field.name)
    if (known === undefined) return [`new field ${field.name}`]
    return differences(known, field).map((one) => `${field.name}: ${one.what}`)
  })
  const gone = old.fields.filter((field) => !now.fields.some(({ name }) => name === field.name))
  return [
    ...differences(old, now, ['fields', 'keyPrefix']).map(({ what }) => what),
    ...changed,
    ...gone.map(({ name }) => `field ${name} goes`),
    ...(hasSameOrder(pair) ? [] : ['order of the fields']),
  ]
}

/** A view has no records of its own, and the database knows nothing of it: its text is in the statements that read it. */
function changeView(pair: Pair): Step[] {
  const { before, after } = pair
  if (differences(before.definition, after.definition, ['keyPrefix']).length === 0) return []
  const what = isEventObject(after.name) ? describeEventChanges(pair).join(', ') : 'another view'
  return [{ kind: 'change', object: after.name, what, statements: [], examinations: [] }]
}

/** Replaces a view by a table, or a table by a view: the records of one are not those of the other. */
function replaceView({ org, before, after, schemaAfter }: Pair): Step[] {
  const gone = isView(before) ? [] : during('drop', ddl.dropTable(org, before))
  const { statements } = addObject(org, after, schemaAfter)
  const what = isView(after) ? 'a view instead of a table' : 'a table instead of a view'
  return [
    { kind: 'change', object: after.name, what, statements: [...gone, ...statements], examinations: [] },
  ]
}

/** Deletes what belongs to an object's records and may belong to those of any custom object, or clears its references. */
const dropBelonging = (org: Org, { keyPrefix, children }: ObjectType, schema: SchemaSnapshot) =>
  children
    .filter(({ field, stored }) => stored && field.definition.toCustom !== undefined)
    .map(({ childObject, field }) => {
      const child = requireObject(schema, childObject)
      const take = field.nillable ? clearReferences : deleteReferring
      return take(org, child, field, [keyPrefix])
    })

/** Permissions go with what they are on. A schema without the standard objects has none. */
const dropGrants = (org: Org, { name }: ObjectType, schema: SchemaSnapshot, field?: Field): Statement[] =>
  schema.object('FieldPermissions') === undefined ? [] : during('fill', deleteGrants(org, name, field?.name))

export function dropObject(org: Org, object: ObjectType, schema: SchemaSnapshot): Step {
  if (isView(object)) {
    const statements = dropGrants(org, object, schema)
    return { kind: 'destroy', object: object.name, what: 'goes', statements, examinations: [] }
  }
  return {
    kind: 'destroy',
    object: object.name,
    what: 'goes with its records',
    statements: [
      ...during('fill', dropBelonging(org, object, schema)),
      ...dropGrants(org, object, schema),
      ...during('drop', ddl.dropTable(org, object)),
    ],
    examinations: [{ sql: examineSql.all(org, object), message: undefined }],
  }
}

const hasColumn = ({ column }: Field) => column !== undefined
const byColumn = (object: ObjectType) =>
  new Map(object.fields.filter(hasColumn).map((field) => [field.column!, field]))

/** Steps for the fields that have a column. */
function planFields(pair: Pair): Step[] {
  const [before, after] = [byColumn(pair.before), byColumn(pair.after)]
  return [
    ...[...after.values()].flatMap((field) => {
      const known = before.get(field.column!)
      if (known === undefined) return [addField(pair.org, pair.after, field)]
      return field.system ? [] : changeField(pair, known, field)
    }),
    ...[...before.values()]
      .filter((field) => !after.has(field.column!))
      .map((field) => {
        const step = dropField(pair, field)
        const grants = dropGrants(pair.org, pair.before, pair.schemaBefore, field)
        return { ...step, statements: [...step.statements, ...grants] }
      }),
  ]
}

/** Steps for compound and computed fields: they have a definition, but no column. */
function planCompoundFields({ org, before, after, schemaBefore }: Pair): Step[] {
  const step = (kind: Step['kind'], field: string, what: string): Step => ({
    kind,
    object: after.name,
    field,
    what,
    statements: [],
    examinations: [],
  })
  const compounds = (object: ObjectType) => object.fields.filter((field) => !hasColumn(field))
  return [
    ...compounds(after).flatMap((field) => {
      const known = before.field(field.name)
      if (known === undefined || hasColumn(known)) {
        const kind = field.formula === undefined ? '' : ' of a formula'
        return [step('add', field.name, `new ${field.type.name}${kind}`)]
      }
      const found = differences(known.definition, field.definition)
      return found.length === 0 ? [] : [step('change', field.name, found.map(({ what }) => what).join(', '))]
    }),
    ...compounds(before)
      .filter((field) => after.field(field.name) === undefined)
      .map((field) => {
        if (field.formula === undefined) return step('destroy', field.name, 'goes with its parts')
        const gone = step('destroy', field.name, 'formula goes')
        return { ...gone, statements: dropGrants(org, before, schemaBefore, field) }
      }),
  ]
}

/** Columns that are dropped and added again, because their values cannot be converted. Their indexes are dropped with them. */
function findReplacedColumns({ before, after }: Pair): string[] {
  const known = byColumn(before)
  return [...byColumn(after).values()]
    .filter((field) => {
      const old = known.get(field.column!)
      return old !== undefined && findConversion(old, field) === undefined
    })
    .map((field) => quoteIdentifier(field.column!))
}

/**
 * The items that only the old or only the new list has. An item is in both results if its statement changed, or if its
 * column is replaced.
 */
function named(
  before: readonly Named[],
  after: readonly Named[],
  replaced: readonly string[],
): { gone: Named[]; come: Named[] } {
  const isOn = ({ create: { text } }: Named) => replaced.some((column) => text.includes(column))
  const staysIn = (list: readonly Named[]) => (one: Named) =>
    !isOn(one) && list.some((other) => other.name === one.name && other.create.text === one.create.text)
  return {
    gone: before.filter((one) => !staysIn(after)(one)),
    come: after.filter((one) => !staysIn(before)(one)),
  }
}

/** Describes the changes of the indexes that definitions declare. */
function describeIndexChanges(before: ObjectType, after: ObjectType): string[] {
  const list = (object: ObjectType) => (object.definition.indexes ?? []).map((fields) => fields.join(' + '))
  const [old, now] = [list(before), list(after)]
  return [
    ...now.filter((one) => !old.includes(one)).map((one) => `new index ${one}`),
    ...old.filter((one) => !now.includes(one)).map((one) => `index ${one} goes`),
  ]
}

function planRecordTypes({ org, before, after }: Pair): { what: string[]; gone: Step[] } {
  const [old, now] = [before.definition.recordTypes ?? [], after.definition.recordTypes ?? []]
  const what = now.flatMap((type) => {
    const known = old.find(({ name }) => name === type.name)
    if (known === undefined) return [`new record type ${type.name}`]
    return differences(known, type).map((one) => `record type ${type.name}: ${one.what}`)
  })
  const gone = old
    .filter((type) => !now.some(({ name }) => name === type.name))
    .map(
      (type): Step => ({
        kind: 'destroy',
        object: after.name,
        what: `record type ${type.name} goes`,
        statements: [],
        examinations: [
          {
            sql: examineSql.ofRecordType(org, before, type.id!),
            message: `of the record type ${type.name}`,
          },
        ],
      }),
    )
  return { what, gone }
}

function describeValidationChanges({ before, after }: Pair): string[] {
  const [old, now] = [before.definition.validations ?? [], after.definition.validations ?? []]
  const changed = now.flatMap((rule) => {
    const known = old.find(({ name }) => name === rule.name)
    if (known === undefined) return [`new validation ${rule.name}`]
    return differences(known, rule).map((one) => `validation ${rule.name}: ${one.what}`)
  })
  const gone = old.filter((rule) => !now.some(({ name }) => name === rule.name))
  return [...changed, ...gone.map(({ name }) => `validation ${name} goes`)]
}

function describeListViewChanges({ before, after }: Pair): string[] {
  const [old, now] = [before.definition.listViews ?? [], after.definition.listViews ?? []]
  const changed = now.flatMap((view) => {
    const known = old.find(({ name }) => name === view.name)
    if (known === undefined) return [`new list view ${view.name}`]
    return differences(known, view).map((one) => `list view ${view.name}: ${one.what}`)
  })
  const gone = old.filter((view) => !now.some(({ name }) => name === view.name))
  return [...changed, ...gone.map(({ name }) => `list view ${name} goes`)]
}

/** The steps that change an existing object. */
export function changeObject(pair: Pair): Step[] {
  const { org, before, after } = pair
  if (isView(before) !== isView(after)) return replaceView(pair)
  if (isView(after)) return changeView(pair)
  if (isMetadataType(after.name)) return changeMetadataType(pair)
  const replaced = findReplacedColumns(pair)
  const indexes = named(ddl.indexes(org, before), ddl.indexes(org, after), replaced)
  const recordTypes = planRecordTypes(pair)
  const what = [
    ...differences(before.definition, after.definition, [
      'fields',
      'recordTypes',
      'listViews',
      'validations',
      'indexes',
      'keyPrefix',
    ]).map((one) => one.what),
    ...describeIndexChanges(before, after),
    ...recordTypes.what,
    ...describeListViewChanges(pair),
    ...describeValidationChanges(pair),
    ...(hasSameOrder(pair) ? [] : ['order of the fields']),
  ]
  const steps = [...planFields(pair), ...planCompoundFields(pair), ...recordTypes.gone]
  const statements = [
    ...drop('drop indexes', indexes.gone),
    ...createOnRecords('create indexes', indexes.come),
  ]
  if (what.length > 0) {
    steps.push({
      kind: 'change',
      object: after.name,
      what: what.join(', '),
      statements: [],
      examinations: [],
    })
  }
  // Indexes follow from fields, so they have no steps of their own.
  if (statements.length > 0) {
    steps[0] ??= { kind: 'change', object: after.name, what: 'indexes', statements: [], examinations: [] }
    steps[0] = { ...steps[0], statements: [...steps[0].statements, ...statements] }
  }
  return steps
}
