import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const fiscalYearSql = {
  /** @param lock whether nobody may change it until the transaction ends */
  load: (org: Org, lock: boolean): Sql =>
    sql`select fiscalyearstartmonth as "startMonth", usesstartdateasfiscalyearname as "isNamedByStart"
        from ${sql.id(org.schemaName, 'organization')} where id = ${org.id}${lock ? sql` for update` : sql``}`,
}
