/** How a statement is carried out. */
interface SqlTraits {
  readonly isReplanned?: boolean
  readonly isForNode?: boolean
  readonly isLong?: boolean
}

/**
 * SQL as a value: text pieces and the values between them. Values never become text, so input from clients
 * cannot become SQL. Only `*.sql.ts` files and migrations write SQL (a test checks this).
 */
export class Sql {
  /** One more piece than values: piece, value, piece, value, ..., piece. */
  readonly pieces: readonly string[]
  readonly values: readonly unknown[]
  /**
   * True if PostgreSQL should plan the statement for its values each time, because no single plan suits all of them. A
   * statement that contains it inherits this.
   */
  readonly isReplanned: boolean
  /**
   * True for a write that the node of its org may carry out by itself in a cluster: it takes no numbers from counters, which the
   * coordinator has. A statement that contains it does not inherit this: its other parts may take some.
   */
  readonly isForNode: boolean
  /** True for a statement that the database, and not the driver, sets a time limit for. */
  readonly isLong: boolean
  #text: string | undefined

  constructor(
    pieces: readonly string[],
    values: readonly unknown[],
    text?: string,
    { isReplanned = false, isForNode = false, isLong = false }: SqlTraits = {},
  ) {
    this.pieces = pieces
    this.values = values
    this.isReplanned = isReplanned
    this.isForNode = isForNode
    this.isLong = isLong
    this.#text = text
  }

  /** The statement as PostgreSQL expects it, with `$1`, `$2`, ... for the values. */
  get text(): string {
    if (this.#text === undefined) {
      let text = this.pieces[0]!
      for (let i = 1; i < this.pieces.length; i++) text += `$${i}${this.pieces[i]}`
      this.#text = text
    }
    return this.#text
  }

  /** The same statement with other values; reuses its text. */
  with(values: readonly unknown[]): Sql {
    if (values.length !== this.values.length) throw new RangeError('a statement keeps its number of values')
    return new Sql(this.pieces, values, this.text, this)
  }

  /** The same statement, planned for its values each time. */
  replanned(): Sql {
    return this.#having({ isReplanned: true })
  }

  /**
   * The same statement, which the node of its org may carry out by itself.
   * @param parts statements in it, which must be such; absent: there are no others
   */
  forNode(parts: readonly Sql[] = []): Sql {
    return parts.every(({ isForNode }) => isForNode) ? this.#having({ isForNode: true }) : this
  }

  /** The same statement, which takes as long as the database lets it. */
  long(): Sql {
    return this.#having({ isLong: true })
  }

  #having(more: SqlTraits): Sql {
    const { isReplanned, isForNode, isLong } = this
    return new Sql(this.pieces, this.values, this.text, { isReplanned, isForNode, isLong, ...more })
  }
}

function compose(strings: readonly string[], parts: readonly unknown[]): Sql {
  const pieces: string[] = [strings[0]!]
  const values: unknown[] = []
  let isReplanned = false
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    const next = strings[i + 1]!
    if (part instanceof Sql) {
      isReplanned ||= part.isReplanned
      pieces[pieces.length - 1] += part.pieces[0]!
      for (let j = 0; j < part.values.length; j++) {
        values.push(part.values[j])
        pieces.push(part.pieces[j + 1]!)
      }
      pieces[pieces.length - 1] += next
    } else {
      values.push(part)
      pieces.push(next)
    }
  }
  return new Sql(pieces, values, undefined, { isReplanned })
}

/** `sql\`select ${value} from ${sql.id('account')}\``: a part that is an `Sql` is inserted as SQL, any other is a value. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  return compose(strings, parts)
}

/** A quoted identifier; several names make a qualified one. */
sql.id = (...names: readonly string[]): Sql => new Sql([quoteIdentifier(...names)], [])

/** Text that is already SQL. Never for input from outside. */
sql.raw = (text: string): Sql => new Sql([text], [])

/** Several statements or expressions with a separator between them. */
sql.join = (parts: readonly Sql[], separator = ', '): Sql => {
  if (parts.length === 0) return sql.raw('')
  const strings = ['', ...Array(parts.length - 1).fill(separator), '']
  return compose(strings, parts)
}

/** A statement that a library generated, with `$1`, `$2`, ... for its values. */
export const written = (text: string, values: readonly unknown[]): Sql => new Sql([], values, text)

/** `"org_1"."account"`; a quote inside a name is doubled. */
export function quoteIdentifier(...names: readonly string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')
}

/** A text constant for DDL, which takes no parameters (`default 'x'`). */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
