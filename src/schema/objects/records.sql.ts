import { CALLER } from '../../base/caller.sql.ts'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { quoteIdentifier, type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Field } from '../fields/field.ts'
import { type ObjectType, unrestricted } from './object-type.ts'
import { DELETION } from './table.sql.ts'

/** Where statements read the records of an object: its table, or for one without a table the rows that its view makes. */

/** The records of a view were made with the org, unless it says otherwise. */
const MADE_WITH_ORG: Readonly<Record<string, string>> = {
  createddate: 'made.createddate',
  createdbyid: 'made.createdbyid',
  lastmodifieddate: 'made.createddate',
  lastmodifiedbyid: 'made.createdbyid',
  systemmodstamp: 'made.createddate',
}

/** Types of the columns that statements read of every table, where an object has no fields of these names. */
const ALWAYS_READ: Readonly<Record<string, string>> = {
  id: 'text collate "C"',
  isdeleted: 'boolean',
  lastmodifieddate: 'timestamptz',
  lastmodifiedbyid: 'text collate "C"',
  systemmodstamp: 'timestamptz',
}

/**
 * The rows of an object without a table. They have all columns that statements read of a table: the deletion, and the
 * version of the row (`xmin`), which never changes.
 */
function selectViewRows(object: ObjectType): Sql {
  const { from, columns } = object.definition.view!
  const value = ({ column, type }: Field) =>
    columns[column!] ?? MADE_WITH_ORG[column!] ?? (type.parameter === 'boolean' ? 'false' : 'null')
  const fields = object.fields.filter(({ column }) => column !== undefined)
  const lines = fields.map(
    (field) =>
      `(${value(field)})::${field.type.column(field.definition)} as ${quoteIdentifier(field.column!)}`,
  )
  const others = Object.entries(ALWAYS_READ)
    .filter(([name]) => !fields.some(({ column }) => column === name))
    .map(([name, type]) => `null::${type} as ${name}`)
  const text = `select ${[...lines, ...others].join(', ')}, null::text as ${quoteIdentifier(DELETION)}, '0'::xid as xmin
    from (select createddate, createdbyid from "${CALLER.schema}".organization limit 1) made cross join ${from}`
  return sql.raw(text)
}

const rowsOf = oncePer((object: ObjectType) => sql`(${selectViewRows(object)})`)

/** Its records in the org of the caller, whose schema is filled in when the statement is sent. */
export const callerRecords = (object: ObjectType, alias: string): Sql =>
  object.definition.view === undefined
    ? sql`${sql.id(CALLER.schema, object.table)} ${sql.id(alias)}`
    : sql`${rowsOf(unrestricted(object))} ${sql.id(alias)}`

const namedOf = oncePer<Sql, Map<string, Sql>>(() => new Map())

function rowsIn(org: Org, object: ObjectType): Sql {
  if (object.definition.view === undefined) return sql.id(org.schemaName, object.table)
  const rows = rowsOf(unrestricted(object))
  return getOrInsert(namedOf(rows), org.schemaName, (schema) =>
    sql.raw(rows.text.replaceAll(`"${CALLER.schema}"`, quoteIdentifier(schema))),
  )
}

/**
 * The records of an object in an org, as FROM takes them.
 * @param alias the name of the table when absent
 */
export function records(org: Org, object: ObjectType, alias?: string): Sql {
  const isNamed = alias === undefined && object.definition.view === undefined
  return isNamed ? rowsIn(org, object) : sql`${rowsIn(org, object)} ${sql.id(alias ?? object.table)}`
}
