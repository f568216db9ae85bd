import { sql } from '../base/sql.ts'
import type { Org } from './org.ts'

const columns = sql`id, schema_name as "schemaName", name`

export const orgSql = {
  nextNumber: sql`select nextval('objectry.org_number') as number`,
  insert: (org: Org) =>
    sql`insert into objectry.org (id, schema_name, name) values (${org.id}, ${org.schemaName}, ${org.name})`,
  createSchema: (org: Org) => sql`create schema ${sql.id(org.schemaName)}`,
  /** Ids are handed out in blocks, so that making one needs no round trip. */
  createIdSequence: (org: Org) => sql`create sequence ${sql.id(org.schemaName, '_record_id_block')}`,
  nextIdBlock: (org: Org) =>
    sql`select nextval(${`"${org.schemaName}"."_record_id_block"`}::text::regclass) as block`,
  find: (id: string) => sql`select ${columns} from objectry.org where id = ${id}`,
  all: sql`select ${columns} from objectry.org order by created_at, id`,
  dropSchema: (org: Org) => sql`drop schema ${sql.id(org.schemaName)} cascade`,
  delete: (org: Org) => sql`delete from objectry.org where id = ${org.id}`,
}
