import { type Sql, sql } from '../../base/sql.ts'
import { comparableColumn } from '../../schema/change/ddl.sql.ts'
import { fieldValue } from '../../schema/fields/column.sql.ts'
import type { Field, ParentStep } from '../../schema/fields/field.ts'
import type { FieldTarget, TargetRoot } from '../../schema/formulas/bind.ts'
import { makeRowScope } from '../../schema/formulas/row-scope.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { records } from '../../schema/objects/records.sql.ts'
import { table } from '../../schema/objects/table.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Leaf } from './formula-leaves.ts'

export const formulasSql = {
  /** Values of the records that are not deleted, locked until the transaction ends in the order of their ids. */
  lock: (org: Org, object: ObjectType, fields: readonly Field[], ids: readonly string[]): Sql =>
    sql`select ${sql.join([sql`id`, ...fields.map((field) => fieldValue(field))])} from ${table(org, object)}
        where id = any(${ids}::text[]) and not isdeleted order by id for no key update`,

  /** Id and values of a record that is not deleted. */
  read: (org: Org, object: ObjectType, fields: readonly Field[], id: string): Sql =>
    sql`select ${sql.join([sql`id`, ...fields.map((field) => fieldValue(field))])} from ${table(org, object)}
        where id = ${id} and not isdeleted`,
}

const located = (target: FieldTarget, root: TargetRoot, steps: readonly ParentStep[]): FieldTarget => ({
  ...target,
  root,
  steps,
})

export const leavesSql = {
  /** Values of parents by id, for leaves whose ways begin with the same step. */
  ofParents(
    org: Org,
    { object }: ParentStep,
    parent: ObjectType,
    leaves: readonly Leaf[],
    ids: readonly string[],
  ): Sql {
    const scope = makeRowScope(object, { alias: 'p' })
    const values = leaves.map(({ target, steps }) => scope.column(located(target, 'record', steps.slice(1))))
    return sql`select ${sql.join([sql`p.id`, ...values])} from ${records(org, parent, 'p')} where p.id = any(${ids}::text[])`
  },

  /** For each name the value of the first record that has it. */
  byName(org: Org, object: ObjectType, field: Field, names: readonly string[]): Sql {
    const key = object.nameField!
    const wanted = key.type.comparable?.(sql`wanted.name`, key) ?? sql`wanted.name`
    const target = { root: 'record', steps: [], object, field, type: field.type.formula!.type } as const
    const value = makeRowScope(object.name, { alias: 'r' }).column(target as unknown as FieldTarget)
    return sql`select wanted.name, found.value from unnest(${names}::text[]) as wanted (name)
               cross join lateral (
                 select ${value} as value from ${records(org, object, 'r')}
                 where ${comparableColumn(key, 'r')} = ${wanted} and not r.isdeleted order by r.id limit 1) found`
  },

  /** Values of the records that the caller decides. */
  ofCaller(object: ObjectType, leaves: readonly Leaf[]): Sql {
    const scope = makeRowScope(object.name, { alias: undefined })
    const values = leaves.map(({ target, root, steps }) => scope.column(located(target, root, steps)))
    return sql`select ${sql.join(values)}`
  },
}
