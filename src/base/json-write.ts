/** Characters that a JSON text has to escape, or that are no character at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/

/** A text as JSON. Most texts need no escapes, and looking costs less than the engine's general way. */
export function jsonText(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** A value of a record as JSON. */
export function jsonValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return jsonText(value)
    case 'number':
    case 'boolean':
      return String(value)
    default:
      return JSON.stringify(value)
  }
}
