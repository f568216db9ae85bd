import { ApiError } from '../../base/api-error.ts'
import { type Field, isSortable } from '../../schema/fields/field.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { getDataType } from './object-info.ts'

const makeColumn = (field: Field) => ({
  fieldApiName: field.name,
  label: field.label,
  dataType: getDataType(field),
  sortable: isSortable(field),
})

/**
 * A related list of an object. There are no layouts: it shows the children's names and when
 * they were changed, sorted by name. (docs/reference/api/graphql.md#descriptions)
 * @throws ApiError if the list does not exist
 */
export function makeRelatedListInfo(schema: SchemaSnapshot, parentName: string, listName: string) {
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
    displayColumns: shown.map(makeColumn),
    orderedByInfo:
      nameField === undefined
        ? []
        : [{ fieldApiName: nameField.name, label: nameField.label, isAscending: true }],
  }
}
