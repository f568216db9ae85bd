/** The identifiers, comments and test names of a source file. Each has the line on which it begins, counted from 1. */
export interface SourceWords {
  readonly identifiers: readonly Text[]
  readonly comments: readonly Text[]
  readonly testNames: readonly Text[]
}

export interface Text {
  readonly text: string
  readonly line: number
}

/** A regular expression begins where a value may begin, a division where one has ended. */
const BEFORE_EXPRESSION = /(?:^|[(,=:[!&|?{};+\-*%~<>]|\b(?:return|typeof|case|of|in))\s*$/
const TEST_CALL = /(?<!\.)\b(?:test|describe|suite)\(\s*$/

const TOKEN =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/.*)|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(?<expression>\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*)|(?<identifier>[\p{L}_$][\p{L}\p{N}_$]*)|(?<other>[\s\S])/uy

/** Text of a template up to its end or its next `${`. */
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y

/** Splits a source file; it needs no parser, because names, comments and strings are told apart by how they begin. */
export function readSource(source: string): SourceWords {
  const identifiers: Text[] = []
  const comments: Text[] = []
  const testNames: Text[] = []
  /** Of each template around the current position: how many braces are open inside its `${`. */
  const templates: number[] = []
  let line = 1
  let before = ''
  let position = 0

  const advance = (text: string) => {
    position += text.length
    for (const character of text) if (character === '\n') line++
  }

  const readTemplate = () => {
    TEMPLATE.lastIndex = position
    const text = TEMPLATE.exec(source)?.[0] ?? source.slice(position)
    if (TEST_CALL.test(before)) testNames.push({ text, line })
    advance(text)
    if (text.endsWith('${')) templates.push(0)
    before = text.endsWith('${') ? '(' : ')'
  }

  while (position < source.length) {
    TOKEN.lastIndex = position
    let { 0: text, groups = {} } = TOKEN.exec(source)!
    if (groups.expression !== undefined && !BEFORE_EXPRESSION.test(before)) {
      text = '/'
      groups = { other: text }
    }
    const start = line
    advance(text)
    if (groups.comment !== undefined) {
      comments.push({ text, line: start })
      continue
    }
    if (groups.identifier !== undefined) identifiers.push({ text, line: start })
    if (groups.string !== undefined && TEST_CALL.test(before)) testNames.push({ text, line: start })
    const depth = templates.at(-1)
    if (text === '`') {
      readTemplate()
      continue
    }
    if (depth !== undefined && text === '{') templates[templates.length - 1] = depth + 1
    if (depth !== undefined && text === '}') {
      if (depth === 0) {
        templates.pop()
        readTemplate()
        continue
      }
      templates[templates.length - 1] = depth - 1
    }
    // A few characters show what came before.
    before = groups.string === undefined ? (before + text).slice(-40) : `${before.slice(-30)})`
  }
  return { identifiers, comments, testNames }
}

/** `FIRST_ROWS` and `firstRows` are `first` and `rows`. */
export const splitIdentifier = (identifier: string): string[] =>
  identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
