/** A piece of an address as it was meant; one that cannot be decoded stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
