import { MONTHS } from '../../base/fiscal-year.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import type { CompanyFile, SettingsName } from '../../definitions/formats/settings-file.ts'
import type { NotePad } from '../notes.ts'
import type { MetadataElement } from './project/metadata-element.ts'

const LOCATION = 'settings Company'

const NAMED_BY = { StartingMonth: 'startDate', EndingMonth: 'endDate' } as const

type FiscalYear = NonNullable<CompanyFile['fiscalYear']>

/** Reads one of the values that an element may have; notes another one. */
function readOne<Value>(
  xml: MetadataElement,
  name: string,
  values: Readonly<Record<string, Value>>,
  pad: NotePad,
): Value | undefined {
  const text = xml.text(name)
  if (text === undefined) return undefined
  if (Object.hasOwn(values, text)) return values[text]
  pad.collect('settings', LOCATION, `${name} ${text}`)
  return undefined
}

const MONTH_NUMBERS = Object.fromEntries(MONTHS.map((month, index) => [month, index + 1]))

function readFiscalYear(xml: MetadataElement, pad: NotePad): FiscalYear {
  const startMonth = readOne(xml, 'startMonth', MONTH_NUMBERS, pad)
  const namedBy = readOne(xml, 'fiscalYearNameBasedOn', NAMED_BY, pad)
  return { ...(startMonth !== undefined && { startMonth }), ...(namedBy !== undefined && { namedBy }) }
}

/** Makes the files of the org's settings. */
export function importSettings(
  parts: ReadonlyMap<SettingsName, MetadataElement>,
  pad: NotePad,
): Required<Pick<DefinitionFiles, 'settings'>> {
  const xml = parts.get('Company')
  const given = xml?.one('fiscalYear')
  const fiscalYear = given === undefined ? {} : readFiscalYear(given, pad)
  for (const name of xml?.unread() ?? []) pad.collect('settings', LOCATION, name)
  return { settings: Object.keys(fiscalYear).length === 0 ? {} : { Company: { fiscalYear } } }
}
