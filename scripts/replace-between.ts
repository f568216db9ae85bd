/**
 * Puts a text between two comments of a page.
 * @throws Error when the page does not have them
 */
export function replaceBetween(page: string, start: string, end: string, text: string): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page has no "${start}" ... "${end}".`)
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`
}
