import type { FieldTypeName } from '../definitions/definition.ts'
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

/** All field types. A new type needs a file and an entry here. */
export const FIELD_TYPES: Readonly<Record<FieldTypeName, FieldType>> = {
  address,
  anytype,
  autonumber,
  base64,
  boolean,
  combobox,
  currency,
  date,
  datetime,
  double,
  email,
  encryptedstring,
  id,
  int,
  location,
  longtextarea,
  multipicklist,
  percent,
  personname,
  phone,
  picklist,
  reference,
  richtextarea,
  string,
  textarea,
  time,
  url,
}
