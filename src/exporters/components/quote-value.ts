/** A value that stands in a list with commas between its values. */
export const quoteValue = (text: string): string =>
  /,|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
