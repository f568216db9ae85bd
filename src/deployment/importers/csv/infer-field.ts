import type { FieldFile } from '../../definitions/field-file.ts'
import type { ColumnFacts } from './column-facts.ts'
import type { ColumnKind } from './column-kinds.ts'

/** The inferred field of a column, and the reason. */
export interface Inferred {
  readonly field: FieldFile
  readonly because: string
}

const MAX_STRING_LENGTH = 255
const MAX_TEXT_LENGTH = 131_072

/** Minimum rows of a picklist. */
const LIST_ROWS = 20
const LIST_REPEATS = 5
const MAX_LISTED_LENGTH = 40

/** Words at the end of the header of a key. */
const KEY = /(?:^|[^a-z])(?:id|key|code|number|no|nr|num|sku|ean|isbn|uuid|guid|ref|reference)$/i

/** Recognizes both `customerId` and `Customer ID`. */
export const mayBeKey = (header: string) =>
  KEY.test(
    header
      .trim()
      .replace(/__c$/i, '')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2'),
  )

const PHONE_HEADER = /phone|mobile|fax|tel/i

/** A length with reserve for longer values than those in the file. */
function addReserve(longest: number): number {
  return [40, 80, 120].find((length) => length >= longest * 1.5) ?? MAX_STRING_LENGTH
}

function decimal({ digits, scale }: ColumnFacts): Inferred | undefined {
  // A JSON number does not represent more digits exactly.
  if (digits + scale > 15) return undefined
  const because = `numbers with up to ${scale} digits after the point`
  return { field: { type: 'double', precision: 18, scale }, because }
}

/** The field of each kind; undefined when the column does not allow it. */
const KINDS: Readonly<Record<ColumnKind, (facts: ColumnFacts, header: string) => Inferred | undefined>> = {
  boolean: () => ({ field: { type: 'boolean' }, because: 'true and false' }),
  whole: () => ({ field: { type: 'double', precision: 18, scale: 0 }, because: 'whole numbers' }),
  decimal,
  date: () => ({ field: { type: 'date' }, because: 'days' }),
  datetime: () => ({ field: { type: 'datetime' }, because: 'moments' }),
  time: () => ({ field: { type: 'time' }, because: 'times of day' }),
  email: ({ longest }) =>
    longest > MAX_STRING_LENGTH
      ? undefined
      : {
          field: { type: 'email', length: longest <= 80 ? 80 : MAX_STRING_LENGTH },
          because: 'mail addresses',
        },
  url: ({ longest }) =>
    longest > MAX_STRING_LENGTH ? undefined : { field: { type: 'url' }, because: 'web addresses' },
  phone: (_, header) =>
    PHONE_HEADER.test(header) ? { field: { type: 'phone' }, because: 'phone numbers' } : undefined,
}

function list(facts: ColumnFacts): Inferred | undefined {
  const { listed, filled, longest, isMultiline } = facts
  if (listed === undefined || filled < LIST_ROWS || listed.size * LIST_REPEATS > filled) return undefined
  if (longest > MAX_LISTED_LENGTH || isMultiline) return undefined
  return {
    field: { type: 'picklist', values: [...listed.values()].sort() },
    because: `${listed.size} different values`,
  }
}

export function inferText({ longest, isMultiline }: ColumnFacts): Inferred {
  if (longest > MAX_STRING_LENGTH) {
    const length = Math.min(Math.max(32_768, longest * 2), MAX_TEXT_LENGTH)
    const tooLong = longest > MAX_TEXT_LENGTH ? ', which is more than a field holds' : ''
    return {
      field: { type: 'longtextarea', length },
      because: `texts of up to ${longest} characters${tooLong}`,
    }
  }
  if (isMultiline) return { field: { type: 'textarea' }, because: `texts of several lines` }
  const because = `texts of up to ${longest} characters`
  return { field: { type: 'string', length: addReserve(longest) }, because }
}

/** Types of fields that can be unique keys. */
const KEY_TYPES = ['string', 'double', 'email', 'phone', 'url']

/** Infers the field for the values of a column. */
export function inferField(header: string, facts: ColumnFacts): Inferred {
  if (facts.filled === 0) return { field: { type: 'string' }, because: 'no values at all' }
  const isKey = mayBeKey(header)
  // A phone number may look like an integer.
  const isPhone = facts.kinds.has('phone') && PHONE_HEADER.test(header)
  const kinds = isPhone ? (['phone'] as const) : [...facts.kinds]
  const found = kinds.map((kind) => KINDS[kind](facts, header)).find((kind) => kind !== undefined)
  const inferred = found ?? (isKey ? undefined : list(facts)) ?? inferText(facts)
  if (!isKey || !KEY_TYPES.includes(inferred.field.type!)) return inferred
  const isNumber = inferred.field.type === 'double'
  if (isNumber ? !facts.uniqueNumbers : facts.unique === undefined) return inferred
  const caseSensitive = !isNumber && facts.unique === 'exactly'
  return {
    field: { ...inferred.field, unique: true, externalId: true, ...(caseSensitive && { caseSensitive }) },
    because: `${inferred.because}, none of them twice`,
  }
}
