import type { Completion } from '@codemirror/autocomplete'

/** A letter for each kind; the colours are in the theme. */
const LETTERS: Readonly<Record<string, string>> = {
  object: 'O',
  field: 'F',
  relationship: 'R',
  child: 'C',
  function: 'ƒ',
  keyword: 'K',
  dateLiteral: 'D',
  value: 'V',
}

const WORDS: Readonly<Record<string, string>> = {
  child: 'child relationship',
  dateLiteral: 'date',
}

/** Draws the kind of a suggestion. */
export function badge({ type = '' }: Completion): Node {
  const element = document.createElement('span')
  element.className = `cm-badge cm-badge-${type}`
  element.textContent = LETTERS[type] ?? ''
  element.title = WORDS[type] ?? type
  return element
}
