import { sql } from '../../base/sql.ts'

export const checkPostgresSql = {
  properties: sql`select current_setting('server_version_num')::integer as version, current_setting('server_version') as "versionText",
      current_database()::text as name, current_setting('server_encoding') as encoding, current_setting('lc_ctype', true) as ctype,
      to_regnamespace('objectry') is not null as "isInUse"`,
  /** Only for UTF8: other encodings may lack the letter. */
  foldsCase: sql`select upper('ä') = 'Ä' as folds`,
}
