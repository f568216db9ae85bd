import type { SearchWord } from '../soql/parse/search-expression.ts'

/** Letters and digits. Beyond ASCII PostgreSQL classifies characters, alike in records and in searches. */
const WORD = /[A-Za-z0-9*?\u{80}-\u{10ffff}]+/gu

/** A backslash escapes the next character: a letter or digit stays, any other becomes a separator. */
function removeEscapes(text: string): string {
  return text.replaceAll(/\\(.)/gsu, (_, character: string) =>
    /[A-Za-z0-9\u{80}-\u{10ffff}]/u.test(character) ? character : ' ',
  )
}

function makeWord(text: string): SearchWord {
  const wild = text.search(/[*?]/)
  if (wild < 0) return { text, isPrefix: false }
  const stem = text.slice(0, wild)
  const open = /^\*+$/.test(text.slice(wild))
  return open ? { text: stem, isPrefix: open } : { text: stem, isPrefix: open, pattern: text }
}

/** Splits text into words. All characters but letters, digits and wildcards are separators. */
export function splitWords(text: string): SearchWord[] {
  return (removeEscapes(text).match(WORD) ?? []).map(makeWord)
}
