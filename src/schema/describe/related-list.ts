import { isSortable } from '../fields/field.ts'
import type { ChildRelationship, ObjectType } from '../objects/object-type.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { findSummaryFields } from './compact-layout.ts'

/** How many records a page shows before it asks for more. */
const ROWS = 5

const column = (child: ObjectType, field: ObjectType['fields'][number]) => ({
  field: `${child.name}.${field.name}`,
  fieldApiName: field.name,
  format: null,
  label: field.label,
  lookupId: field.name === child.nameField?.name ? `${child.name}.Id` : null,
  name: field.name,
  sortable: isSortable(field),
})

function relatedList(child: ObjectType, { name, field }: ChildRelationship) {
  return {
    accessLevelRequiredForCreate: null,
    buttons: [],
    columns: findSummaryFields(child).map((one) => column(child, one)),
    custom: child.custom,
    field: field.name,
    label: child.definition.labelPlural,
    limitRows: ROWS,
    name,
    sobject: child.name,
    sort: [],
  }
}

/**
 * The records below one of an object, as far as there is a way down to them that has a name. Those that are read as children only are
 * in other lists already.
 */
export function relatedLists(schema: SchemaSnapshot, object: ObjectType) {
  return object.children.flatMap((way) => {
    const child = schema.object(way.childObject)
    if (way.name === undefined || child === undefined || child.definition.view?.childOnly === true) return []
    return [relatedList(child, way)]
  })
}
