import { sql } from '../../base/sql.ts'

export const checkDatabaseSql = {
  properties: sql`select current_setting('server_version') as version, current_database()::text as name,
      has_database_privilege(current_database(), 'create') as "mayCreate",
      to_regnamespace('objectry') is not null as "isInUse",
      (extract(epoch from clock_timestamp()) * 1000)::double precision as now`,
  ping: sql`select 1 as one`,
}
