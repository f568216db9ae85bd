import { type Sql, sql } from '../../base/sql.ts'
import { fieldValue } from '../../schema/fields/column.sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const formulasSql = {
  /** Values of the records that are not deleted, locked until the transaction ends in the order of their ids. */
  lock: (org: Org, object: ObjectType, fields: readonly Field[], ids: readonly string[]): Sql =>
    sql`select ${sql.join([sql`id`, ...fields.map((field) => fieldValue(field))])} from ${sql.id(org.schemaName, object.table)}
        where id = any(${ids}::text[]) and not isdeleted order by id for no key update`,

  /** Id and values of a record that is not deleted. */
  read: (org: Org, object: ObjectType, fields: readonly Field[], id: string): Sql =>
    sql`select ${sql.join([sql`id`, ...fields.map((field) => fieldValue(field))])} from ${sql.id(org.schemaName, object.table)}
        where id = ${id} and not isdeleted`,
}
