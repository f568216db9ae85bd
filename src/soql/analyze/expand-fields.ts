import { hasChange } from '../../base/api-version.ts'
import type { Field } from '../../schema/fields/field.ts'
import { malformedQuery } from '../parse/query-error.ts'
import type { FieldsItem } from '../parse/tree.ts'
import type { Scope } from './scope.ts'

const isCustom = (field: Field) => /__[cs]$/.test(field.name)

/**
 * The fields that `FIELDS(...)` selects. ALL and CUSTOM need a bound on the number of records. (docs/reference/api/queries.md#fields-function)
 * @param alone whether nothing else is selected
 * @param bounded whether the query has a LIMIT of at most 200, or at most 200 ids
 */
export function expandFields(item: FieldsItem, scope: Scope, alone: boolean, bounded: boolean): Field[] {
  if (!hasChange(scope.statement.version, 'fieldsInQueries')) {
    throw malformedQuery('FIELDS needs API version 51.0')
  }
  if (item.group !== 'STANDARD' && !bounded) {
    throw malformedQuery('The SOQL FIELDS function must have a LIMIT of at most 200')
  }
  const all = scope.root.object.fields
  const fields =
    item.group === 'ALL' ? [...all] : all.filter((field) => isCustom(field) === (item.group === 'CUSTOM'))
  if (fields.length === 0 && alone) {
    throw malformedQuery(
      `'FIELDS(${item.group})' expansion function must result in at least one field being selected.`,
    )
  }
  return fields
}
