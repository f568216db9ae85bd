import { ApiError } from '../../base/api-error.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import type { Field, ListedValue } from './field.ts'
import { MAX_SHORT_LENGTH } from './text.ts'
import { LISTED, STORED, type TypeInFiles } from './type-in-files.ts'

/** The values of a picklist by what they are looked for: there may be thousands, and a record may choose thousands of them. */
interface ListedValues {
  readonly spellings: ReadonlyMap<string, string>
  readonly positions: ReadonlyMap<string, number>
  readonly active: ReadonlySet<string>
}

/** Of entries with the same value the first counts. */
const getIndex = oncePer<readonly ListedValue[], ListedValues>((picklist) => ({
  spellings: new Map(picklist.toReversed().map(({ value }) => [value.toLowerCase(), value])),
  positions: new Map(picklist.map(({ value }, index) => [value, index] as const).reverse()),
  active: new Set(picklist.filter(({ inactive }) => !inactive).map(({ value }) => value)),
}))

/**
 * The listed spelling of a value, which is found without case. A value that is not listed stays as it is; a
 * restricted picklist refuses it later.
 */
export const listedValue = (value: string, field: Field): string =>
  getIndex(field.picklist).spellings.get(value.toLowerCase()) ?? value

/** The position of a value in its list; behind all others if it is not listed. */
export const getListPosition = (value: string, field: Field): number =>
  getIndex(field.picklist).positions.get(value) ?? field.picklist.length

/** In definition files, one value of a list. */
export const picklistFile: TypeInFiles = {
  properties: [...STORED, ...LISTED],
  defaults: { length: MAX_SHORT_LENGTH },
  maxLength: MAX_SHORT_LENGTH,
  default: 'text',
}

/** Refusal of a value that a restricted picklist does not have or does not offer. */
export const refuseValue = (value: string, field: Field) =>
  new ApiError(
    'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
    `${field.label}: bad value for restricted picklist field: ${value.slice(0, 255)}`,
    { fields: [field.name] },
  )

export function validateListed(value: string, field: Field): void {
  if (field.definition.restricted !== true) return
  if (!getIndex(field.picklist).active.has(value)) throw refuseValue(value, field)
}
