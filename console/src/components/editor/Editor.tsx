import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { linter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import {
  type Command,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../style-nonce.ts'
import { endLine, queryCompletion } from './complete-query.ts'
import { insertFields } from './insert-fields.ts'
import { queryErrors } from './query-errors.ts'
import { soqlLanguage } from './soql-language.ts'
import { editorTheme } from './theme.ts'

type EditorLanguage = 'soql' | 'sosl' | 'json' | 'plain'

const jsonErrors = linter((view) => (view.state.doc.toString().trim() === '' ? [] : jsonParseLinter()(view)))

const LANGUAGES: Readonly<Record<EditorLanguage, Extension>> = {
  soql: [
    soqlLanguage,
    Prec.high(
      keymap.of([
        { key: 'Ctrl-Space', run: insertFields },
        { key: 'Enter', run: endLine },
      ]),
    ),
    queryCompletion,
    queryErrors,
  ],
  sosl: [soqlLanguage],
  json: [json(), jsonErrors, keymap.of([indentWithTab])],
  plain: [],
}

/** Tab takes the first suggestion, and waits for the one that was asked for. Without any it does what it does elsewhere. */
const takeSuggestion: Command = (view) => acceptCompletion(view) || completionStatus(view.state) === 'pending'

/**
 * Handles text that is typed over a selection. Chromium would make an element with the style of what it replaces, which the policy of the
 * page forbids, and says so.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main
    const { data } = event
    if (event.inputType !== 'insertText' || data === null || empty || view.composing || view.state.readOnly)
      return false
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' })
    event.preventDefault()
    if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert)))
      view.dispatch(insert())
    return true
  },
})

interface Shown {
  readonly value: string
  readonly label: string
  readonly language: EditorLanguage
  readonly onChange?: ((value: string) => void) | undefined
  /** Ctrl+Enter; of what is selected, where something is. */
  readonly onRun?: ((selected: string | undefined) => void) | undefined
  /** In place of the language's own: for a language that a screen loads itself. */
  readonly extensions?: Extension | undefined
  readonly placeholder?: string
  readonly hasNumbers?: boolean
  readonly autoFocus?: boolean
  /** Called with the view, to move its cursor. */
  readonly onReady?: ((view: EditorView) => void) | undefined
}

/** A text editor. Whoever shows another text gives the element another `key`. */
export function Editor(shown: Shown) {
  const {
    value,
    label,
    language,
    extensions,
    placeholder = '',
    hasNumbers = true,
    autoFocus = false,
    onReady,
  } = shown
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(shown)
  latest.current = shown
  const compartment = useRef(new Compartment())

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for the life of the element
  useEffect(() => {
    const run = () => {
      const { onRun } = latest.current
      if (onRun === undefined || view.current === null) return false
      const { from, to } = view.current.state.selection.main
      onRun(from === to ? undefined : view.current.state.sliceDoc(from, to))
      return true
    }
    const isReadOnly = latest.current.onChange === undefined
    const made = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        // Where writing goes on.
        selection: { anchor: autoFocus ? value.length : 0 },
        extensions: [
          EditorView.cspNonce.of(styleNonce),
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run, preventDefault: true }])),
          keymap.of([
            { key: 'Tab', run: takeSuggestion },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...lintKeymap,
          ]),
          history(),
          typeOver,
          bracketMatching(),
          closeBrackets(),
          indentOnInput(),
          highlightSelectionMatches(),
          ...(hasNumbers ? [lineNumbers(), highlightActiveLine()] : []),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          // axe does not count editable text as focusable, which what scrolls has to be.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          placeholderText(placeholder),
          compartment.current.of(extensions ?? LANGUAGES[language]),
          editorTheme,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    if (autoFocus) made.focus()
    onReady?.(made)
    return () => made.destroy()
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: compartment.current.reconfigure(extensions ?? LANGUAGES[language]) })
  }, [language, extensions])

  // A text that came from elsewhere, as of a template.
  useEffect(() => {
    const made = view.current
    if (made === null || made.state.doc.toString() === value) return
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: value } })
  }, [value])

  return <div ref={host} style={{ height: '100%', minHeight: 0, overflow: 'hidden' }} />
}
