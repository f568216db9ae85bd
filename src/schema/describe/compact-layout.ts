import type { Field } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { getRecordTypes } from '../record-types/get-record-types.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { layoutItem } from './layout-item.ts'

/** Maximum number of fields besides the name. */
const MAX_OTHER_FIELDS = 4

/** Short values that are useful at a glance: no ids, no system fields, no parts of compound fields. */
const isSummaryField = ({ system, type, definition }: Field) =>
  !system &&
  definition.createable !== false &&
  type.sortable &&
  type.literal !== 'id' &&
  type.literal !== 'boolean' &&
  definition.nameField !== true &&
  definition.compound === undefined

/** The fields that identify a record to people: its name, if it has one, and the first summary fields. */
export function findSummaryFields(object: ObjectType): readonly Field[] {
  const beside = object.fields.filter(isSummaryField).slice(0, MAX_OTHER_FIELDS)
  return object.nameField === undefined ? beside : [object.nameField, ...beside]
}

const NAMED = { label: 'System Default', name: 'SYSTEM' } as const

/** The only compact layout of an object. It is generated, so it has no id and the name of a system default. */
export function compactLayout(schema: SchemaSnapshot, object: ObjectType) {
  return {
    actions: [],
    fieldItems: findSummaryFields(object).map((field, at) => layoutItem({ schema, object }, field, at + 1)),
    id: null,
    imageItems: [],
    ...NAMED,
    objectType: object.name,
  }
}

/** The reply body of `/describe/compactLayouts`, whose URL is `base`. */
export function compactLayouts(schema: SchemaSnapshot, object: ObjectType, base: string) {
  return {
    compactLayouts: [compactLayout(schema, object)],
    defaultCompactLayoutId: null,
    recordTypeCompactLayoutMappings: getRecordTypes(object).map((type) => ({
      available: type.inactive !== true,
      compactLayoutId: null,
      compactLayoutName: NAMED.name,
      recordTypeId: type.id,
      recordTypeName: type.name,
    })),
    urls: { primary: `${base}/primary` },
  }
}
