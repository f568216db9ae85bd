import { CALENDAR_YEAR, type FiscalYear } from '../../base/fiscal-year.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { loadDefinitions } from '../../schema/snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { loadFiscalYear } from '../../standard/setup/load-fiscal-year.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { loadHolders } from '../permissions/load-holders.ts'
import { writePermissionsInSlices } from '../permissions/permission-files.ts'
import { writeInSlices } from './write-definitions.ts'

/** Makes the files of an org's settings: what is not as in a new org. */
function writeSettings({
  startMonth,
  isNamedByStart,
}: FiscalYear): Required<Pick<DefinitionFiles, 'settings'>> {
  const fiscalYear = {
    ...(startMonth !== CALENDAR_YEAR.startMonth && { startMonth }),
    ...(isNamedByStart && { namedBy: 'startDate' as const }),
  }
  return { settings: Object.keys(fiscalYear).length === 0 ? {} : { Company: { fiscalYear } } }
}

/** Makes the definition files of all that an org has. */
export async function loadFiles(
  db: Db,
  org: Org,
  schema: SchemaSnapshot,
  deadline?: AbortSignal,
): Promise<DefinitionFiles> {
  const objects = await loadDefinitions(db, org)
  const holders = await loadHolders(db, org, schema)
  const settings = writeSettings(await loadFiscalYear(db, org))
  const definitions = await runInSlices(() => writeInSlices(objects), deadline)
  const permissions = await runInSlices(() => writePermissionsInSlices(holders), deadline)
  return { ...definitions, ...permissions, ...settings }
}
