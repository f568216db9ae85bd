import { CALENDAR_YEAR, type FiscalYear } from '../../base/fiscal-year.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'

/** Makes the files of an org's settings: what is not as in a new org. */
export function writeSettings({
  startMonth,
  isNamedByStart,
}: FiscalYear): Required<Pick<DefinitionFiles, 'settings'>> {
  const fiscalYear = {
    ...(startMonth !== CALENDAR_YEAR.startMonth && { startMonth }),
    ...(isNamedByStart && { namedBy: 'startDate' as const }),
  }
  return { settings: Object.keys(fiscalYear).length === 0 ? {} : { Company: { fiscalYear } } }
}
