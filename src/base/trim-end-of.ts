/** A text without what it ends with of some characters. `/=+$/` would look at each run of them again and again. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
