/** Start of a reference: `@{account.id}`. */
const OPENING = '@{'

export const hasReference = (text: string) => text.includes(OPENING)

/** The expression of a text that is one reference and nothing else. */
export function wholeReference(text: string): string | undefined {
  const whole = text.startsWith(OPENING) && text.indexOf('}') === text.length - 1
  return whole ? text.slice(OPENING.length, -1) : undefined
}

/**
 * Puts texts into the places of the references. An opening without an end is text like any other. In one pass, whatever
 * the text is.
 * @param fill is given what stands in the braces, and the text since the reference before
 */
export function mapReferences(text: string, fill: (expression: string, before: string) => string): string {
  let filled = ''
  let from = 0
  for (;;) {
    const start = text.indexOf(OPENING, from)
    const end = start < 0 ? -1 : text.indexOf('}', start)
    if (end < 0) return filled + text.slice(from)
    const before = text.slice(from, start)
    filled += before + fill(text.slice(start + OPENING.length, end), before)
    from = end + 1
  }
}

/** The referenceId that an expression begins with: `account` in `account.Contacts[0].Id`. */
export const nameIn = (expression: string) => /^[^.[]*/.exec(expression)![0]
