/** A number with its text: `JSON.stringify` writes that. */
export interface RawJson {
  readonly rawJSON: string
}

declare global {
  interface JSON {
    rawJSON(text: string): RawJson
    isRawJSON(value: unknown): value is RawJson
  }
}

const MIN_PLAIN = 1e-3
const MAX_PLAIN = 1e7

/** The digits of a number of ten million or more, with a point behind the first: several times as fast as `toExponential`. */
function largeText(value: number): string {
  const text = String(value)
  // From 1e21 on the text has an exponent by itself.
  if (text.includes('e')) return exponentText(value)
  const first = value < 0 ? 2 : 1
  const point = text.indexOf('.')
  const whole = point < 0 ? text.length : point
  const digits = point < 0 ? text.slice(first) : text.slice(first, point) + text.slice(point + 1)
  let end = digits.length
  while (end > 1 && digits.charCodeAt(end - 1) === 0x30) end--
  return `${text.slice(0, first)}.${digits.slice(0, end)}E${whole - first}`
}

function exponentText(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  return `${digits}${digits.includes('.') ? '' : '.0'}E${Number(exponent)}`
}

/** `100.0`, `0.25`, `1.15056052E8`, `1.0E-4`: always with a fraction, and with an exponent from ten million on and below a thousandth. */
export function decimalText(value: number): string {
  const magnitude = Math.abs(value)
  if (value === 0 || (magnitude >= MIN_PLAIN && magnitude < MAX_PLAIN)) {
    return Number.isInteger(value) ? `${value}.0` : String(value)
  }
  return magnitude < MIN_PLAIN ? exponentText(value) : largeText(value)
}

/** Most whole numbers are small: theirs are made once. */
const SMALL = Array.from({ length: 1001 }, (_, value) => JSON.rawJSON(decimalText(value)))

/** A number that may have a fraction, as answers show it. Most fractions need no text of their own. */
export function asDecimal(value: number): number | RawJson {
  const small = SMALL[value]
  if (small !== undefined) return small
  const magnitude = Math.abs(value)
  const isPlain = magnitude >= MIN_PLAIN && magnitude < MAX_PLAIN && !Number.isInteger(value)
  return isPlain ? value : JSON.rawJSON(decimalText(value))
}

/** The number of what `asDecimal` made; anything else as it is. */
export const withoutText = (value: unknown): unknown =>
  JSON.isRawJSON(value) ? Number(value.rawJSON) : value

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/** The types know no third parameter. */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

const keepText: Reviver = (_name, value, { source }) =>
  typeof value === 'number' && source !== undefined && source !== String(value) ? JSON.rawJSON(source) : value

/** Parses what is to be written again: numbers keep their text. */
export const parseKeepingTexts = (text: string): unknown => parse(text, keepText)
