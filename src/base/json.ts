/** A value that is already serialized as JSON; writers of bodies insert it unchanged. */
export class Json {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** For longer texts `JSON.stringify` is as fast. */
const SHORT_TEXT_CHARACTERS = 100

/** A text as JSON. Most texts are short and need no escapes; checking for that is faster than `JSON.stringify`. */
export function quoteJson(text: string): string {
  if (text.length > SHORT_TEXT_CHARACTERS) return JSON.stringify(text)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Control characters, quotes, backslashes, and surrogates, which may be unpaired.
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(text)
    }
  }
  return `"${text}"`
}
