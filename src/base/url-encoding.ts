/** Decodes percent-encoding in part of a URL. Returns the text unchanged if it is not valid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** True if a query string or form has more parameters. To be asked first: `URLSearchParams` takes the square of their number. */
export const hasMoreParameters = (text: string, max: number): boolean => text.split('&', max + 1).length > max
