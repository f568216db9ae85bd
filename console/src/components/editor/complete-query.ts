import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionStatus,
  currentCompletions,
  pickedCompletion,
  selectedCompletionIndex,
  startCompletion,
} from '@codemirror/autocomplete'
import type { Command, EditorView } from '@codemirror/view'
import type { Completion as Suggestion } from '../../../../src/soql/assist/assistance.ts'
import { askCompletions } from './assist.ts'
import { badge } from './completion-badge.ts'
import { findSelected } from './find-selected.ts'

/** A suggestion of the list. */
interface Offer extends Completion {
  readonly suggestion: Suggestion
}

/** As many items as the server gives: there may be more. */
const MAX_ITEMS = 500

const KINDS: readonly Suggestion['kind'][] = [
  'value',
  'dateLiteral',
  'field',
  'object',
  'relationship',
  'child',
  'function',
  'keyword',
]

/** Fields that most queries have stand first where nothing is typed yet. */
const FIRST = ['Id', 'Name']

/** How well a suggestion fits what is typed, the best first; undefined: not at all. */
function rank({ label, detail }: Suggestion, typed: string): number | undefined {
  const name = label.toLowerCase()
  if (name === typed) return 0
  const place = name.indexOf(typed)
  if (place === 0) return 1
  // A word within: `Amount` of `ExpectedAmount`, `date` of `Start_date`.
  if (place > 0) return /[A-Z_]/.test(label[place]!) || label[place - 1] === '_' ? 2 : 3
  return typed.length > 1 && detail.toLowerCase().includes(typed) ? 4 : undefined
}

function order(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  const first = ({ label }: Suggestion) => (FIRST.includes(label) ? FIRST.indexOf(label) : FIRST.length)
  return suggestions
    .map((suggestion) => ({ suggestion, fits: rank(suggestion, typed) }))
    .filter(({ fits }) => fits !== undefined)
    .sort(
      (a, b) =>
        a.fits! - b.fits! ||
        KINDS.indexOf(a.suggestion.kind) - KINDS.indexOf(b.suggestion.kind) ||
        first(a.suggestion) - first(b.suggestion),
    )
    .map(({ suggestion }) => suggestion)
}

/** Where the cursor goes, from the beginning of what is written: into a function, behind the first field of a child query. */
function cursorIn({ kind, insert }: Suggestion): number {
  if (kind === 'child') return /^\(SELECT Id/.exec(insert)?.[0].length ?? insert.length
  return kind === 'function' && insert.endsWith('()') ? insert.length - 1 : insert.length
}

const apply = (view: EditorView, offer: Completion, from: number, to: number) => {
  const { suggestion } = offer as Offer
  view.dispatch({
    changes: { from, to, insert: suggestion.insert },
    selection: { anchor: from + cursorIn(suggestion) },
    scrollIntoView: true,
    userEvent: 'input.complete',
    annotations: pickedCompletion.of(offer),
  })
  // One of its fields comes next.
  if (suggestion.kind === 'relationship') startCompletion(view)
}

const offer = (suggestion: Suggestion): Offer => {
  const { label, kind, detail } = suggestion
  return { label, type: kind, apply, suggestion, ...(detail !== '' && detail !== label && { detail }) }
}

/** Without the quotation mark that it begins with. */
const wordOf = (typed: string) => typed.replace(/^'/, '').toLowerCase()

function makeResult(
  found: readonly Suggestion[],
  asked: string,
  range: { readonly from: number; readonly to: number; readonly typed: string },
): CompletionResult {
  const typed = wordOf(range.typed)
  return {
    from: range.from,
    to: range.to,
    filter: false,
    options: order(found, typed).map(offer),
    getMatch: ({ label }) => {
      const place = typed === '' ? -1 : label.toLowerCase().indexOf(typed)
      return place < 0 ? [] : [place, place + typed.length]
    },
    // Further letters narrow what is here; the server is asked again when there may be more.
    update: (_current, from, to, { state, pos }) => {
      const now = state.sliceDoc(from, pos)
      const isNarrower = /^('[^']*|\w*)$/.test(now) && wordOf(now).startsWith(asked)
      if (!isNarrower || found.length >= MAX_ITEMS) return null
      return makeResult(found, asked, { from, to, typed: now })
    },
  }
}

async function completeQuery(context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context
  if (!explicit && context.matchBefore(/[\w.'(]|\s/) === null) return null
  const abort = new AbortController()
  context.addEventListener('abort', () => abort.abort(), { onDocChange: true })
  const text = state.doc.toString()
  const found = await askCompletions(text, pos, abort.signal)
  if (found === undefined || context.aborted) return null
  const { start, end, clause } = found
  const path = /(\w+\.)*$/.exec(text.slice(0, start))![0]
  const selected = clause === 'select' ? findSelected(text, start - path.length, end) : new Set()
  const items = found.items.filter(({ label }) => !selected.has((path + label).toLowerCase()))
  const typed = state.sliceDoc(start, pos)
  // Words that may follow are no help to somebody who has not begun to type one. An empty list, because null would also swallow a list
  // that was asked for meanwhile.
  if (!explicit && typed === '' && items.every(({ kind }) => kind === 'keyword'))
    return { from: pos, options: [] }
  return makeResult(items, wordOf(typed), { from: start, to: end, typed })
}

/** Behind a space, or a word that is whole, Enter ends the line, unless a suggestion was chosen. */
export const endLine: Command = (view) => {
  const { state } = view
  const before = state.sliceDoc(0, state.selection.main.head)
  const word = /[\w.']*$/.exec(before)![0]
  const isChosen = (selectedCompletionIndex(state) ?? 0) > 0
  const isWhole = word === '' || currentCompletions(state)[0]?.label === word
  if (completionStatus(state) === 'active' && !isChosen && isWhole) closeCompletion(view)
  return false
}

export const queryCompletion = autocompletion({
  override: [completeQuery],
  activateOnTypingDelay: 120,
  // Who types fast means the suggestion that has just come.
  interactionDelay: 0,
  icons: false,
  // The keys are those of the editor.
  defaultKeymap: false,
  addToOptions: [{ render: badge, position: 20 }],
})
