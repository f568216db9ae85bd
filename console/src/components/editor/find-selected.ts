/** Without what is in parentheses, as child queries are. */
function stripParentheses(text: string): string {
  const stripped = text.replaceAll(/\([^()]*\)/g, ' ')
  return stripped === text ? text : stripParentheses(stripped)
}

/** The paths that the select list around a part of the text has already, in lower case. */
export function findSelected(text: string, from: number, to: number): Set<string> {
  const before = stripParentheses(text.slice(0, from))
    .split(/\bselect\b/i)
    .at(-1)!
  const after = stripParentheses(text.slice(to)).split(/\bfrom\b|\)/i)[0]!
  return new Set(`${before},${after}`.toLowerCase().match(/[\w.]+/g))
}
