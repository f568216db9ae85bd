import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'light-dark(#2f4fa3, #9db6f5)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'light-dark(#1f6f43, #8fd3a6)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'light-dark(#9a4a00, #f0b27a)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'light-dark(#24498a, #a9c2f7)' },
  { tag: [tags.typeName, tags.className], color: 'light-dark(#6b3fa0, #cbb0f5)' },
  { tag: [tags.comment], color: 'var(--console-faint)', fontStyle: 'italic' },
])

/** The editors in the colours of the page, in both schemes. */
export const editorTheme = [
  syntaxHighlighting(colours),
  EditorView.theme({
    '&': {
      fontSize: '13.5px',
      height: '100%',
      backgroundColor: 'transparent',
      color: 'var(--mantine-color-text)',
    },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
    '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
    '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
    '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--console-faint)' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'light-dark(#0000000a, #ffffff0a)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'light-dark(#cfdcf8, #35476b) !important',
    },
    '.cm-placeholder': { color: 'var(--console-faint)' },
    '.cm-tooltip': {
      border: '1px solid var(--console-line)',
      borderRadius: '8px',
      backgroundColor: 'var(--console-raised)',
      color: 'var(--mantine-color-text)',
      boxShadow: 'var(--mantine-shadow-md)',
      overflow: 'hidden',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': {
      fontFamily: 'var(--mantine-font-family-monospace)',
      maxHeight: '16em',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '1.5' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--mantine-primary-color-filled)',
      color: '#fff',
    },
    '.cm-completionDetail': { fontStyle: 'normal', opacity: '.75', marginLeft: '1.2em' },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
    '.cm-panels': { backgroundColor: 'var(--console-raised)', color: 'var(--mantine-color-text)' },
  }),
]
