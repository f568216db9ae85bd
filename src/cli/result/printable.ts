/** Characters that would move the terminal's cursor, break the line or change the writing direction. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

function shownAs(character: string): string {
  const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
  return short ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A text on one line, safe for a terminal. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, shownAs)

/** The same with its own lines and tabs. */
export const printableLines = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(UNPRINTABLE, (one) => (/[\n\t]/.test(one) ? one : shownAs(one)))

/** A number as people read it: `12,400`. */
export const countText = (count: number) => count.toLocaleString('en-US')

/** A text in single quotes, as sh, bash and zsh read it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
