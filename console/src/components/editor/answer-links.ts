import { json } from '@codemirror/lang-json'
import type { EditorState, Extension } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { formatAddress } from '../../address.ts'
import { objectOfId } from '../../api/describe.ts'

/** A text of JSON that is an id, or the address of a call. */
const LINK = /"(\w{15}|\w{18}|\/services\/data\/v\d[^"\\\s]*)"/g

const CONSOLE = '/console'

/** Where a text of an answer leads to in the console: to a record, or to a call; undefined if nowhere. */
function addressOf(text: string): string | undefined {
  if (text.startsWith('/')) return `${CONSOLE}/explorer${formatAddress({ path: text })}`
  const object = objectOfId(text)
  return object === undefined ? undefined : `${CONSOLE}/records/${object}/${text}`
}

const decorator = new MatchDecorator({
  regexp: LINK,
  decorate(add, from, _to, [, text]) {
    const href = addressOf(text!)
    if (href === undefined) return
    const attributes = { href, title: text!.startsWith('/') ? 'Open the call' : 'Open the record' }
    add(
      from + 1,
      from + 1 + text!.length,
      Decoration.mark({ tagName: 'a', class: 'console-link cm-answer-link', attributes }),
    )
  },
})

const links = ViewPlugin.fromClass(
  class {
    shown: DecorationSet
    constructor(view: EditorView) {
      this.shown = decorator.createDeco(view)
    }
    update(update: ViewUpdate) {
      this.shown = decorator.updateDeco(update, this.shown)
    }
  },
  { decorations: (plugin) => plugin.shown },
)

/** The address that the cursor is in. */
function addressAtCursor({ doc, selection }: EditorState): string | undefined {
  const { main } = selection
  const line = doc.lineAt(main.head)
  for (const { 1: text, index } of line.text.matchAll(LINK)) {
    const from = line.from + index
    if (main.head >= from && main.head <= from + text!.length + 2) return addressOf(text!)
  }
  return undefined
}

/** JSON whose ids lead to records and whose addresses lead to calls, by a click or by Enter where the cursor is. */
export function answerLinks(follow: (address: string) => void): Extension {
  return [
    json(),
    links,
    EditorView.domEventHandlers({
      click(event, view) {
        const link = event.target instanceof Element ? event.target.closest('a') : null
        // Text that was selected is wanted as text.
        if (link === null || event.button !== 0 || !view.state.selection.main.empty) return false
        event.preventDefault()
        const address = link.getAttribute('href')!
        if (event.ctrlKey || event.metaKey || event.shiftKey) window.open(address, '_blank', 'noopener')
        else follow(address)
        return true
      },
    }),
    keymap.of([
      {
        key: 'Enter',
        run({ state }) {
          const address = addressAtCursor(state)
          if (address !== undefined) follow(address)
          return address !== undefined
        },
      },
    ]),
  ]
}
