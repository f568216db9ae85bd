import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const allowedValuesSql = {
  /** Which of the ids are of record types that records of an object may be of. */
  activeTypes: (org: Org, object: ObjectType, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'recordtype')}
        where id = any(${ids}::text[]) and sobjecttype = ${object.name} and isactive and not isdeleted`,

  /** What records hold in fields that decide what is offered in others; the id first. */
  deciding: (org: Org, object: ObjectType, fields: readonly Field[], ids: readonly string[]): Sql =>
    sql`select ${sql.join([sql.id('id'), ...fields.map((field) => sql.id(field.column!))])}
        from ${sql.id(org.schemaName, object.table)} where id = any(${ids}::text[])`,
}
