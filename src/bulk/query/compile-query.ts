import { ApiError } from '../../base/api-error.ts'
import { hasChange } from '../../base/api-version.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import { type Field, isStored } from '../../schema/fields/field.ts'
import type { FieldType, LiteralKind } from '../../schema/fields/field-type.ts'
import type { RecordBody } from '../../schema/snapshot/record-format.sql.ts'
import { checkLinkFilter } from '../../soql/check-link-filter.ts'
import { compileQuery, type RecordQuery } from '../../soql/compile/compile.ts'
import { parseQuery } from '../../soql/parse/parser.ts'
import { getOperandFacts } from '../../soql/plan/operand.ts'
import type { Selection, Source } from '../../soql/plan/plan.ts'
import { columnOf } from '../../soql/sql/operand.sql.ts'
import { unsupportedObject } from '../jobs/job.ts'

/** A column of a result. */
export interface ResultColumn {
  /** `Owner.Name` */
  readonly name: string
  readonly path: readonly string[]
  readonly kind: LiteralKind | undefined
  /** Its value as text, made by the database; undefined where only the decoder of rows can make it. */
  readonly text: Sql | undefined
  readonly writeText?: FieldType['writeText'] | undefined
}

export interface BulkQuery {
  readonly query: RecordQuery
  /** API name of the queried object. */
  readonly object: string
  readonly columns: readonly ResultColumn[]
}

const refused = (message: string) => new ApiError('API_ERROR', message)

/** The value of a parent that is not there is null, which a computed one may not be. */
function makeText(field: Field, source: Source): Sql | undefined {
  const isPlain = isStored(field) || (field.formula !== undefined && source.via === undefined)
  return isPlain ? field.type.csvText?.(columnOf({ source, field }), field) : undefined
}

/** @throws ApiError for what does not fit into a column */
function* listColumns(
  { source, members }: Selection,
  above: readonly string[] = [],
): Generator<ResultColumn, void, undefined> {
  for (const member of members) {
    const path = [...above, member.name]
    const column = { name: path.join('.'), path }
    if (!('kind' in member)) {
      if (member.type.compose !== undefined) {
        throw refused('Selecting compound data not supported in Bulk Query')
      }
      const { literal, writeText } = member.type
      yield { ...column, kind: literal, text: makeText(member, source), writeText }
    } else if (member.kind === 'parent') yield* listColumns(member.selection, path)
    else if (member.kind === 'computed') {
      const isPlain = member.presentation === 'plain'
      const kind = isPlain ? getOperandFacts(member.operand).literal : 'string'
      yield { ...column, kind, text: undefined }
    } else throw refused(`Selecting ${member.name} is not supported in Bulk Query: it has several values`)
  }
}

/**
 * Sorts columns as they stand in the SELECT list: a record has the fields of a parent together, wherever they are selected. What
 * is not a path, such as FIELDS(ALL), stays behind the column before it.
 */
function sortAsSelected(columns: readonly ResultColumn[], text: string): ResultColumn[] {
  const { items, from } = parseQuery(text)
  const prefixes = [from.object.text.toLowerCase(), from.alias?.text.toLowerCase()]
  const positions = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'field') continue
    const path = (item.alias === undefined ? item.path.segments : [item.alias.text]).map((name) =>
      name.toLowerCase(),
    )
    const start = path.length > 1 && prefixes.includes(path[0]) ? 1 : 0
    for (const from of [0, start]) positions.set(path.slice(from).join('.'), index)
  }
  let last = -1
  const placed = columns.map((column) => {
    const own = positions.get(column.name.toLowerCase())
    if (column.path.length === 1) last = own ?? last
    return { column, position: own ?? last }
  })
  return placed.sort((one, other) => one.position - other.position).map(({ column }) => column)
}

/** Jobs know objects by another error than queries do. */
function checkObject({ visible }: Pick<Context, 'visible'>, text: string): void {
  const { from } = parseQuery(text)
  if (from.kind === 'fromObject' && visible.object(from.object.text) === undefined)
    throw unsupportedObject(from.object.text)
}

/**
 * Compiles the query of a job.
 * @throws ApiError
 */
export function compileBulkQuery(
  ctx: Pick<Context, 'visible' | 'version' | 'settings'>,
  text: string,
): BulkQuery {
  checkObject(ctx, text)
  const query = compileQuery(text, ctx.visible, ctx.version)
  if (query.kind !== 'records') throw refused('Aggregate queries are not supported in Bulk Query')
  if (!ctx.settings.lenient) checkLinkFilter(query.plan)
  if (query.plan.offset !== undefined) throw refused('OFFSET is not supported in Bulk Query')
  const found = [...listColumns(query.plan.selection)]
  const columns = hasChange(ctx.version, 'bulkColumnsAsSelected')
    ? sortAsSelected(found, text)
    : found.sort(({ name: one }, { name: other }) => (one < other ? -1 : 1))
  return { query, object: query.plan.sources[0].object.name, columns }
}

/** A value as text; null is an empty one. */
export function readColumn({ path, kind, writeText }: ResultColumn, record: RecordBody): string {
  let value: unknown = record
  for (const name of path) value = (value as RecordBody | null)?.[name] ?? null
  if (value === null) return ''
  if (writeText !== undefined) return writeText(value)
  if (kind === 'dateTime' && typeof value === 'string') return value.replace('+0000', 'Z')
  return JSON.isRawJSON(value) ? value.rawJSON : String(value)
}
