/** A piece of SQL: a quoted name, a quoted constant, a word, a number, a parameter or a sign. */
interface SqlToken {
  readonly kind: 'name' | 'constant' | 'word' | 'number' | 'parameter' | 'sign'
  /** Without its quotes. */
  readonly text: string
}

const TOKEN =
  /\s+|"(?<name>(?:[^"]|"")+)"|'(?<constant>(?:[^']|'')*)'|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b|(?<word>[a-z_]\w*)|(?<parameter>\$\d+)|(?<sign>::|\|\||&&|@>|[<>]=|[(),.=<>+\-*/%[\]])/giy

/** The tokens of a statement as PostgreSQL reads it; undefined when it has something that the compiler never writes. */
export function tokenize(sql: string): SqlToken[] | undefined {
  const tokens: SqlToken[] = []
  const token = new RegExp(TOKEN)
  while (token.lastIndex < sql.length) {
    const match = token.exec(sql)
    if (match === null) return undefined
    const [found] = Object.entries(match.groups!).filter(([, text]) => text !== undefined)
    if (found === undefined) continue
    const [kind, text] = found as [SqlToken['kind'], string]
    tokens.push({ kind, text: text.replaceAll(kind === 'name' ? '""' : "''", kind === 'name' ? '"' : "'") })
  }
  return tokens
}
