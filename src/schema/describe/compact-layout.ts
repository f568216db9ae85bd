import type { Field } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { recordTypesOf } from '../record-types/record-types-of.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { layoutItem } from './layout-item.ts'

/** How many fields stand beside the name. */
const MAX_BESIDE = 4

/** What tells people something at a glance: short values of an object's own, no ids and no parts of something else. */
const isReporting = ({ system, type, definition }: Field) =>
  !system &&
  definition.createable !== false &&
  type.sortable &&
  type.literal !== 'id' &&
  type.literal !== 'boolean' &&
  definition.nameField !== true &&
  definition.compound === undefined

/** The fields by which people know a record: its name, if it has one, and the first ones that tell something. */
export function tellingFields(object: ObjectType): readonly Field[] {
  const beside = object.fields.filter(isReporting).slice(0, MAX_BESIDE)
  return object.nameField === undefined ? beside : [object.nameField, ...beside]
}

const NAMED = { label: 'System Default', name: 'SYSTEM' } as const

/** The one compact layout of an object. It is nobody's work, so it has no id, and says so as those of the platform do. */
export function compactLayout(schema: SchemaSnapshot, object: ObjectType) {
  return {
    actions: [],
    fieldItems: tellingFields(object).map((field, at) => layoutItem({ schema, object }, field, at + 1)),
    id: null,
    imageItems: [],
    ...NAMED,
    objectType: object.name,
  }
}

/** The answer of `/describe/compactLayouts`, whose address is `base`. */
export function compactLayouts(schema: SchemaSnapshot, object: ObjectType, base: string) {
  return {
    compactLayouts: [compactLayout(schema, object)],
    defaultCompactLayoutId: null,
    recordTypeCompactLayoutMappings: recordTypesOf(object).map((type) => ({
      available: type.inactive !== true,
      compactLayoutId: null,
      compactLayoutName: NAMED.name,
      recordTypeId: type.id,
      recordTypeName: type.name,
    })),
    urls: { primary: `${base}/primary` },
  }
}
