import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ObjectType } from './object-type.ts'

/** The table of an object in an org. */
export const table = (org: Org, object: ObjectType): Sql => sql.id(org.schemaName, object.table)
