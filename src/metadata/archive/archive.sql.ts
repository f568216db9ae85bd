import { sql } from '../../base/sql.ts'
import type { FilledRow } from '../../storage/bytes.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** The archives of jobs. */
export const archiveSql = {
  /** The row of a job, to put its archive into it. */
  job: (org: Org, id: string): FilledRow => ({
    table: sql`objectry.metadata_job`,
    row: sql`org_id = ${org.id} and id = ${id}`,
  }),
  length: (org: Org, id: string) =>
    sql`select octet_length(archive) as length from objectry.metadata_job where org_id = ${org.id} and id = ${id}`,
  piece: (org: Org, id: string, from: number, max: number) =>
    sql`select substring(archive from ${from + 1}::integer for ${max}::integer) as piece
        from objectry.metadata_job where org_id = ${org.id} and id = ${id}`,
}
