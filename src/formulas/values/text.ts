/** Characters of a text: one outside of the basic plane counts once, as in PostgreSQL. */
export const toCharacters = (text: string): string[] => Array.from(text)

const SURROGATE = /[\ud800-\udfff]/

export const countCharacters = (text: string): number =>
  SURROGATE.test(text) ? toCharacters(text).length : text.length

/** @param from index of the first character */
export function slice(text: string, from: number, to: number): string {
  return SURROGATE.test(text) ? toCharacters(text).slice(from, to).join('') : text.slice(from, to)
}

/** Compares by code points: negative, zero or positive. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : 1
  const [left, right] = [toCharacters(a), toCharacters(b)]
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Formulas have no empty text. */
export const orNull = (text: string): string | null => (text === '' ? null : text)

/** Maps each character that has a single counterpart, as the functions of PostgreSQL do. */
function mapCharacters(text: string, map: (character: string) => string): string {
  let mapped = ''
  for (const character of text) {
    const other = map(character)
    mapped += toCharacters(other).length === 1 ? other : character
  }
  return mapped
}

export const toUpper = (text: string): string =>
  mapCharacters(text, (one) => (one === 'ß' ? one : one.toUpperCase()))
export const toLower = (text: string): string => mapCharacters(text, (one) => one.toLowerCase())

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Upper case after anything that is neither a letter nor a digit. */
export function toInitialCapitals(text: string): string {
  let result = ''
  let isInside = false
  for (const character of text) {
    result += isInside ? toLower(character) : toUpper(character)
    isInside = LETTER_OR_DIGIT.test(character)
  }
  return result
}
