import { type Diagnostic, linter } from '@codemirror/lint'
import { askErrors } from './assist.ts'

/** Underlines what a query would be refused for. */
export const queryErrors = linter(
  async (view) => {
    const text = view.state.doc.toString()
    if (text.trim() === '') return []
    const errors = await askErrors(text)
    const { length } = view.state.doc
    const cursor = view.state.selection.main.head
    return errors.flatMap(({ message, start, end }): Diagnostic[] => {
      const from = Math.min(start, length)
      const to = Math.min(Math.max(end, start), length)
      // What is not written yet is not wrong: at the end, or before the next word, as in `SELECT Id, | FROM Account`.
      const isBefore = cursor <= from && text.slice(cursor, from).trim() === ''
      if (isBefore && (from === to || !/\w$/.test(text.slice(0, cursor)))) return []
      return [{ from, to, severity: 'error', message }]
    })
  },
  // Away from the cursor it is.
  { delay: 500, needsRefresh: ({ selectionSet }) => selectionSet },
)
