import { type Sql, sql } from '../../base/sql.ts'
import { isNotNull } from '../../schema/change/ddl.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { DELETION, table } from '../../schema/objects/table.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/**
 * A snapshot is a copy of every table of an org, in the org's own schema. Each copied row
 * has the version of the original row (`xmin`), so that a restore writes only the rows that changed since. Versions mean something in the
 * database in which they were given, so a snapshot says which one that is.
 */

/** The table with the snapshots of an org. */
export const SNAPSHOT_TABLE = '_snapshot'

const register = (org: Org) => sql.id(org.schemaName, SNAPSHOT_TABLE)
const numbers = (org: Org) => sql.id(org.schemaName, '_snapshot_number')

/** The table with a snapshot's copy of an object's rows. */
const copy = (org: Org, number: number, object: ObjectType) =>
  sql.id(org.schemaName, `_${number}_${object.table}`)

const VERSION = sql.id('_version')
const versionOf = (alias: string) => sql`${sql.id(alias)}.xmin::text::bigint`

/** All writable columns. */
function listNames(object: ObjectType): string[] {
  const own = object.fields.filter(({ column, type }) => column !== undefined && type.generated !== true)
  return [...own.map(({ column }) => column!), DELETION]
}

const listColumns = (object: ObjectType) => sql.join(listNames(object).map((name) => sql.id(name)))

/** True for an app that is neither deleted nor blocked. */
const works = (alias: string) => sql`not (${sql.id(alias)}.isdeleted or ${sql.id(alias)}.isblocked)`

interface NewSnapshot {
  readonly number: number
  readonly name: string
  /** JSON of the objects' definitions, of the counters, and of what the snapshot is up to date with. */
  readonly definitions: string
  readonly counters: string
  readonly upgraded: string
  readonly records: number
}

export const snapshotSql = {
  createTables: (org: Org): Sql[] => [
    sql`create sequence ${numbers(org)}`,
    sql`create table ${register(org)} (
          number integer primary key,
          name text collate "C" not null unique,
          definitions jsonb not null,
          counters jsonb not null,
          -- The upgrade mark of the org, and the database that the versions of rows are of.
          upgraded jsonb not null,
          records bigint not null,
          created_at timestamptz not null default now())`,
  ],

  nextNumber: (org: Org) =>
    sql`select nextval(${`"${org.schemaName}"."_snapshot_number"`}::text::regclass)::integer as number`,

  /** Gives the transaction one consistent view. Must be its first statement. */
  repeatableRead: [sql`set transaction isolation level repeatable read`],

  copyTables: (org: Org, number: number, objects: readonly ObjectType[]): Sql[] =>
    objects.flatMap((object) => {
      const rows = sql`select ${listColumns(object)}, ${versionOf('o')} as ${VERSION} from ${table(org, object)} o`
      const to = copy(org, number, object)
      // Citus would make the rows of a table twice that is made with them.
      return [sql`create table ${to} as ${rows} with no data`, sql`insert into ${to} ${rows}`]
    }),

  dropTables: (org: Org, number: number, objects: readonly ObjectType[]): Sql[] =>
    objects.map((object) => sql`drop table ${copy(org, number, object)}`),

  countRecords: (org: Org, number: number, objects: readonly ObjectType[]): Sql => {
    const counts = objects.map((object) => sql`(select count(*) from ${copy(org, number, object)})`)
    return sql`select (${sql.join(counts, ' + ')})::float8 as records`
  },

  insert: (org: Org, { number, name, definitions, counters, upgraded, records }: NewSnapshot) =>
    sql`insert into ${register(org)} (number, name, definitions, counters, upgraded, records)
        values (${number}, ${name}, ${definitions}::text::jsonb, ${counters}::text::jsonb,
                ${upgraded}::text::jsonb, ${records}::float8::bigint)`,

  list: (org: Org) =>
    sql`select number, name, records, extract(epoch from created_at)::float8 as "createdAt"
        from ${register(org)} order by number`,

  find: (org: Org, name: string) =>
    sql`select number, name, definitions, counters, upgraded, records::float8 as records from ${register(org)} where name = ${name}`,

  /**
   * Snapshot copies of objects with fields of a type: the tables, the columns of these fields, and their total
   * length.
   */
  tablesWith: (org: Org, type: string) =>
    sql`select concat('_', number, '_', lower(o ->> 'name')) as name, lower(o ->> 'name') as object,
               array_agg(lower(f ->> 'name') order by f ->> 'name') as columns,
               sum((f ->> 'length')::integer)::float8 as characters
        from ${register(org)}, jsonb_array_elements(definitions) o, jsonb_array_elements(o -> 'fields') f
        where f ->> 'type' = ${type} group by number, o ->> 'name' order by 1`,

  delete: (org: Org, number: number) => sql`delete from ${register(org)} where number = ${number}`,

  /** The database: a copy of it by a dump, or on another server, is another one. */
  place: sql`select concat(system_identifier, '/', (select oid from pg_database where datname = current_database())) as place
             from pg_control_system()`,

  /** Has a restore write all rows, for versions that another database gave. */
  forgetVersions: (org: Org, number: number, objects: readonly ObjectType[]): Sql[] =>
    objects.map((object) => sql`update ${copy(org, number, object)} set ${VERSION} = -1`),

  setPlace: (org: Org, number: number, place: string): Sql =>
    sql`update ${register(org)} set upgraded = jsonb_set(upgraded, '{place}', to_jsonb(${place}::text)) where number = ${number}`,

  /** Blocks writes until the transaction ends. */
  lockTables: (org: Org, objects: readonly ObjectType[]) =>
    sql`lock table ${sql.join(objects.map((object) => table(org, object)))} in exclusive mode`,

  /** Tables with a row that was changed, added or deleted since the snapshot. */
  changedTables: (org: Org, number: number, objects: readonly ObjectType[]): Sql => {
    const changed = objects.map(
      (object) =>
        sql`select ${object.table}::text as name where exists (
              select from (select id, ${versionOf('o')} as ${VERSION} from ${table(org, object)} o) present
              full join ${copy(org, number, object)} k on k.id = present.id
              where k.${VERSION} is distinct from present.${VERSION})`,
    )
    return sql.join(changed, ' union all ')
  },

  /** Usernames of the users that are active in a snapshot, and were deactivated since. */
  deactivatedUsers: (org: Org, number: number, users: ObjectType) =>
    sql`select k.username as name from ${copy(org, number, users)} k join ${table(org, users)} o on o.id = k.id
        where k.isactive and not o.isactive order by 1`,

  /**
   * Names of the apps that work in a snapshot, and were blocked or deleted since.
   * @param apps as the snapshot has them
   */
  blockedApps: (org: Org, number: number, apps: ObjectType) =>
    sql`select k.name as name from ${copy(org, number, apps)} k left join ${table(org, apps)} o on o.id = k.id
        where ${works('k')} and (o.id is null or not ${works('o')}) order by 1`,

  /**
   * The client ids of the apps that work.
   * @param apps as the org has them
   */
  workingClients: (org: Org, apps: ObjectType) =>
    sql`select app.consumerkey as "clientId" from ${table(org, apps)} app
        where app.consumerkey is not null and ${works('app')}`,

  /**
   * Deletes added rows, resets changed rows and inserts deleted rows, then stores the new row versions in the copy.
   * Clears unique values of changed rows first, because another row may get the value.
   */
  restoreRows: (org: Org, number: number, object: ObjectType): Sql[] => {
    const [rows, kept] = [table(org, object), copy(org, number, object)]
    const all = listNames(object)
    const names = all.filter((name) => name !== 'id')
    const isChanged = sql`k.id = o.id and k.${VERSION} <> ${versionOf('o')}`
    const unique = object.fields.filter(({ definition }) => definition.unique === true)
    // Sequence numbers cannot be null, so they get a value that no row has.
    const cleared = unique.map(
      (field) => sql`${sql.id(field.column!)} = ${isNotNull(field) ? sql`o.id` : sql`null`}`,
    )
    const set = (columns: readonly string[], value: (name: string) => Sql) =>
      sql.join(columns.map((name) => sql`${sql.id(name)} = ${value(name)}`))
    const columns = sql.join(all.map((name) => sql.id(name)))
    return [
      sql`delete from ${rows} o where not exists (select from ${kept} k where k.id = o.id)`,
      ...(unique.length === 0
        ? []
        : [sql`update ${rows} o set ${sql.join(cleared)} from ${kept} k where ${isChanged}`]),
      sql`update ${rows} o set ${set(names, (name) => sql.id('k', name))} from ${kept} k where ${isChanged}`,
      sql`insert into ${rows} (${columns}) select ${columns} from ${kept} k
          where not exists (select from ${rows} o where o.id = k.id)`,
      sql`update ${kept} k set ${VERSION} = ${versionOf('o')} from ${rows} o where ${isChanged}`,
    ]
  },

  /** Copies the rows of another org that has the same objects. */
  copyRows: (from: Org, to: Org, object: ObjectType): Sql =>
    sql`insert into ${table(to, object)} (${listColumns(object)}) select ${listColumns(object)} from ${table(from, object)}`,

  /** The id of the organization record is the id of the org. */
  renameOrganization: (from: Org, to: Org) =>
    sql`update ${sql.id(to.schemaName, 'organization')} set id = ${to.id}, name = ${to.name} where id = ${from.id}`,

  deleteRows: (org: Org, object: ObjectType, kept: Sql | undefined): Sql =>
    kept === undefined
      ? sql`delete from ${table(org, object)}`
      : sql`delete from ${table(org, object)} where not (${kept})`,

  isStandardPricebook: sql`isstandard`,

  clearReference: (org: Org, object: ObjectType, column: string): Sql =>
    sql`update ${table(org, object)} set ${sql.id(column)} = null where ${sql.id(column)} is not null`,

  /** The last numbers of autonumber sequences. */
  counters: (org: Org) =>
    sql`select sequencename as name, coalesce(last_value, 0)::float8 as last from pg_sequences
        where schemaname = ${org.schemaName} and sequencename !~ '^_'`,

  setCounter: (org: Org, name: string, last: number) => {
    const counter = sql`${`"${org.schemaName}"."${name}"`}::text::regclass`
    return last === 0
      ? sql`select setval(${counter}, 1, false)`
      : sql`select setval(${counter}, ${last}::float8::bigint)`
  },
}
