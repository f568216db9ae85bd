import { CALLER } from '../../base/caller.sql.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { SqlScope, Target } from '../../formulas/language/expression.ts'
import { fieldValue, now, timeZone, today } from '../fields/column.sql.ts'
import { type Field, type ParentStep, parentKey, type RowSource } from '../fields/field.ts'
import { type FieldTarget, isFieldTarget, type TargetRoot } from './bind.ts'

/** A row that a formula reads: one of the statement, or one that a subquery finds by its id. */
interface Row {
  /** Name of the table. */
  readonly table: string
  value(field: Field): Sql
  /** Its value of a reference, where a subquery on another table can read it. */
  reference(field: Field): Sql
  /** Its id; null when there is no such row. */
  readonly id: Sql
  readonly source?: RowSource | undefined
  readonly depth: number
}

const tableOf = (object: string) => object.toLowerCase()

/** A row of the statement. */
const makeJoined = (table: string, source: RowSource): Row => ({
  table,
  source,
  depth: 0,
  id: sql.id(source.alias ?? table, 'id'),
  value: (field) => fieldValue(field, source),
  // The columns of a subquery's table hide those of a table without an alias.
  reference: (field) => fieldValue(field, source.alias === undefined ? { ...source, alias: table } : source),
})

type Rows = ParentStep['rows']

/** The row of an object that a condition on its alias finds. */
function makeFound(object: string, rows: Rows, depth: number, condition: (alias: string) => Sql): Row {
  const alias = `f${depth}`
  const read = (value: Sql) => sql`(select ${value} from ${rows(alias)} where ${condition(alias)})`
  const value = (field: Field) => read(fieldValue(field, alias))
  return { table: tableOf(object), depth, value, reference: value, id: read(sql.id(alias, 'id')) }
}

/** The parent of a row: joined by the statement, or found by a subquery. */
function findParent(row: Row, { reference, object, rows }: ParentStep): Row {
  const joined = row.source?.formulaParents?.get(parentKey(reference.name, object))
  if (joined !== undefined) return makeJoined(tableOf(object), joined)
  const id = row.reference(reference)
  return makeFound(object, rows, row.depth + 1, (alias) => sql`${sql.id(alias, 'id')} = ${id}`)
}

const rowsIn =
  (table: string): Rows =>
  (alias) =>
    sql`${sql.id(CALLER.schema, table)} ${sql.id(alias)}`

const USER = makeFound('User', rowsIn('user'), 1, (alias) => sql`${sql.id(alias, 'id')} = ${CALLER.user}`)
const ORGANIZATION = makeFound('Organization', rowsIn('organization'), 1, () => sql`true`)

/** A custom setting for the caller: of each field the value for the user, else for the profile, else for the organization. */
function makeSetting(setting: string): Row {
  const table = tableOf(setting)
  const user = sql`(select profileid from ${sql.id(CALLER.schema, 'user')} u where u.id = ${CALLER.user})`
  const read = (value: Sql) =>
    sql`(select ${value} from ${sql.id(CALLER.schema, table)} f1
         where not f1.isdeleted and ${value} is not null
           and (f1.setupownerid = ${CALLER.user} or f1.setupownerid = ${user} or left(f1.setupownerid, 3) = '00D')
         order by position(left(f1.setupownerid, 3) in '005 00e 00D') limit 1)`
  const value = (field: Field) => read(fieldValue(field, 'f1'))
  return { table, depth: 1, value, reference: value, id: read(sql`f1.id`) }
}

/** True if a permission set of the caller grants a custom permission, as the only value of a row. */
function makePermission(name: string): Row {
  const table = (of: string) => sql.id(CALLER.schema, of)
  const isGranted = sql`exists (
    select from ${table('setupentityaccess')} a join ${table('permissionset')} p on p.id = a.parentid
    where lower(a.permissionname) = ${sql.raw(quoteText(name.toLowerCase()))} and not a.isdeleted and not p.isdeleted
      and (p.profileid = (select profileid from ${table('user')} u where u.id = ${CALLER.user}) or exists (
        select from ${table('permissionsetassignment')} s
        where s.permissionsetid = p.id and s.assigneeid = ${CALLER.user} and not s.isdeleted)))`
  const value = () => isGranted
  return { table: 'setupentityaccess', depth: 1, value, reference: value, id: sql`null::text` }
}

/** The record where a name starts that does not start at the row. */
function findRoot(root: Exclude<TargetRoot, 'record'>): Row {
  if (root === '$User') return USER
  if (root === '$Organization') return ORGANIZATION
  const [kind, object, name] = root.split('.') as [string, string, string?]
  if (kind === '$Setup') return makeSetting(object)
  if (kind === '$Permission') return makePermission(object)
  return makeFound(
    object,
    rowsIn(tableOf(object)),
    1,
    (alias) => sql`${sql.id(alias, 'developername')} = ${sql.raw(quoteText(name!))}`,
  )
}

const utcNow = sql`date_trunc('second', ${now} at time zone 'UTC')`

/** The values of formulas in the rows of a statement. */
class RowScope implements SqlScope {
  readonly now = utcNow
  readonly today = today
  readonly timeZone = timeZone
  readonly #row: Row

  constructor(row: Row) {
    this.#row = row
  }

  #find({ root, steps }: FieldTarget): Row {
    return steps.reduce(findParent, root === 'record' ? this.#row : findRoot(root))
  }

  column(target: Target): Sql {
    if (!isFieldTarget(target)) throw new Error(`${target.name} is not a field`)
    const value = this.#find(target).value(target.field)
    if (target.type === 'DateTime') return sql`(${value} at time zone 'UTC')`
    // Products of integers may be too large for one.
    return target.field.type.parameter === 'integer' ? sql`${value}::numeric` : value
  }

  exists(target: Target): Sql | undefined {
    if (!isFieldTarget(target) || (target.steps.length === 0 && target.root === 'record')) return undefined
    return sql`${this.#find(target).id} is not null`
  }

  enter(target: Target): SqlScope {
    if (!isFieldTarget(target)) throw new Error(`${target.name} is not a field`)
    return target.steps.length === 0 && target.root === 'record' ? this : new RowScope(this.#find(target))
  }
}

/** @param object API name */
export const makeRowScope = (object: string, row: RowSource): SqlScope =>
  new RowScope(makeJoined(tableOf(object), row))
