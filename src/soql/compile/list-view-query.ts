import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { OwnListView } from '../../schema/list-views/get-list-views.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { isPath, parseViewCondition, parseViewOrder } from '../parse/parse-view.ts'
import { malformedQuery } from '../parse/query-error.ts'
import type { Condition } from '../parse/tree.ts'
import type { Selection } from '../plan/plan.ts'
import { compileQuery, type RecordQuery } from './compile.ts'

/** A column of a list view: the path to a field, in canonical spelling. */
export interface ViewColumn {
  readonly path: string
  readonly field: Field
  /** Returned to clients in addition to the view's own columns. */
  readonly hidden: boolean
}

interface ViewOrder {
  readonly path: string
  readonly descending: boolean
  readonly nullsLast: boolean
}

/** A list view, restricted to what a user may see. */
export interface ListViewQuery {
  readonly columns: readonly ViewColumn[]
  readonly orders: readonly ViewOrder[]
  readonly condition: Condition | undefined
  /** The complete query in SOQL. */
  readonly text: string
  /** Maximum records on a page. */
  readonly maxPageSize: number
}

/** Columns that clients get with every list view. */
const HIDDEN_COLUMNS = ['Id', 'CreatedDate', 'LastModifiedDate', 'SystemModstamp']

/** The field of a selection with one member, and its path. */
function findLeaf({ members: [member] }: Selection): { path: string; field: Field } | undefined {
  if (member === undefined) return undefined
  if (!('kind' in member)) return { path: member.name, field: member }
  const below = member.kind === 'parent' ? findLeaf(member.selection) : undefined
  return below && { ...below, path: `${member.kind === 'parent' ? member.name : ''}.${below.path}` }
}

const compileRecords = (text: string, schema: SchemaSnapshot, version: ApiVersion) =>
  compileQuery(text, schema, version) as RecordQuery

const PATH = /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/

/**
 * The field that a column names.
 * @throws ApiError INVALID_FIELD, or another one if the path is not valid
 */
export function findViewColumn(
  { name }: ObjectType,
  path: string,
  schema: SchemaSnapshot,
  version: ApiVersion,
): Omit<ViewColumn, 'hidden'> {
  if (!PATH.test(path)) throw malformedQuery(`${path.slice(0, 255)} is not a path to a field`)
  const found = findLeaf(compileRecords(`SELECT ${path} FROM ${name}`, schema, version).plan.selection)
  if (found === undefined) throw new ApiError('INVALID_FIELD', `${path} is no field of ${name}`)
  return found
}

/** The field that a column names; undefined if the user may not see it. */
function findVisibleColumn(
  ...location: Parameters<typeof findViewColumn>
): Omit<ViewColumn, 'hidden'> | undefined {
  try {
    return findViewColumn(...location)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The order of a view: its own, else the record name; then id, so that pages are stable. */
function makeOrders(object: ObjectType, { orderBy }: OwnListView): ViewOrder[] {
  const name = object.nameField?.type.sortable ? object.nameField.name : 'Id'
  const requested = parseViewOrder(orderBy ?? name).flatMap(({ by, direction, nulls }) =>
    isPath(by)
      ? [{ path: by.segments.join('.'), descending: direction === 'DESC', nullsLast: nulls === 'LAST' }]
      : [],
  )
  if (requested.some(({ path }) => path.toLowerCase() === 'id')) return requested
  return [...requested, { path: 'Id', descending: false, nullsLast: false }]
}

const formatOrder = ({ path, descending, nullsLast }: ViewOrder) =>
  `${path} ${descending ? 'DESC' : 'ASC'} NULLS ${nullsLast ? 'LAST' : 'FIRST'}`

/**
 * Refuses a list view for a user who may not see what it filters by. The condition is the definition's, not the caller's: its error names
 * neither the field nor the value.
 * @throws ApiError INVALID_FIELD
 */
export function checkViewFilter(
  object: ObjectType,
  { name, where }: Pick<OwnListView, 'name' | 'where'>,
  schema: SchemaSnapshot,
  version: ApiVersion,
): void {
  if (where === undefined) return
  try {
    compileRecords(`SELECT Id FROM ${object.name} WHERE ${where}`, schema, version)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError('INVALID_FIELD', `The list view ${name} filters by a field that you cannot see`, {
      cause: error,
    })
  }
}

/**
 * The query of a list view for a user: columns and orders that the user may not see are left out.
 * @throws ApiError INVALID_FIELD if the condition names a field that the user may not see
 */
export function listViewQuery(
  object: ObjectType,
  view: OwnListView,
  schema: SchemaSnapshot,
  version: ApiVersion,
): ListViewQuery {
  checkViewFilter(object, view, schema, version)
  const columnOf = (path: string) => findVisibleColumn(object, path, schema, version)
  const shown = view.columns.flatMap((path) => columnOf(path) ?? []).map((one) => ({ ...one, hidden: false }))
  const beside = HIDDEN_COLUMNS.filter((path) => !shown.some((column) => column.path === path))
  const columns = [...shown, ...beside.map((path) => ({ ...columnOf(path)!, hidden: true }))]
  const orders = makeOrders(object, view).flatMap((order) => {
    const column = columnOf(order.path)
    return column === undefined ? [] : [{ ...order, path: column.path }]
  })
  const text = [
    `SELECT ${columns.map(({ path }) => path).join(', ')} FROM ${object.name}`,
    ...(view.scope === 'mine' ? ['USING SCOPE mine'] : []),
    ...(view.where === undefined ? [] : [`WHERE ${view.where}`]),
    `ORDER BY ${orders.map(formatOrder).join(', ')}`,
  ].join(' ')
  const condition = view.where === undefined ? undefined : parseViewCondition(view.where)
  return { columns, orders, condition, text, maxPageSize: compileRecords(text, schema, version).maxPageSize }
}
