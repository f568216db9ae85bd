import { closeCompletion, startCompletion } from '@codemirror/autocomplete'
import type { Command, EditorView } from '@codemirror/view'
import { askCompletions } from './assist.ts'
import { findSelected } from './find-selected.ts'

async function insert(view: EditorView): Promise<void> {
  const { state } = view
  const text = state.doc.toString()
  const position = state.selection.main.head
  const found = await askCompletions(text, position)
  // Something else was typed meanwhile.
  if (view.state.doc !== state.doc) return
  const before = text.slice(0, found?.start)
  const isList = found?.clause === 'select' && /(\bselect|\bthen|\belse|[,.])\s*$/i.test(before)
  const word = text.slice(found?.start, position).toLowerCase()
  const fields = (found?.items ?? []).filter(
    ({ kind, label }) => kind === 'field' && label.toLowerCase().includes(word),
  )
  if (found === undefined || !isList || fields.length === 0) {
    startCompletion(view)
    return
  }
  const { start, end } = found
  const path = /(\w+\.)+$/.exec(before)?.[0] ?? ''
  const selected = findSelected(text, start - path.length, end)
  const id = `${path}Id`
  const paths = fields
    .map(({ label }) => path + label)
    .filter((name) => !selected.has(name.toLowerCase()))
    // The id first, as people write it.
    .sort((a, b) => Number(b === id) - Number(a === id))
  closeCompletion(view)
  if (paths.length === 0) return
  const inserted = paths.join(', ')
  view.dispatch({
    changes: { from: start - path.length, to: end, insert: inserted },
    selection: { anchor: start - path.length + inserted.length },
    scrollIntoView: true,
    userEvent: 'input.complete',
  })
}

/** In a select list all fields that the caller sees, of which the word before the cursor is a part; elsewhere what may stand there. */
export const insertFields: Command = (view) => {
  void insert(view)
  return true
}
