/** Characters of a text: one outside of the basic plane counts once, as in PostgreSQL. */
export const toCharacters = (text: string): string[] => Array.from(text)

const SURROGATE = /[\ud800-\udfff]/

/** True if the character at an index takes two units. */
const isPair = (text: string, index: number) => text.codePointAt(index)! > 0xffff

export function countCharacters(text: string): number {
  if (!SURROGATE.test(text)) return text.length
  let count = 0
  for (let at = 0; at < text.length; at += isPair(text, at) ? 2 : 1) count++
  return count
}

/** @param from index of the first character */
export function slice(text: string, from: number, to: number): string {
  if (!SURROGATE.test(text)) return text.slice(from, to)
  let at = 0
  let start = text.length
  for (let count = 0; at < text.length && count < to; count++) {
    if (count === from) start = at
    at += isPair(text, at) ? 2 : 1
  }
  return text.slice(start, at)
}

/** A unit of a text as a number by which code points are ordered: halves of pairs come after all other units. */
const toRank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** Compares by code points: negative, zero or positive. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : 1
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = toRank(a.charCodeAt(at)) - toRank(b.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return a.length - b.length
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
