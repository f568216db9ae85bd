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

/** `1 record`, `12,400 records`. */
export const recordsText = (count: number) => `${countText(count)} record${count === 1 ? '' : 's'}`

/** A number as people read it: `12,400`. */
export const countText = (count: number) => count.toLocaleString('en-US')

/** A text in single quotes, as sh, bash and zsh read it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const graphemes = new Intl.Segmenter()

/** Characters that a terminal shows two columns wide. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|.\ufe0f)/u
const INVISIBLE = /^[\p{Cf}\p{Mn}]/u

const isSimple = (text: string) => /^[\x20-\x7e]*$/.test(text)

function graphemeWidth(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2
  return INVISIBLE.test(grapheme) ? 0 : 1
}

/** How many columns of a terminal a line of text takes. */
export function textWidth(text: string): number {
  if (isSimple(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment)
  return width
}

/** The text, or its beginning and `…` where it is wider than `most`. */
export function cutToWidth(text: string, max: number): string {
  // A text this short cannot be wider; a longer one is not measured to its end.
  if (text.length * 2 <= max || (isSimple(text) && text.length <= max)) return text
  let width = 0
  let room = ''
  for (const { segment } of graphemes.segment(text)) {
    const next = width + graphemeWidth(segment)
    if (next > max) return `${room}…`
    if (next < max) room += segment
    width = next
  }
  return text
}
