/** Characters that are turned into bytes at a time. */
export const PIECE_CHARACTERS = 64 * 1024

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff

/** Cuts a text into pieces that are quickly turned into bytes, none of them inside of a character. */
export function* cutText(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = at + PIECE_CHARACTERS
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--
    yield text.slice(at, end)
    at = end
  }
}

/** Removes all trailing occurrences of some characters. `/=+$/` would take quadratic time on long runs of them. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
