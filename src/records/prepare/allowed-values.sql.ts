import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const allowedValuesSql = {
  /** The values of the controlling fields of records; the id comes first. */
  controllingValues: (org: Org, object: ObjectType, fields: readonly Field[], ids: readonly string[]): Sql =>
    sql`select ${sql.join([sql.id('id'), ...fields.map((field) => sql.id(field.column!))])}
        from ${sql.id(org.schemaName, object.table)} where id = any(${ids}::text[])`,
}
