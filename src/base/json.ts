/** A value as JSON that was written already: whoever writes a body takes it as it is. */
export class Json {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Longer texts are left to the engine, which is as fast with them. */
const SHORT = 100

/** A text as JSON. Most are short and need no escapes, and looking for those is faster than the general way. */
export function quoteJson(text: string): string {
  if (text.length > SHORT) return JSON.stringify(text)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Control characters, quotes, backslashes; halves of pairs may stand alone.
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(text)
    }
  }
  return `"${text}"`
}
