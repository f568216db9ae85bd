import { CALENDAR_YEAR, type FiscalYear } from '../../base/fiscal-year.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { fiscalYearSql } from './setup.sql.ts'

type Row = { readonly [Name in keyof FiscalYear]: FiscalYear[Name] | null }

/** @param lock whether nobody may change it until the transaction ends */
export async function loadFiscalYear(db: Db, org: Org, lock = false): Promise<FiscalYear> {
  const [row] = await db.query<Row>(fiscalYearSql.load(org, lock))
  return {
    startMonth: row?.startMonth ?? CALENDAR_YEAR.startMonth,
    isNamedByStart: row?.isNamedByStart ?? CALENDAR_YEAR.isNamedByStart,
  }
}
