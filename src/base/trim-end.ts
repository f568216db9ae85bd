/** Removes all trailing occurrences of some characters. `/=+$/` would take quadratic time on long runs of them. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
