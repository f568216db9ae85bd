import type { ListViewFile, ObjectFile } from '../../definitions/formats/object-file.ts'
import { findViewField } from '../../definitions/list-views/find-view-field.ts'
import type { Project } from './fields/field-source.ts'
import { keepListView } from './keep-list-view.ts'
import type { MetadataElement } from './project/metadata-element.ts'
import type { SourceObject } from './project/source-object.ts'
import { readViewFilters } from './view-filter.ts'

const SCOPES: ReadonlyMap<string, ListViewFile['scope']> = new Map([
  ['Everything', undefined],
  ['Mine', 'mine'],
])

/** Columns that are here; the others are noted, since a view without them shows the same records. */
function readColumns(project: Project, object: string, name: string, xml: MetadataElement): string[] {
  const columns = xml.texts('columns').flatMap((column) => {
    const field = findViewField(project.fieldAt, object, column)
    if (field === undefined)
      project.pad.collect('listView', `${object}.${name}`, `without the column ${column}`)
    return field === undefined ? [] : [field.path]
  })
  return [...new Set(columns)]
}

/** A view that would show other records than there; undefined: it would show the same ones. */
function findReason(xml: MetadataElement): string | undefined {
  const scope = xml.text('filterScope') ?? 'Everything'
  if (!SCOPES.has(scope)) return `its scope ${scope}`
  const other = ['queue', 'division'].find((name) => xml.text(name) !== undefined)
  return other && `its ${other} ${xml.text(other)}`
}

function importListView(
  project: Project,
  object: string,
  name: string,
  xml: MetadataElement,
): ListViewFile | undefined {
  const { pad } = project
  const read = readViewFilters(project, object, xml)
  const reason = findReason(xml) ?? ('reason' in read ? read.reason : undefined)
  if (reason !== undefined || 'reason' in read) {
    pad.add('listView', `${object}.${name}`, `left out for ${reason}`)
    return undefined
  }
  const columns = readColumns(project, object, name, xml)
  const [label, scope] = [xml.text('label'), SCOPES.get(xml.text('filterScope') ?? 'Everything')]
  for (const known of ['fullName', 'language']) xml.all(known)
  if (xml.take('sharedTo').length > 0)
    pad.collect('access', `${object}.${name}`, 'everybody may use the list view')
  for (const unread of xml.unread()) pad.collect('display', `${object}.${name}`, unread)
  const view = {
    ...(label !== undefined && { label }),
    ...(columns.length > 0 && { columns }),
    ...(scope !== undefined && { scope }),
    ...(read.where !== undefined && { where: read.where }),
  }
  return keepListView(project, object, name, view)
}

/** The list views of an object that show the same records here, one at a time. */
export function* importListViews(
  { name: object, listViews }: SourceObject,
  project: Project,
): Generator<void, ObjectFile> {
  const views: [string, ListViewFile][] = []
  for (const [name, xml] of listViews) {
    const view = importListView(project, object, name, xml)
    if (view !== undefined) views.push([name, view])
    yield
  }
  return views.length === 0 ? {} : { listViews: Object.fromEntries(views) }
}
