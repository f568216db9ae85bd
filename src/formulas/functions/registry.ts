import { BLANK_FUNCTIONS } from './blanks.sql.ts'
import { CHANGE_FUNCTIONS } from './changes.sql.ts'
import { CONVERSION_FUNCTIONS } from './conversions.sql.ts'
import { DATE_FUNCTIONS } from './dates.sql.ts'
import { DISTANCE_FUNCTIONS } from './distance.ts'
import { DOUBLE_FUNCTIONS } from './doubles.sql.ts'
import type { FormulaFunction } from './function.ts'
import { HTML_FUNCTIONS } from './html.sql.ts'
import { ID_FUNCTIONS } from './ids.sql.ts'
import { LOGIC_FUNCTIONS } from './logic.sql.ts'
import { LOOKUP_FUNCTIONS } from './lookup.sql.ts'
import { MATH_FUNCTIONS } from './math.sql.ts'
import { PICKLIST_FUNCTIONS } from './picklists.sql.ts'
import { REGEX_FUNCTIONS } from './regex.sql.ts'
import { TEXT_FUNCTIONS } from './texts.sql.ts'

/** The functions of the language by their group in the reference. */
export const FUNCTION_GROUPS: Readonly<Record<string, readonly FormulaFunction[]>> = {
  Logic: [...LOGIC_FUNCTIONS, ...BLANK_FUNCTIONS],
  Numbers: [...MATH_FUNCTIONS, ...DOUBLE_FUNCTIONS],
  Texts: [...TEXT_FUNCTIONS, ...CONVERSION_FUNCTIONS, ...REGEX_FUNCTIONS, ...HTML_FUNCTIONS, ...ID_FUNCTIONS],
  'Dates and times': DATE_FUNCTIONS,
  Picklists: PICKLIST_FUNCTIONS,
  Locations: DISTANCE_FUNCTIONS,
  'Other records': LOOKUP_FUNCTIONS,
  Changes: CHANGE_FUNCTIONS,
}

/** By name in upper case. */
export const FUNCTIONS: ReadonlyMap<string, FormulaFunction> = new Map(
  Object.values(FUNCTION_GROUPS)
    .flat()
    .map((one) => [one.name, one]),
)
