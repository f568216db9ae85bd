import { ApiError } from '../../base/api-error.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { dataTypeOf } from './object-info.ts'

const column = (field: Field) => ({
  fieldApiName: field.name,
  label: field.label,
  dataType: dataTypeOf(field),
  sortable: field.type.sortable,
})

/**
 * A list of child records below a record of an object. There are no layouts yet: it shows the children's names and when
 * they were changed, sorted by name. (docs/reference/api/graphql.md#descriptions)
 * @throws ApiError when there is no such list
 */
export function relatedListInfo(schema: SchemaSnapshot, parentName: string, listName: string) {
  const parent = schema.object(parentName)
  const relationship = parent?.child(listName)
  const child = relationship && schema.object(relationship.childObject)
  if (parent === undefined || relationship === undefined || child === undefined) {
    const named = `'${listName.slice(0, 255)}' of '${parentName.slice(0, 255)}'`
    throw new ApiError('INVALID_INPUT', `The related list ${named} does not exist or is not accessible`)
  }
  const shown = [child.nameField, child.field('LastModifiedDate')].filter((field) => field !== undefined)
  const { nameField } = child
  return {
    childApiName: child.name,
    parentApiName: parent.name,
    relatedListName: relationship.name,
    fieldApiName: relationship.field.name,
    label: child.definition.labelPlural,
    displayColumns: shown.map(column),
    orderedByInfo:
      nameField === undefined
        ? []
        : [{ fieldApiName: nameField.name, label: nameField.label, isAscending: true }],
  }
}
