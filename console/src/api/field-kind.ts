/** How values are entered and shown. */
export type FieldKind =
  | 'checkbox'
  | 'lookup'
  | 'choice'
  | 'choices'
  | 'number'
  | 'date'
  | 'datetime'
  | 'time'
  | 'lines'
  | 'link'
  | 'mail'
  | 'compound'
  | 'bytes'
  | 'document'
  | 'text'

/** By described type; all others are text. */
const KINDS: ReadonlyMap<string, FieldKind> = new Map([
  ['boolean', 'checkbox'],
  ['reference', 'lookup'],
  ['picklist', 'choice'],
  ['multipicklist', 'choices'],
  ['int', 'number'],
  ['double', 'number'],
  ['currency', 'number'],
  ['percent', 'number'],
  ['date', 'date'],
  ['datetime', 'datetime'],
  ['time', 'time'],
  ['textarea', 'lines'],
  ['url', 'link'],
  ['email', 'mail'],
  ['address', 'compound'],
  ['location', 'compound'],
  ['base64', 'bytes'],
  ['anyType', 'document'],
])

export const kindOf = ({ type }: { readonly type: string }): FieldKind => KINDS.get(type) ?? 'text'
