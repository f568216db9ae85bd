/**
 * Record ids. 15 characters: a key prefix of three that identifies the object, two that identify this installation, a zero,
 * and a counter of nine in base 62. 18 characters: the same with three check characters, so that the id survives
 * systems that ignore case. Both are accepted everywhere; the 18-character form is always returned. (docs/reference/api/records.md#ids)
 */
export const ID_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECK = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'
const POD = 'OB0'

/** Start of the ids of an object's records: all but the counter and the check characters. */
export const startOfIds = (keyPrefix: string): string => keyPrefix + POD

/** The three check characters of a 15-character id: one per block of five; its bits are set for upper-case letters. */
function checkCharacters(id: string): string {
  let check = ''
  for (let block = 0; block < 15; block += 5) {
    let bits = 0
    for (let i = 0; i < 5; i++) {
      const code = id.charCodeAt(block + i)
      if (code >= 65 && code <= 90) bits |= 1 << i
    }
    check += CHECK[bits]
  }
  return check
}

/** `n` in base 62 with leading zeros, so that ids sort in the order of creation. */
function base62(n: number, length: number): string {
  let text = ''
  for (let rest = n; text.length < length; rest = Math.floor(rest / 62)) text = ID_DIGITS[rest % 62] + text
  return text
}

/** The 18-character id of the n-th record. */
export function makeRecordId(keyPrefix: string, n: number): string {
  const id = `${keyPrefix}${POD}${base62(n, 9)}`
  return id + checkCharacters(id)
}

/**
 * A stable id for something that belongs to an object and is not stored: the n-th one of the object whose ids start with
 * `of`. The counter of stored records never reaches these ids.
 */
export function derivedRecordId(keyPrefix: string, of: string, n = 0): string {
  const id = `${keyPrefix}${POD}z${base62(n, 5)}${of}`
  return id + checkCharacters(id)
}

/**
 * The 18-character form of an id in either form. Undefined if the text is not an id: wrong length, a character
 * outside base 62, or wrong check characters.
 */
export function canonicalRecordId(text: string): string | undefined {
  if (text.length !== 15 && text.length !== 18) return undefined
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    const alphanumeric = (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122)
    if (!alphanumeric) return undefined
  }
  const id = text.slice(0, 15)
  const check = checkCharacters(id)
  if (text.length === 18 && text.slice(15).toUpperCase() !== check) return undefined
  return id + check
}
