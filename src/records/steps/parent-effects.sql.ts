import { asCaller } from '../../base/caller.sql.ts'
import { type Sql, sql } from '../../base/sql.ts'
import { fieldValue } from '../../schema/fields/column.sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type AuditFields, table } from '../../schema/objects/table.sql.ts'
import type { ChildAggregate, ParentEffect } from '../../standard/behaviour/parent-effect.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const column = (object: ObjectType, name: string) => sql.id(object.field(name)!.column!)
/**
 * How a value is made one of the column that takes it: as it is, rounded, as the column holds it (the statement fails where it cannot), or so that it
 * is the largest where it is larger.
 */
type Fit = 'as it is' | 'rounded' | 'held' | 'clamped'

function fitted(object: ObjectType, name: string, value: Sql, fit: Fit): Sql {
  const { type, definition } = object.field(name)!
  if (fit === 'as it is') return value
  const cast = sql.raw(type.column(definition)!)
  if (type.parameter !== 'numeric') return sql`(${value})::${cast}`
  const { precision = 18, scale = 0 } = definition
  if (fit === 'rounded') return sql`round(${value}, ${sql.raw(String(scale))})`
  if (fit === 'held') return sql`(${value})::${cast}`
  const most = sql.raw(`${'9'.repeat(precision - scale)}.${'9'.repeat(scale) || '0'}`)
  // Of nothing, `least` and `greatest` would make a number.
  return sql`(case when ${value} is not null then least(greatest(${value}, -${most}), ${most}) end)::${cast}`
}
const own = (object: ObjectType, name: string) => fieldValue(object.field(name)!, 'child')

const flagged = (alias: string, where: string | undefined) =>
  where === undefined ? sql`` : sql`and ${sql.id(alias, where.toLowerCase())}`

/** The latest day of another object's records that refer to the alias `parent`. */
const latestOf = (org: Org, reference: string, { object, of, where }: NonNullable<ChildAggregate['also']>) =>
  sql`(select max(${sql.id('other', of.toLowerCase())}) from ${sql.id(org.schemaName, object.toLowerCase())} other
       where ${sql.id('other', reference.toLowerCase())} = parent.id and not other.isdeleted ${flagged('other', where)})`

/** The value of an aggregate over the alias `child`; nothing is 0 or false, and no day where there is none. */
function aggregate(org: Org, child: ObjectType, reference: string, one: ChildAggregate): Sql {
  const { function: name, of, where, filter, also } = one
  const conditions = [
    ...(where === undefined ? [] : [own(child, where)]),
    ...(filter === undefined ? [] : [asCaller(filter.toSql({ alias: 'child' }), org.schemaName, NOBODY)]),
  ]
  // The row of a parent without children is one too.
  const isChild = filter === undefined ? [] : [sql`child.id is not null`]
  const rows =
    conditions.length === 0 ? sql`` : sql` filter (where ${sql.join([...isChild, ...conditions], ' and ')})`
  const value = of === undefined ? sql.id('child', 'id') : own(child, of)
  if (name === 'latest') {
    const own = sql`max(${value})${rows}`
    return also === undefined ? own : sql`greatest(${own}, ${latestOf(org, reference, also)})`
  }
  if (name === 'min' || name === 'max') return sql`${sql.raw(name)}(${value})${rows}`
  if (name === 'sum') return sql`coalesce(sum(${value})${rows}, 0)`
  return name === 'count' ? sql`count(${value})${rows}::integer` : sql`count(${value})${rows} > 0`
}

/** A filter may name the org, which not every database here fills in, but no user. */
const NOBODY = ''

/** The name of what a field of a parent was. */
export const oldName = ({ column }: Field): string => `old ${column}`

/**
 * For each living parent its id and its values, by the names of the parent's columns.
 */
function aggregates(
  org: Org,
  child: ObjectType,
  parent: ObjectType,
  effect: ParentEffect,
  ids: readonly string[],
  fit: Fit,
  old: readonly Field[] = [],
) {
  const values = Object.entries(effect.sets).map(([name, one]) => {
    const value = aggregate(org, child, effect.reference, one)
    return sql`${fitted(parent, name, value, fit)} as ${column(parent, name)}`
  })
  const was = old.map((field) => sql`, ${fieldValue(field, 'parent')} as ${sql.id(oldName(field))}`)
  return sql`select parent.id, ${sql.join(values)}, count(child.id) as children${sql.join(was, '')} from ${table(org, parent)} parent
             left join ${table(org, child)} child on ${own(child, effect.reference)} = parent.id and not child.isdeleted
             where parent.id = any(${ids}::text[]) and not parent.isdeleted group by parent.id`
}

const KEPT = {
  filled: (target: Sql, made: Sql) =>
    sql`case when made.children > 0 then coalesce(${target}, ${made}) else ${target} end`,
  childless: (target: Sql, made: Sql) => sql`case when made.children > 0 then ${made} else ${target} end`,
}

export const parentEffectsSql = {
  /** The references of records, deleted or not. */
  references: (org: Org, object: ObjectType, names: readonly string[], ids: readonly string[]): Sql =>
    sql`select ${sql.join(names.map((name) => column(object, name)))} from ${table(org, object)} where id = any(${ids}::text[])`,

  /** Target of a reference of records: the id, and whether it points back. */
  under: (
    org: Org,
    object: ObjectType,
    upper: ObjectType,
    { reference, back }: NonNullable<ParentEffect['under']>,
    ids: readonly string[],
  ): Sql =>
    sql`select upper.id, coalesce(upper.${column(upper, back)} = own.id, false)
        from ${table(org, object)} own join ${table(org, upper)} upper on upper.id = own.${column(object, reference)}
        where own.id = any(${ids}::text[])`,

  /** The references of records that nobody changes until the transaction ends. */
  lockedReferences: (org: Org, object: ObjectType, names: readonly string[], ids: readonly string[]): Sql =>
    sql`${parentEffectsSql.references(org, object, names, ids)} order by id for no key update`,

  /**
   * Raises the one field of an effect by records that are new. Each parent may be named several times. Parents that already have a
   * later day are locked too: who takes the later one away waits for the new records, or these see that it is gone.
   */
  raise(
    org: Org,
    parent: ObjectType,
    { sets }: ParentEffect,
    ids: readonly string[],
    days: readonly string[],
    { timestamp }: AuditFields,
  ): Sql {
    const field = column(parent, Object.keys(sets)[0]!)
    return sql`with given as (select id collate "C" as id, max(day) as day from unnest(${ids}::text[], ${days}::date[]) as given (id, day) group by 1),
                    locked as materialized (
                      select parent.id, parent.isdeleted, parent.${field} as last, given.day
                      from ${table(org, parent)} parent join given on given.id = parent.id
                      order by parent.id for no key update of parent)
               update ${table(org, parent)} target set ${field} = locked.day, systemmodstamp = ${timestampSql(timestamp)}
               from locked
               where target.id = locked.id and not locked.isdeleted and (locked.last is null or locked.last < locked.day)`
  },

  /**
   * Locks records against other changes in one order, deleted ones too: they are not restored meanwhile. References to them are not
   * kept waiting.
   * @param isLate out of that order: it fails where it would have to wait, and the write is tried again, instead of a deadlock that
   *   is found a second later
   * @param names references that are returned after the id, as they are under the lock
   */
  lock: (
    org: Org,
    object: ObjectType,
    ids: readonly string[],
    isLate: boolean,
    names: readonly string[] = [],
  ): Sql =>
    sql`select ${sql.join([sql`id`, ...names.map((name) => column(object, name))])} from ${table(org, object)} where id = any(${ids}::text[]) order by id for no key update ${sql.raw(isLate ? 'nowait' : '')}`,

  /**
   * Ids of the living parents with the values that they are to have, and those of some fields as they are.
   * @param isOnlyChanged leaves out parents that have these values; their fields are among `old`
   */
  values: (
    org: Org,
    child: ObjectType,
    parent: ObjectType,
    effect: ParentEffect,
    ids: readonly string[],
    old: readonly Field[],
    isOnlyChanged: boolean,
  ): Sql => {
    if (!isOnlyChanged) return aggregates(org, child, parent, effect, ids, 'as it is', old)
    const fields = Object.keys(effect.sets).map((name) => parent.field(name)!)
    const differs = fields.map(
      (field) => sql`${sql.id('made', field.column!)} is distinct from ${sql.id('made', oldName(field))}`,
    )
    return sql`select * from (${aggregates(org, child, parent, effect, ids, 'rounded', old)}) made where ${sql.join(differs, ' or ')}`
  },

  /**
   * Locks records, and before them those that they refer to, in one statement: its second part waits for the first.
   * Each row has the references, then whether each is empty or locked: it may have been another one when the statement began.
   */
  lockFromAbove(
    org: Org,
    object: ObjectType,
    above: readonly { readonly reference: string; readonly object: ObjectType }[],
    ids: readonly string[],
    isLate: boolean,
  ): Sql {
    const wait = sql.raw(isLate ? 'nowait' : '')
    const parts = above.map(({ reference, object: upper }, index) => ({
      name: sql.id(`above${index}`),
      reference: column(object, reference),
      upper,
    }))
    const held = parts.map(
      ({ name, reference, upper }) =>
        sql`${name} as materialized (
              select id from ${table(org, upper)} where id in (select ${reference} from ${table(org, object)} where id = any(${ids}::text[]))
              order by id for no key update ${wait})`,
    )
    const isHeld = parts.map(({ name }) => sql` and (select count(*) from ${name}) >= 0`)
    const shown = parts.map(
      ({ name, reference }) =>
        sql`(own.${reference} is null or own.${reference} in (select id from ${name}))`,
    )
    return sql`with ${sql.join(held)}, own as materialized (
                 select ${sql.join(parts.map(({ reference }) => reference))} from ${table(org, object)}
                 where id = any(${ids}::text[])${sql.join(isHeld, '')} order by id for no key update ${wait})
               select ${sql.join([...parts.map(({ reference }) => sql`own.${reference}`), ...shown])} from own`
  },

  /**
   * Of parents that have children, those whose values differ from what the children add up to, each with the names of the columns.
   */
  differing(
    org: Org,
    child: ObjectType,
    parent: ObjectType,
    effect: ParentEffect,
    ids: readonly string[],
  ): Sql {
    const differing = Object.keys(effect.sets).map((name) => {
      const own = parent.field(name)!
      const [target, made] = [sql.id('target', own.column!), sql.id('made', own.column!)]
      // Without children a value that clients may write is theirs.
      const isOwn = own.updateable ? sql`and made.children > 0` : sql``
      return sql`case when ${target} is distinct from ${made} ${isOwn} then ${name}::text end`
    })
    return sql`select made.id, array_remove(array[${sql.join(differing)}], null) as fields
               from ${table(org, parent)} target join (${aggregates(org, child, parent, effect, ids, 'clamped')}) made on made.id = target.id`
  },

  /**
   * Sets the values where they differ.
   * @param keeps what stays of fields that clients may write: what is not empty and what a parent without children has, or only the latter
   */
  set(
    org: Org,
    child: ObjectType,
    parent: ObjectType,
    effect: ParentEffect,
    ids: readonly string[],
    { timestamp }: AuditFields,
    keeps?: 'filled' | 'childless',
  ): Sql {
    const values = Object.keys(effect.sets).map((name) => {
      const { column, updateable } = parent.field(name)!
      const [target, made] = [sql.id('target', column!), sql.id('made', column!)]
      return {
        column: column!,
        target,
        value: keeps === undefined || !updateable ? made : KEPT[keeps](target, made),
      }
    })
    const set = values.map(({ column, value }) => sql`${sql.id(column)} = ${value}`)
    const differs = values.map(({ target, value }) => sql`${target} is distinct from ${value}`)
    return sql`update ${table(org, parent)} target set ${sql.join(set)}, systemmodstamp = ${timestampSql(timestamp)}
               from (${aggregates(org, child, parent, effect, ids, keeps === undefined && effect.isAfterTriggers === true ? 'held' : 'clamped')}) made
               where made.id = target.id and (${sql.join(differs, ' or ')})`
  },
}
