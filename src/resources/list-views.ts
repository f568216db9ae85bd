import { notFound } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { isSortable } from '../schema/fields/field.ts'
import { getListViews, type OwnListView } from '../schema/list-views/get-list-views.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { RecordBody } from '../schema/snapshot/record-format.sql.ts'
import { type ListViewQuery, listViewQuery, type ViewColumn } from '../soql/compile/list-view-query.ts'
import { describeCondition } from '../soql/describe-condition.ts'
import { runQuery } from '../soql/run-query.ts'
import { conditional } from './conditional.ts'
import { findObject } from './find-object.ts'
import { countIn } from './requested-count.ts'

interface OfView {
  readonly object: string
  readonly view: string
}

/** The list view that a path names by its id or its developer name. */
function findView(object: ObjectType, segment: string): OwnListView {
  const id = canonicalRecordId(segment)
  const views = getListViews(object)
  const view =
    views.find((one) => one.id === id) ??
    views.find(({ name }) => name.toLowerCase() === segment.toLowerCase())
  if (view === undefined) throw notFound()
  return view
}

function makeEntry(ctx: Context, object: ObjectType, { id, name, label }: OwnListView) {
  const url = `${ctx.version.path}/sobjects/${object.name}/listviews/${id}`
  return {
    describeUrl: `${url}/describe`,
    developerName: name,
    id,
    label,
    resultsUrl: `${url}/results`,
    soqlCompatible: true,
    url,
  }
}

const list =
  (viewsOf: (object: ObjectType) => readonly OwnListView[]): Handler<{ object: string }> =>
  (ctx, call, params) => {
    const object = findObject(ctx, params.object)
    return conditional(ctx, call, () => {
      const listviews = viewsOf(object).map((view) => makeEntry(ctx, object, view))
      const { length: size } = listviews
      return { done: true, listviews, nextRecordsUrl: null, size, sobjectType: object.name }
    })
  }

const read: Handler<OfView> = (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const view = findView(object, params.view)
  return conditional(ctx, call, () => makeEntry(ctx, object, view))
}

/** Words for the two sort directions of a column. */
function sortLabels({ type }: ViewColumn['field']) {
  const ofNumbers = type.literal === 'int' || type.literal === 'double' || type.searchedAs === 'phone'
  if (ofNumbers) return { ascendingLabel: '9-0', descendingLabel: '0-9' }
  const ofTexts = type.literal === 'string' || type.literal === 'id'
  return { ascendingLabel: ofTexts ? 'Z-A' : null, descendingLabel: ofTexts ? 'A-Z' : null }
}

const direction = (descending: boolean) => (descending ? 'descending' : 'ascending')

function describeColumns({ columns, orders }: ListViewQuery) {
  return columns.map(({ path, field, hidden }) => {
    const sortIndex = hidden ? -1 : orders.findIndex((order) => order.path === path)
    return {
      ...(hidden ? { ascendingLabel: null, descendingLabel: null } : sortLabels(field)),
      fieldNameOrPath: path,
      hidden,
      label: field.label,
      searchable: field.type.searchedAs !== undefined,
      selectListItem: path,
      sortDirection: sortIndex < 0 ? null : direction(orders[sortIndex]!.descending),
      sortIndex: sortIndex < 0 ? null : sortIndex,
      sortable: !hidden && isSortable(field),
      type: field.type.describedAs,
    }
  })
}

const describe: Handler<OfView> = (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const view = findView(object, params.view)
  return conditional(ctx, call, () => {
    const query = listViewQuery(object, view, ctx.visible, ctx.version)
    return {
      columns: describeColumns(query),
      id: view.id,
      orderBy: query.orders.map(({ path, descending, nullsLast }) => ({
        fieldNameOrPath: path,
        nullsPosition: nullsLast ? 'last' : 'first',
        sortDirection: direction(descending),
      })),
      query: query.text,
      relatedEntityId: null,
      scope: view.scope ?? 'everything',
      scopeEntityId: null,
      sobjectType: object.name,
      whereCondition: describeCondition(query.condition),
    }
  })
}

const MAX_RESULTS = 2000
const USUAL_RESULTS = 25

/** A value of a record as a text; the way to it may end at a parent that there is not. */
function textAt(record: RecordBody, path: string): string | null {
  let value: unknown = record
  for (const name of path.split('.')) value = (value as RecordBody | null)?.[name] ?? null
  return value === null || typeof value === 'string' ? value : JSON.stringify(value)
}

/** `?limit=25&offset=0`: a piece of what the view shows, each record as a list of its columns. */
const results: Handler<OfView> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const view = findView(object, params.view)
  const limit = countIn(call, 'limit', USUAL_RESULTS, 1, MAX_RESULTS)
  const offset = countIn(call, 'offset', 0, 0, MAX_RESULTS)
  const query = listViewQuery(object, view, ctx.visible, ctx.version)
  // One more tells whether there are others. With an offset, a query is one page and leaves nothing behind.
  const max = Math.min(limit, query.maxPageSize - 1)
  const text = `${query.text} LIMIT ${max + 1} OFFSET ${offset}`
  const found = await runQuery(ctx, text, { pageSize: max + 1, deletedToo: false })
  const records = found.records.slice(0, max)
  return {
    status: 200,
    body: {
      columns: describeColumns(query),
      developerName: view.name,
      done: found.records.length <= max,
      id: view.id,
      label: view.label,
      records: records.map((record) => ({
        columns: query.columns.map(({ path }) => ({ fieldNameOrPath: path, value: textAt(record, path) })),
      })),
      size: records.length,
    },
  }
}

/** The query of the list view with an id, whatever its object is; undefined: there is none. */
export function queryOfView(ctx: Context, text: string): string | undefined {
  const id = canonicalRecordId(text.trim())
  if (id === undefined) return undefined
  for (const object of ctx.visible.objects) {
    const view = getListViews(object).find((one) => one.id === id)
    if (view !== undefined) return listViewQuery(object, view, ctx.visible, ctx.version).text
  }
  return undefined
}

/** List views. Their use is not recorded, so none is recently viewed. */
export const listViewRoutes = [
  route('GET', '/sobjects/:object/listviews', 'describe', list(getListViews)),
  route(
    'GET',
    '/sobjects/:object/listviews/recent',
    'describe',
    list(() => []),
  ),
  route('GET', '/sobjects/:object/listviews/:view', 'describe', read),
  route('GET', '/sobjects/:object/listviews/:view/describe', 'describe', describe),
  route('GET', '/sobjects/:object/listviews/:view/results', 'query', results),
]
