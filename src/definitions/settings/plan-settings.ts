import { MONTHS } from '../../base/fiscal-year.ts'
import type { PlannedStep } from '../../schema/change/deploy.ts'
import { loadFiscalYear } from '../../standard/setup/load-fiscal-year.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { permissionsSql } from '../permissions/permissions.sql.ts'
import type { RecordChange } from '../permissions/plan-permissions.ts'

const nameMonth = (month: number) => MONTHS[month - 1] ?? String(month)

/**
 * Plans what makes an org's settings those of their files. What the files do not say stays as it is, and records keep what was
 * derived by the settings that there were, as after a change by a client.
 */
export async function planSettings(
  { settings = {} }: DefinitionFiles,
  tx: Db,
  org: Org,
  planOnly: boolean,
): Promise<RecordChange> {
  const { startMonth, namedBy } = settings.Company?.fiscalYear ?? {}
  if (startMonth === undefined && namedBy === undefined) return { steps: [], carryOut: async () => {} }
  const before = await loadFiscalYear(tx, org, !planOnly)
  const steps: PlannedStep[] = []
  const values: Record<string, number | boolean> = {}
  const change = (field: string, value: number | boolean, what: string) => {
    steps.push({ kind: 'change', object: 'Organization', field, what, loses: 0, obstacles: [] })
    values[field.toLowerCase()] = value
  }
  if (startMonth !== undefined && startMonth !== before.startMonth) {
    const what = `fiscal year starts in ${nameMonth(startMonth)}, was ${nameMonth(before.startMonth)}`
    change('FiscalYearStartMonth', startMonth, what)
  }
  const isNamedByStart = namedBy === 'startDate'
  if (namedBy !== undefined && isNamedByStart !== before.isNamedByStart) {
    const [now, old] = isNamedByStart ? ['start', 'end'] : ['end', 'start']
    const what = `fiscal year is named by its ${now} date, was by its ${old} date`
    change('UsesStartDateAsFiscalYearName', isNamedByStart, what)
  }
  return {
    steps,
    carryOut: (author) => tx.query(permissionsSql.update(org, 'organization', [org.id], values, author)),
  }
}
