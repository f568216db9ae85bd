import { only } from '../../access/row-rules.sql.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import { type Sql, sql } from '../../base/sql.ts'
import { comparableColumn, comparableValue } from '../../schema/change/ddl.sql.ts'
import { fieldValue } from '../../schema/fields/column.sql.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import {
  type AuditFields,
  created,
  creating,
  SYSTEM_COLUMNS,
  table,
  touched,
  touching,
} from '../../schema/objects/table.sql.ts'
import type { FilledRow } from '../../storage/bytes.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { returnTold, type ToldWrite, toldValues, withEvents } from '../events/log-events.sql.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import { collectFields, makeArrays, unnestRows } from '../prepare/written-rows.sql.ts'

/** Records to hold: by their ids, or those that a reference of an earlier part points to. */
export type HeldRecords = {
  readonly object: ObjectType
  readonly fields: readonly Field[]
  /** Absent: against deletion and restoration only. */
  readonly lock?: 'changes' | 'changes by others' | undefined
} & ({ readonly ids: readonly string[] } | { readonly from: number; readonly reference: Field })

/** Records that are written in the same fields. */
interface ListedWrite {
  readonly org: Org
  readonly object: ObjectType
  readonly fields: readonly Field[]
  readonly records: readonly PlannedRecord[]
  readonly audit: AuditFields
}

const LOCKS = { deletion: 'key share', changes: 'share', 'changes by others': 'no key update' } as const

/** Statements by object, org, kind of write and fields: nothing else changes their text. Orgs may share their objects. */
const statementsOf = oncePer<ObjectType, (org: Org) => Map<string, Sql>>(() => oncePer(() => new Map()))
const MAX_CACHED = 500

/** Statements of more fields are not kept, in characters of their names. */
const MAX_KEY = 8000

/** A write of records, cached: with these values, or the result of `make`, which must have the same values. */
function withValues(
  org: Org,
  object: ObjectType,
  kind: string,
  fields: Iterable<Field>,
  values: readonly unknown[],
  make: () => Sql,
): Sql {
  const known = statementsOf(object)(org)
  let key = kind
  for (const field of fields) key += ` ${field.column}`
  const statement = known.get(key)
  if (statement !== undefined) return statement.with(values)
  const takesNumbers = kind.startsWith('insert') && object.fields.some(({ type }) => type.counted)
  const made = takesNumbers ? make() : make().forNode()
  if (known.size < MAX_CACHED && key.length <= MAX_KEY) known.set(key, made)
  return made
}

function assignments(values: RecordValues, audit: AuditFields): Sql {
  const set = [...values].map(([field, value]) => sql`${sql.id(field.column!)} = ${value}`)
  return sql.join([...set, touched(audit)])
}

function insertOne(org: Org, object: ObjectType, { id, values }: PlannedRecord, audit: AuditFields): Sql {
  const own = [id, ...creating(audit), ...values.values()]
  return withValues(org, object, 'insert', values.keys(), own, () => {
    const columns = [...SYSTEM_COLUMNS, ...[...values.keys()].map((field) => field.column!)]
    return sql`insert into ${table(org, object)} (${sql.join(columns.map((name) => sql.id(name)))})
               values (${sql.join([sql`${id}`, created(audit), ...[...values.values()].map((value) => sql`${value}`)])})`
  })
}

function insertMany(
  org: Org,
  object: ObjectType,
  records: readonly PlannedRecord[],
  audit: AuditFields,
): Sql {
  const fields = collectFields(object, records)
  const arrays = makeArrays(records, fields)
  const own = [...creating(audit), ...arrays]
  return withValues(org, object, 'insert many', fields, own, () => {
    const columns = fields.map((field) => sql.id(field.column!))
    return sql`insert into ${table(org, object)} (${sql.join([...SYSTEM_COLUMNS.map((name) => sql.id(name)), ...columns])})
               select ${sql.join([sql`written.id`, created(audit), ...columns])}
               from ${unnestRows(fields, arrays)}`
  })
}

export const writeSql = {
  /** The row of a record, to put bytes into it. */
  row: (org: Org, object: ObjectType, id: string): FilledRow => ({
    table: table(org, object),
    row: sql`id = ${id}`,
  }),

  /** For the rest of a transaction: a wait that may be part of a circle ends before PostgreSQL looks for deadlocks. */
  waitBriefly: sql`set local lock_timeout = '250ms'`,

  /** New records. A field without a value gets its column's default, or null if another record has a value for it. */
  insert(org: Org, object: ObjectType, records: readonly PlannedRecord[], audit: AuditFields): Sql {
    return records.length === 1
      ? insertOne(org, object, records[0]!, audit)
      : insertMany(org, object, records, audit)
  },

  update(org: Org, object: ObjectType, id: string, values: RecordValues, audit: AuditFields): Sql {
    const own = [...values.values(), ...touching(audit), id]
    return withValues(
      org,
      object,
      'update',
      values.keys(),
      own,
      () =>
        sql`update ${table(org, object)} set ${assignments(values, audit)} where id = ${id} and not isdeleted returning id`,
    )
  },

  /** An insert, with one into another table in the same statement. */
  insertBoth: (insert: Sql, other: Sql | undefined): Sql =>
    other === undefined ? insert : sql`with other as (${other}) ${insert}`.forNode([insert, other]),

  /** A change, with an insert into another table in the same statement. */
  together: (change: Sql, insert: Sql | undefined): Sql =>
    insert === undefined
      ? change
      : sql`with inserted as (${insert}), changed as (${change}) select * from changed`.forNode([
          change,
          insert,
        ]),

  /**
   * Changes of several records in the same fields: of all of them, or of none when one is missing. Locks them in one order, so
   * that two calls cannot deadlock.
   */
  updateMany(
    org: Org,
    object: ObjectType,
    fields: readonly Field[],
    records: readonly PlannedRecord[],
    audit: AuditFields,
  ): Sql {
    const arrays = makeArrays(records, fields)
    const own = [arrays[0], ...touching(audit), ...arrays, arrays[0]]
    return withValues(org, object, 'update many', fields, own, () => {
      const set = fields.map(({ column }) => sql`${sql.id(column!)} = ${sql.id('written', column!)}`)
      return sql`with held as materialized (
                   select id from ${table(org, object)} where id = any(${arrays[0]}::text[]) and not isdeleted
                   order by id for update
                 )
                 update ${table(org, object)} as target set ${sql.join([touched(audit), ...set])}
                 from ${unnestRows(fields, arrays)}, held
                 where held.id = written.id and target.id = held.id and (select count(*) from held) = cardinality(${arrays[0]}::text[])
                 returning target.id`
    })
  },

  /** New records, with the events that tell of them, and an insert into another table. */
  insertAndTell(
    { org, object, fields, records, audit }: ListedWrite,
    told: ToldWrite,
    other: Sql | undefined,
  ): Sql {
    const insert = writeSql.insert(org, object, records, audit)
    const others = other === undefined ? [] : [sql`other as (${other})`]
    const make = () => withEvents(others, sql`${insert} ${returnTold(told)}`, told)
    if (other !== undefined) return make()
    const kind = `insert ${records.length === 1} and tell ${told.isOfSeveralCalls}`
    return withValues(org, object, kind, fields, [...insert.values, ...toldValues(told)], make)
  },

  /** Changes of one or several records in the same fields, as `updateMany` makes them, likewise. */
  updateAndTell(
    { org, object, fields, records, audit }: ListedWrite,
    told: ToldWrite,
    other: Sql | undefined,
  ): Sql {
    const arrays = makeArrays(records, fields)
    const make = () => {
      const set = fields.map(({ column }) => sql`${sql.id(column!)} = ${sql.id('written', column!)}`)
      const compared = told.fields.map(({ column }) => sql.id(column!))
      const held = sql`held as materialized (
                         select ${sql.join([sql`id, lastmodifiedbyid`, ...compared])} from ${table(org, object)}
                         where id = any(${arrays[0]}::text[]) and not isdeleted order by id for update
                       )`
      const update = sql`update ${table(org, object)} as target set ${sql.join([touched(audit), ...set])}
                         from ${unnestRows(fields, arrays)}, held
                         where held.id = written.id and target.id = held.id and (select count(*) from held) = cardinality(${arrays[0]}::text[])
                         ${returnTold(told)}`
      return withEvents(other === undefined ? [held] : [sql`other as (${other})`, held], update, told)
    }
    if (other !== undefined) return make()
    const own = [arrays[0], ...touching(audit), ...arrays, arrays[0], ...toldValues(told)]
    return withValues(org, object, `update and tell ${told.isOfSeveralCalls}`, fields, own, make)
  },

  /** For a unique key: changes at most one record. */
  updateByKey(
    org: Org,
    object: ObjectType,
    key: Field,
    value: unknown,
    values: RecordValues,
    audit: AuditFields,
  ): Sql {
    const own = [...values.values(), ...touching(audit), value]
    return withValues(
      org,
      object,
      `by ${key.column}:`,
      values.keys(),
      own,
      () =>
        sql`update ${table(org, object)} set ${assignments(values, audit)}
            where ${comparableColumn(key)} = ${comparableValue(key, value)} and not isdeleted returning id`,
    )
  },

  /**
   * The same for several values of the key, each with changes to the same fields.
   * @param records the value of the key is one of their values; their ids are returned as `item`
   */
  updateManyByKey(
    org: Org,
    object: ObjectType,
    key: Field,
    fields: readonly Field[],
    records: readonly PlannedRecord[],
    audit: AuditFields,
  ): Sql {
    const given = [key, ...fields]
    const arrays = makeArrays(records, given)
    return withValues(org, object, `many by ${key.column}:`, fields, [...touching(audit), ...arrays], () => {
      const set = fields.map(({ column }) => sql`${sql.id(column!)} = ${sql.id('written', column!)}`)
      const value = sql.id('written', key.column!)
      const comparable = key.type.comparable?.(value, key) ?? value
      return sql`update ${table(org, object)} as target set ${sql.join([touched(audit), ...set])}
                 from ${unnestRows(given, arrays)}
                 where ${comparableColumn(key, 'target')} = ${comparable} and not target.isdeleted
                 returning written.id as item, target.id`
    })
  },

  /** Values of the records that are not deleted. */
  values: (org: Org, object: ObjectType, fields: readonly Field[], ids: readonly string[]) =>
    sql`select ${sql.join([sql`id`, ...fields.map((field) => fieldValue(field))])} from ${table(org, object)}
        where id = any(${ids}::text[]) and not isdeleted`,

  /**
   * Values of records of several objects, locked, each object's in one order: the position of the part, and as JSON the id, whether the
   * record is deleted, and the values.
   */
  heldValues(org: Org, held: readonly HeldRecords[]): Sql {
    const name = (index: number) => sql.id(`held${index}`)
    const parts = held.map((one, index) => {
      const which =
        'ids' in one
          ? sql`any(${one.ids}::text[])`
          : sql`any(array(select ${sql.id(one.reference.column!)} from ${name(one.from)}))`
      const values = one.fields.map((field) => sql`${fieldValue(field)} as ${sql.id(field.column!)}`)
      return sql`${name(index)} as materialized (select ${sql.join([sql`id, isdeleted`, ...values])} from ${table(org, one.object)}
                 where id = ${which} order by id for ${sql.raw(LOCKS[one.lock ?? 'deletion'])})`
    })
    const rows = held.map(({ fields }, index) => {
      const columns = fields.map(({ column }) => sql.id(column!))
      return sql`select ${sql.raw(String(index))}::integer, json_build_array(${sql.join([sql`id, isdeleted`, ...columns])})::text from ${name(index)}`
    })
    return sql`with ${sql.join(parts)} ${sql.join(rows, ' union all ')}`
  },

  /** Values of the living records that refer to others, each after the id of the other, in the order of their ids. */
  children: (
    org: Org,
    object: ObjectType,
    reference: Field,
    fields: readonly Field[],
    parents: readonly string[],
  ) =>
    sql`select ${sql.join([reference, ...fields].map((field) => fieldValue(field)))} from ${table(org, object)}
        where ${sql.id(reference.column!)} = any(${parents}::text[]) and not isdeleted order by id`,

  /** The same, locked in one order until the transaction ends. */
  lockValues: (org: Org, object: ObjectType, fields: readonly Field[], ids: readonly string[]) =>
    sql`${writeSql.values(org, object, fields, ids)} order by id for no key update`,

  /** The records that exist, and whether they are deleted. */
  states: (org: Org, object: ObjectType, ids: readonly string[], lock = false) =>
    sql`select id, isdeleted as "isDeleted" from ${table(org, object)} where id = any(${ids}::text[]) order by id ${sql.raw(lock ? 'for update' : '')}`,

  /**
   * The names of some of the records, in their order; undefined if they have none.
   * @param rule for the alias `named`
   */
  names(
    org: Org,
    object: ObjectType,
    ids: readonly string[],
    rule: Sql | undefined,
    max: number,
  ): Sql | undefined {
    const column = object.nameField?.column
    if (column === undefined) return undefined
    const name = sql.id('named', column)
    return sql`select ${name}::text as name from ${table(org, object)} named
               where named.id = any(${ids}::text[]) and ${name} is not null ${only(rule)}
               order by named.id limit ${max}`
  },

  /**
   * The values that other live records already have: the position of the given record, the id of the holder, whether
   * the caller sees the holder, and the value as it is compared.
   * @param rule for the alias `holder`
   */
  holders(
    org: Org,
    object: ObjectType,
    field: Field,
    records: readonly PlannedRecord[],
    rule: Sql | undefined,
  ): Sql {
    const { parameter, comparable } = field.type
    const given = sql`given.value::${sql.raw(parameter)}`
    const value = comparable?.(given, field) ?? given
    const values = records.map(({ values }) => values.get(field))
    return sql`select (given.position - 1)::integer as position, holder.id as holder, ${rule ?? sql`true`} as seen, (${value})::text as value
               from unnest(${records.map(({ id }) => id)}::text[], ${values}::${sql.raw(parameter)}[]) with ordinality as given (id, value, position)
               left join ${table(org, object)} holder
                 on ${comparableColumn(field, 'holder')} = ${value} and not holder.isdeleted and holder.id <> given.id
               order by given.position`
  },
}
