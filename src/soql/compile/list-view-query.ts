import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { OwnListView } from '../../schema/list-views/list-views-of.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { isPath, parseViewCondition, parseViewOrder } from '../parse/parse-view.ts'
import type { Condition } from '../parse/tree.ts'
import type { Selection } from '../plan/plan.ts'
import { compileQuery, type RecordQuery } from './compile.ts'

/** A column of a list view: the way to a field, each name in its own spelling. */
export interface ViewColumn {
  readonly path: string
  readonly field: Field
  /** Clients get it beside what people see. */
  readonly hidden: boolean
}

export interface ViewOrder {
  readonly path: string
  readonly descending: boolean
  readonly nullsLast: boolean
}

/** A list view as somebody may see it. */
export interface ListViewQuery {
  readonly columns: readonly ViewColumn[]
  readonly orders: readonly ViewOrder[]
  readonly condition: Condition | undefined
  /** The whole query, which can be sent as it is. */
  readonly text: string
  /** How many records are read at once, at most. */
  readonly maxRows: number
}

/** What a client needs of every record, whatever its columns are. */
const HIDDEN = ['Id', 'CreatedDate', 'LastModifiedDate', 'SystemModstamp']

/** The field behind a selection of one, and the way to it. */
function leafOf({ members: [member] }: Selection): { path: string; field: Field } | undefined {
  if (member === undefined) return undefined
  if (!('kind' in member)) return { path: member.name, field: member }
  const below = member.kind === 'parent' ? leafOf(member.selection) : undefined
  return below && { ...below, path: `${member.kind === 'parent' ? member.name : ''}.${below.path}` }
}

const compileRecords = (text: string, schema: SchemaSnapshot, version: ApiVersion) =>
  compileQuery(text, schema, version) as RecordQuery

const PATH = /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/

/**
 * The field that a column names.
 * @throws ApiError INVALID_FIELD, or another one when it is no way to a field
 */
export function viewColumn(
  { name }: ObjectType,
  path: string,
  schema: SchemaSnapshot,
  version: ApiVersion,
): Omit<ViewColumn, 'hidden'> {
  if (!PATH.test(path)) throw new ApiError('MALFORMED_QUERY', `${path.slice(0, 255)} is no way to a field`)
  return leafOf(compileRecords(`SELECT ${path} FROM ${name}`, schema, version).plan.selection)!
}

/** The same, undefined when it is not there for whoever asks. */
function visibleColumn(...location: Parameters<typeof viewColumn>): Omit<ViewColumn, 'hidden'> | undefined {
  try {
    return viewColumn(...location)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** What a view is sorted by: its order, or the name of a record; then by id, so that pages fit together. */
function ordersOf(object: ObjectType, { orderBy }: OwnListView): ViewOrder[] {
  const name = object.nameField?.type.sortable ? object.nameField.name : 'Id'
  const requested = parseViewOrder(orderBy ?? name).flatMap(({ by, direction, nulls }) =>
    isPath(by)
      ? [{ path: by.segments.join('.'), descending: direction === 'DESC', nullsLast: nulls === 'LAST' }]
      : [],
  )
  if (requested.some(({ path }) => path.toLowerCase() === 'id')) return requested
  return [...requested, { path: 'Id', descending: false, nullsLast: false }]
}

const orderText = ({ path, descending, nullsLast }: ViewOrder) =>
  `${path} ${descending ? 'DESC' : 'ASC'} NULLS ${nullsLast ? 'LAST' : 'FIRST'}`

/**
 * The query of a list view in the schema of whoever asks: columns and orders that he may not see are left out.
 * @throws ApiError INVALID_FIELD when the condition names a field that he may not see
 */
export function listViewQuery(
  object: ObjectType,
  view: OwnListView,
  schema: SchemaSnapshot,
  version: ApiVersion,
): ListViewQuery {
  const columnOf = (path: string) => visibleColumn(object, path, schema, version)
  const shown = view.columns.flatMap((path) => columnOf(path) ?? []).map((one) => ({ ...one, hidden: false }))
  const beside = HIDDEN.filter((path) => !shown.some((column) => column.path === path))
  const columns = [...shown, ...beside.map((path) => ({ ...columnOf(path)!, hidden: true }))]
  const orders = ordersOf(object, view).flatMap((order) => {
    const column = columnOf(order.path)
    return column === undefined ? [] : [{ ...order, path: column.path }]
  })
  const text = [
    `SELECT ${columns.map(({ path }) => path).join(', ')} FROM ${object.name}`,
    ...(view.scope === 'mine' ? ['USING SCOPE mine'] : []),
    ...(view.where === undefined ? [] : [`WHERE ${view.where}`]),
    `ORDER BY ${orders.map(orderText).join(', ')}`,
  ].join(' ')
  const condition = view.where === undefined ? undefined : parseViewCondition(view.where)
  return { columns, orders, condition, text, maxRows: compileRecords(text, schema, version).maxRows }
}
