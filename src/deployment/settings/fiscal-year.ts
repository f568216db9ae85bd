import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { DefinitionFiles } from '../definitions/object-file.ts'
import { settingsSql } from './settings.sql.ts'

interface FiscalYear {
  readonly startMonth: number
}

/** That of a new org. */
const USUAL: FiscalYear = { startMonth: 1 }

/** @param lock whether nobody may change it until the transaction ends */
export async function loadFiscalYear(db: Db, org: Org, lock: boolean): Promise<FiscalYear> {
  const [row] = await db.query<{ startMonth: number | null }>(settingsSql.company(org, lock))
  return { startMonth: row?.startMonth ?? USUAL.startMonth }
}

/** Makes the files of an org's settings: what is not as in a new org. */
export function writeSettings({ startMonth }: FiscalYear): Required<Pick<DefinitionFiles, 'settings'>> {
  const fiscalYear = { ...(startMonth !== USUAL.startMonth && { startMonth }) }
  return { settings: Object.keys(fiscalYear).length === 0 ? {} : { Company: { fiscalYear } } }
}
