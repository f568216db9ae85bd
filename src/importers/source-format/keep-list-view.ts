import { isDeepStrictEqual } from 'node:util'
import type { ListViewFile } from '../../definitions/formats/object-file.ts'
import { nameViewField } from '../../definitions/list-views/name-view-field.ts'
import { isSameCondition } from '../../definitions/list-views/same-condition.ts'
import type { Project } from './fields/field-source.ts'

/**
 * A list view with what its file has no place for, as it is known: the order, columns that cannot be named, and the words of a
 * condition that means the same. So a view that was retrieved changes nothing.
 */
export function keepListView(
  { kept, fieldAt }: Project,
  object: string,
  name: string,
  view: ListViewFile,
): ListViewFile {
  const views = kept(object)?.listViews ?? {}
  const known = Object.hasOwn(views, name) ? views[name] : undefined
  if (known === undefined || known === null) return view
  const { columns = [], orderBy, where } = known
  const named = columns.filter((path) => nameViewField(fieldAt, object, path) !== undefined)
  const hasColumns = isDeepStrictEqual(named, view.columns ?? [])
  const isSame = where !== undefined && view.where !== undefined && isSameCondition(where, view.where)
  return {
    ...view,
    ...(hasColumns && columns.length > 0 && { columns }),
    ...(isSame && { where }),
    ...(orderBy !== undefined && { orderBy }),
  }
}
