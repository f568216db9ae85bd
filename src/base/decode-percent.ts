/** Decodes percent-encoding in part of a URL. Returns the text unchanged if it is not valid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
