import { type JsonWriter, quoteJson } from '../../base/json.ts'
import type { DecodeContext } from '../../schema/snapshot/record-format.sql.ts'
import type { Row } from '../../storage/database/db.ts'
import type { Page } from './page.ts'

/** The context for writing rows. */
export interface NodeDecodeContext extends DecodeContext {
  /** The requested page of each connection in the statement. */
  readonly pages: ReadonlyMap<object, Page>
}

/** Writes one value of a row as JSON. */
export type Write = (row: Row, decodeContext: NodeDecodeContext) => string

/**
 * JSON with placeholders: the text around values is made once per selection, and each row fills in its values. That is
 * faster than building an object for each record, wrapper and edge and serializing it.
 */
export class Template {
  /** The texts around the holes; one more than holes. */
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

  /** Null for rows where `isNull` returns true. */
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

  /** The same, where a value may be as long as a whole answer. */
  writeTo(writer: JsonWriter, row: Row, decodeContext: NodeDecodeContext): void {
    const pieces = this.#pieces
    const holes = this.#holes
    writer.add(pieces[0]!)
    for (let i = 0; i < holes.length; i++) writer.add(holes[i]!(row, decodeContext) + pieces[i + 1]!)
  }
}

/** A value of a row that may be any text. */
export const writeQuoted =
  (column: number): Write =>
  (row) => {
    const value = row[column]
    return value === null ? 'null' : quoteJson(value as string)
  }

/** A value of a row whose text needs no escapes: an id, a day. */
export const writePlainText =
  (column: number): Write =>
  (row) => {
    const value = row[column]
    return value === null ? 'null' : `"${value}"`
  }

/** A number or a boolean of a row. */
export const writeBare =
  (column: number): Write =>
  (row) =>
    String(row[column])
