import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { ListViewFile } from '../../definitions/formats/object-file.ts'
import type { FieldAt } from '../../definitions/list-views/find-view-field.ts'
import { nameViewField } from '../../definitions/list-views/name-view-field.ts'
import type { ExportNotes } from './export-notes.ts'
import { exportViewFilters } from './export-view-filters.ts'
import type { Content } from './write-xml.ts'

/** The content of a list view; undefined if it would show other records. */
export function exportListView(
  object: string,
  name: string,
  { label = makeLabel(name), columns = [], scope, where, orderBy }: ListViewFile,
  fieldAt: FieldAt,
  notes: ExportNotes,
): Content | undefined {
  const location = `${object}.${name}`
  const condition = where === undefined ? {} : exportViewFilters(object, where, fieldAt)
  if (condition === undefined) {
    notes.add(location, `the list view is left out, its condition has no filters in this format: ${where}`)
    return undefined
  }
  const written = columns.flatMap((column) => {
    const named = nameViewField(fieldAt, object, column)
    if (named === undefined) notes.add(location, `the column ${column} is not written`)
    return named === undefined ? [] : [named.name]
  })
  notes.addProperties(location, { orderBy })
  return { columns: written, filterScope: scope === 'mine' ? 'Mine' : 'Everything', label, ...condition }
}
