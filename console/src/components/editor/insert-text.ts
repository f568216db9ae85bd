import type { EditorView } from '@codemirror/view'
import type { Inserted } from '../schema/inserted.ts'
import { findSelected } from './find-selected.ts'

const CLAUSES = /\b(select|from|where|order|group|having|limit|offset|returning)\b/gi

/** The clause that the end of a text is in, in lower case. */
const clauseOf = (text: string) => text.match(CLAUSES)?.at(-1)?.toLowerCase()

/** Where the select list of the outer query ends. */
function endOfSelectList(text: string): number | undefined {
  // Child queries have clauses of their own.
  const outer = text.replaceAll(/\([^()]*\)/g, (found) => ' '.repeat(found.length))
  return /^\s*select\b/i.test(outer) ? /\s+from\b/i.exec(outer)?.index : undefined
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Where a name belongs: at the cursor; behind FROM, a field is one more of the select list, as a child query is everywhere. */
function findPlace(text: string, from: number, to: number, { kind }: Inserted): [number, number] {
  const clause = clauseOf(text.slice(0, from))
  const isListed = kind === 'children' ? clause !== 'select' : kind === 'field' && clause === 'from'
  const end = isListed ? endOfSelectList(text) : undefined
  return end === undefined ? [from, to] : [end, end]
}

/** Inserts something of the schema into a query, with the commas and blanks that part it from its neighbours. */
export function insertIntoQuery(view: EditorView, inserted: Inserted): void {
  const { kind } = inserted
  const text = view.state.doc.toString()
  const { main } = view.state.selection
  const isFirst = text.trim() === '' && kind === 'object'
  const [from, to] = isFirst ? [0, text.length] : findPlace(text, main.from, main.to, inserted)
  const before = text.slice(0, from)
  const after = text.slice(to)
  view.focus()
  const isList = kind !== 'value' && clauseOf(before) === 'select'
  if (isList && findSelected(text, from, to).has(inserted.text.toLowerCase())) return
  const name = isFirst
    ? `SELECT Id FROM ${inserted.text}`
    : kind === 'value'
      ? quote(inserted.text)
      : inserted.text
  const isNext = isList && !/(\bselect|[,(])\s*$/i.test(before)
  const start = isNext ? ', ' : /[\w)'"=<>,]$/.test(before) ? ' ' : ''
  const goesOn = isList && /^\s*[\w(]/.test(after) && !/^\s*from\b/i.test(after)
  const end = goesOn ? ', ' : /^[\w(]/.test(after) ? ' ' : ''
  // A blank before the cursor would stand before the comma.
  const blanks = isNext ? (/\s*$/.exec(before)?.[0].length ?? 0) : 0
  const insert = start + name + end
  view.dispatch({
    changes: { from: from - blanks, to, insert },
    selection: { anchor: from - blanks + insert.length },
    scrollIntoView: true,
    userEvent: 'input.complete',
  })
}

/** Inserts it into a body of JSON: names and values in quotation marks. */
export function insertIntoJson(view: EditorView, { kind, text }: Inserted): void {
  const { from, to } = view.state.selection.main
  const insert = kind === 'field' ? `${JSON.stringify(text)}: ` : JSON.stringify(text)
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.complete',
  })
  view.focus()
}
