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
    '.cm-answer-link': { textDecoration: 'underline', cursor: 'pointer' },
    '.cm-placeholder': { color: 'var(--console-faint)' },
    '.cm-tooltip': {
      border: '1px solid var(--console-line)',
      borderRadius: '8px',
      backgroundColor: 'var(--console-raised)',
      color: 'var(--mantine-color-text)',
      boxShadow: 'var(--mantine-shadow-md)',
      overflow: 'hidden',
    },
    '.cm-tooltip-lint': { maxWidth: 'min(520px, 90vw)' },
    '.cm-diagnostic': { padding: '6px 10px', overflowWrap: 'anywhere' },
    '.cm-tooltip.cm-tooltip-autocomplete': { minWidth: '300px' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': {
      fontFamily: 'var(--mantine-font-family-monospace)',
      maxHeight: '17em',
      padding: '4px',
      maxWidth: 'min(640px, 92vw)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
      display: 'flex',
      alignItems: 'center',
      gap: '8px',
      padding: '2px 8px 2px 4px',
      lineHeight: '1.6',
      borderRadius: '5px',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'light-dark(#dfe7fb, #2c3f6e)',
      color: 'var(--mantine-color-text)',
    },
    '.cm-completionDetail': {
      marginLeft: 'auto',
      paddingLeft: '28px',
      fontFamily: 'var(--mantine-font-family)',
      fontStyle: 'normal',
      fontSize: '12px',
      color: 'var(--console-faint)',
      whiteSpace: 'nowrap',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
    },
    '.cm-badge': {
      flex: 'none',
      width: '18px',
      height: '18px',
      borderRadius: '4px',
      fontSize: '11px',
      fontWeight: '600',
      lineHeight: '18px',
      textAlign: 'center',
      color: 'light-dark(#24498a, #a9c2f7)',
      backgroundColor: 'light-dark(#e3ebfb, #26365c)',
    },
    '.cm-badge-object, .cm-badge-child, .cm-badge-relationship': {
      color: 'light-dark(#6b3fa0, #cbb0f5)',
      backgroundColor: 'light-dark(#efe6f9, #3b2a55)',
    },
    '.cm-badge-value': {
      color: 'light-dark(#1f6f43, #8fd3a6)',
      backgroundColor: 'light-dark(#def3e6, #1f3f2c)',
    },
    '.cm-badge-dateLiteral': {
      color: 'light-dark(#9a4a00, #f0b27a)',
      backgroundColor: 'light-dark(#fbe9d9, #4a3118)',
    },
    '.cm-badge-keyword, .cm-badge-function': {
      color: 'light-dark(#495057, #c6cbd2)',
      backgroundColor: 'light-dark(#eceef1, #33383f)',
    },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
    '.cm-panels': { backgroundColor: 'var(--console-raised)', color: 'var(--mantine-color-text)' },
  }),
]
