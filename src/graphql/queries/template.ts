import { quoteJson } from '../../base/json.ts'
import type { DecodeContext } from '../../schema/snapshot/record-format.sql.ts'
import type { Row } from '../../storage/database/db.ts'
import type { Page } from './page.ts'

/** What a writer needs beyond the row. */
export interface NodeDecodeContext extends DecodeContext {
  /** The page that each connection of the statement was asked for. */
  readonly pages: ReadonlyMap<object, Page>
}

/** Writes one value of a row as JSON. */
export type Write = (row: Row, decodeContext: NodeDecodeContext) => string

/**
 * JSON with holes: the text around values is made once for a selection, and each row fills in what it has. That is
 * faster than an object for each record, each wrapper and each edge, which would then be turned into the same text.
 */
export class Template {
  /** One more than holes: piece, value, piece, ..., piece. */
  readonly #pieces: readonly string[]
  readonly #holes: readonly Write[]

  private constructor(pieces: readonly string[], holes: readonly Write[]) {
    this.#pieces = pieces
    this.#holes = holes
  }

  /** The same for every row. */
  static constant(value: unknown): Template {
    return new Template([JSON.stringify(value)], [])
  }

  static hole(write: Write): Template {
    return new Template(['', ''], [write])
  }

  /** An object with members in their order. */
  static object(members: readonly (readonly [string, Template])[]): Template {
    const pieces = ['{']
    const holes: Write[] = []
    for (const [index, [key, template]] of members.entries()) {
      const [first, ...others] = template.#pieces as [string, ...string[]]
      pieces[pieces.length - 1] += `${index === 0 ? '' : ','}${JSON.stringify(key)}:${first}`
      pieces.push(...others)
      holes.push(...template.#holes)
    }
    pieces[pieces.length - 1] += '}'
    return new Template(pieces, holes)
  }

  /** Null where `isNull` says so. */
  nullable(isNull: (row: Row) => boolean): Template {
    return Template.hole((row, decodeContext) => (isNull(row) ? 'null' : this.write(row, decodeContext)))
  }

  write(row: Row, decodeContext: NodeDecodeContext): string {
    const pieces = this.#pieces
    const holes = this.#holes
    let text = pieces[0]!
    for (let i = 0; i < holes.length; i++) text += holes[i]!(row, decodeContext) + pieces[i + 1]!
    return text
  }
}

/** A value of a row that may be any text. */
export const quoted =
  (column: number): Write =>
  (row) => {
    const value = row[column]
    return value === null ? 'null' : quoteJson(value as string)
  }

/** A value of a row whose text needs no escapes: an id, a day. */
export const plainText =
  (column: number): Write =>
  (row) => {
    const value = row[column]
    return value === null ? 'null' : `"${value}"`
  }

/** A number or a boolean of a row. */
export const bare =
  (column: number): Write =>
  (row) =>
    String(row[column])
