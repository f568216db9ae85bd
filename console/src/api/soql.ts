const escapeText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')

/** A text as a literal of the query language. */
export const quote = (text: string): string => `'${escapeText(text)}'`

/** A pattern of LIKE for what contains a text. */
export const quoteContaining = (text: string): string => `'%${escapeText(text).replace(/[%_]/g, '\\$&')}%'`
