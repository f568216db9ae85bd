import type { SearchWord } from '../soql/parse/search-expression.ts'

/** Letters and digits; beyond ASCII PostgreSQL decides what is one, the same way in records and in searches. */
const WORD = /[A-Za-z0-9*?\u{80}-\u{10ffff}]+/gu

/** A backslash makes the next character an ordinary one: of a word if it can be, else between words. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(.)/gsu, (_, character: string) =>
    /[A-Za-z0-9\u{80}-\u{10ffff}]/u.test(character) ? character : ' ',
  )
}

function wordOf(text: string): SearchWord {
  const wild = text.search(/[*?]/)
  if (wild < 0) return { text, open: false }
  const stem = text.slice(0, wild)
  const open = /^\*+$/.test(text.slice(wild))
  return open ? { text: stem, open } : { text: stem, open, pattern: text }
}

/** The words in a piece of a search text. What is neither letter, digit nor wildcard stands between words. */
export function splitWords(text: string): SearchWord[] {
  return (withoutEscapes(text).match(WORD) ?? []).map(wordOf)
}
