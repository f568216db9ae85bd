import { address } from './address.ts'
import { anytype } from './anytype.ts'
import { autonumber } from './autonumber.ts'
import { base64 } from './base64.ts'
import { boolean } from './boolean.ts'
import { combobox } from './combobox.ts'
import { currency } from './currency.ts'
import { date } from './date.ts'
import { datetime } from './datetime.ts'
import { double } from './double.ts'
import { email } from './email.ts'
import { encryptedstring } from './encryptedstring.ts'
import type { FieldType } from './field-type.ts'
import { id } from './id.ts'
import { int } from './int.ts'
import { json } from './json.ts'
import { location } from './location.ts'
import { longtextarea } from './longtextarea.ts'
import { multipicklist } from './multipicklist.ts'
import { percent } from './percent.ts'
import { personname } from './personname.ts'
import { phone } from './phone.ts'
import { picklist } from './picklist.ts'
import { reference } from './reference.ts'
import { richtextarea } from './richtextarea.ts'
import { string } from './string.ts'
import { textarea } from './textarea.ts'
import { time } from './time.ts'
import { url } from './url.ts'

/** All field types, in the order in which messages list them. A new type needs a file and an entry here. */
export const FIELD_TYPES = {
  string,
  textarea,
  longtextarea,
  richtextarea,
  encryptedstring,
  email,
  phone,
  url,
  boolean,
  int,
  double,
  currency,
  percent,
  date,
  datetime,
  time,
  picklist,
  combobox,
  multipicklist,
  reference,
  autonumber,
  address,
  location,
  base64,
  json,
  id,
  personname,
  anytype,
}

/** The name of a field type. */
export type FieldTypeName = keyof typeof FIELD_TYPES

/** By name, in order. */
export const FIELD_TYPE_NAMES = Object.keys(FIELD_TYPES) as readonly FieldTypeName[]

const described = new Map<string, FieldType>(
  Object.values(FIELD_TYPES)
    .toReversed()
    .map((type) => [type.describedAs, type]),
)

/** A type that describes call so; the first one of several, which have the same values. Undefined for another platform's. */
export const findDescribedType = (describedAs: string): FieldType | undefined => described.get(describedAs)
