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
      // A query that is not finished yet is not wrong.
      if (from === to && cursor === from) return []
      return [{ from, to, severity: 'error', message }]
    })
  },
  { delay: 500 },
)
