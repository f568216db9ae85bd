import { StreamLanguage } from '@codemirror/language'

/* Colours only: what a query means, the server's own parser says. */

const WORDS =
  /^(select|find|returning|from|where|and|or|not|in|like|includes|excludes|order|by|asc|desc|nulls|first|last|limit|offset|group|having|rollup|cube|using|scope|typeof|when|then|else|end|with|for|view|reference|update|tracking|viewstat|all|rows|fields|custom|standard|security_enforced|true|false|null)\b/i
const DATES = /^(last|this|next)_(n_)?\w+(:\d+)?\b|^(today|yesterday|tomorrow)\b/i

/** The query language and the search language. */
export const soqlLanguage = StreamLanguage.define<{ isInBraces: boolean }>({
  name: 'soql',
  startState: () => ({ isInBraces: false }),
  token(stream, state) {
    if (stream.eatSpace()) return null
    if (state.isInBraces) {
      if (stream.skipTo('}')) state.isInBraces = false
      else stream.skipToEnd()
      return 'string'
    }
    if (stream.eat('{')) {
      state.isInBraces = true
      return 'bracket'
    }
    if (stream.match(/^'(\\.|[^'\\])*'?/)) return 'string'
    if (stream.match(/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?/)) return 'number'
    if (stream.match(/^-?\d+(\.\d+)?/)) return 'number'
    if (stream.match(DATES)) return 'atom'
    if (stream.match(WORDS)) return 'keyword'
    if (stream.match(/^[a-z_]\w*(?=\s*\()/i)) return 'typeName'
    if (stream.match(/^[a-z_]\w*/i)) return 'variableName'
    if (stream.match(/^[=<>!]+/)) return 'operator'
    stream.next()
    return null
  },
  languageData: { closeBrackets: { brackets: ['(', "'", '{'] } },
})
