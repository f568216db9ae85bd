import type { ArgumentNode } from 'graphql'
import type { Context } from '../context.ts'
import type { ChildRelationship, ObjectType } from '../schema/object-type.ts'
import { askingOf } from '../soql/asking.ts'
import { whereOf } from '../soql/filter-place.ts'
import { both } from '../soql/make-filter.ts'
import type { FieldRef, RowsPlan, Source } from '../soql/plan.ts'
import { recordsOfScope } from '../soql/records-of-scope.ts'
import { readingOf } from '../soql/run-query.ts'
import { openStatement, Scope, type Statement } from '../soql/scope.ts'
import { type AskedChildren, type AskedRows, comesInPieces, querySql } from '../soql/statement.sql.ts'
import type { Row } from '../storage/db.ts'
import { type Reading, type Selected, setsOf } from './collect-fields.ts'
import { Columns } from './columns.ts'
import { type Connections, Records, refuseGrandchildren } from './limits.ts'
import { NodeCompiler } from './node-reader.ts'
import { orderingsOf } from './order.ts'
import { type Page, pageOf } from './page.ts'
import { pageReader, type ReadPage } from './page-reader.ts'
import type { NodeReading, Read } from './read-object.ts'
import { scopeNamed } from './types/scope-type.ts'
import { argumentsOf, type Variables } from './variables.ts'
import { whereFilter } from './where.ts'

/** A connection inside each record of another one. */
interface Children {
  readonly connection: Connection
  readonly column: number
  readonly reference: FieldRef
  readonly parent: Source
}

/** What the connections of one statement share while it is made. */
interface Making {
  readonly variables: Variables
  readonly statement: Statement
  readonly pages: Map<Connection, Page>
  readonly records: Records
}

const SHOWS = { rows: 'rows', total: 'total', both: 'both' } as const

/**
 * A connection field of a document. Its selection becomes columns and a reader of them once; its arguments become a plan
 * each time. It is one statement, whatever is nested in it. (contract/graphql 3)
 */
export class Connection {
  readonly #arguments: readonly ArgumentNode[] | undefined
  readonly #scope: Scope
  readonly #columns = new Columns()
  readonly #children: Children[] = []
  readonly #read: ReadPage
  readonly #shows: AskedChildren['shows']
  readonly #inside: boolean

  /**
   * @param outer the statement that it is part of, where it stands inside records
   * @throws ApiError when the document asks for more than it may
   */
  constructor(
    reading: Reading,
    object: ObjectType,
    selected: Selected,
    connections: Connections,
    outer?: Statement,
  ) {
    connections.add()
    const { types } = reading.schema
    this.#arguments = selected.nodes[0]!.arguments
    this.#inside = outer !== undefined
    this.#scope = new Scope(outer ?? openStatement('', types.schema, types.version), object)
    const nodes = new NodeCompiler({
      reading,
      scope: this.#scope,
      columns: this.#columns,
      compileChildren: ({ relationship, object: child }, inner, parent) => {
        if (this.#inside) throw refuseGrandchildren()
        const below = new Connection(reading, child, inner, connections, this.#scope.statement)
        return this.#addChildren(below, relationship, parent)
      },
    })
    const { read, needs } = pageReader(
      reading,
      { page: types.of(object, 'connection'), edge: types.of(object, 'edge') },
      setsOf(selected),
      (sets) => nodes.read(this.#scope.root, sets),
    )
    // A row has to be there to be counted.
    if (this.#columns.columns.length === 0) nodes.read(this.#scope.root, [])
    this.#read = read
    this.#shows = needs.total ? (needs.rows ? SHOWS.both : SHOWS.total) : SHOWS.rows
  }

  #addChildren(connection: Connection, { field }: ChildRelationship, parent: Source): Read {
    const column = this.#columns.reserve()
    const reference = { source: connection.#scope.root, field }
    this.#children.push({ connection, column, reference, parent })
    return (row, reading) => connection.#readValue(row[column] as unknown, reading)
  }

  /** Sends the statement and reads its page. */
  async run(ctx: Context, variables: Variables): Promise<unknown> {
    const pages = new Map<Connection, Page>()
    const statement = this.#scope.statement.fork()
    const asked = this.#ask({ variables, statement, pages, records: new Records() }, 1)
    const reading = { ...readingOf(ctx), pages }
    const page = pages.get(this)!
    const asking = askingOf(ctx, false)
    if (this.#shows === 'rows') {
      const rows = await ctx.db.rows(querySql.first(ctx.org, asked, asking, page.size + 1))
      return this.#read({ page, rows, total: undefined }, reading)
    }
    if (this.#shows === 'total') {
      const [row] = await ctx.db.rows(querySql.count(ctx.org, { ...asked.plan, offset: undefined }, asking))
      return this.#readValue(row![0], reading)
    }
    const [row] = await ctx.db.rows(querySql.firstWithTotal(ctx.org, asked, asking, page.size + 1))
    return this.#readValue(row, reading)
  }

  /** A page that came as one value. */
  #readValue(value: unknown, reading: NodeReading): unknown {
    const page = reading.pages.get(this)!
    if (this.#shows === 'total') return this.#read({ page, rows: [], total: value as number }, reading)
    if (this.#shows === 'rows') {
      return this.#read({ page, rows: this.#whole(value as readonly Row[]), total: undefined }, reading)
    }
    const [total, rows] = value as [number, readonly Row[]]
    return this.#read({ page, rows: this.#whole(rows), total }, reading)
  }

  #whole(rows: readonly Row[]): readonly Row[] {
    return comesInPieces(this.#columns) ? rows.map((row) => row.flat() as unknown as Row) : rows
  }

  /**
   * What is asked for, with the values that the arguments have now.
   * @param times in how many records it stands
   */
  #ask(making: Making, times: number): AskedRows {
    const {
      where = {},
      orderBy = {},
      scope: whose,
      ...paging
    } = argumentsOf(this.#arguments, making.variables)
    const page = pageOf(paging)
    making.pages.set(this, page)
    if (this.#shows !== 'total') making.records.add(page.size * times)
    const scope = this.#scope.fork(making.statement)
    const filter = both(
      whereFilter(where as Variables, whereOf(scope, this.#inside ? 'child' : 'where')),
      typeof whose === 'string' ? recordsOfScope(scopeNamed(whose), scope) : undefined,
    )
    const orderings = orderingsOf(scope.root, orderBy as Variables, scope)
    const plan: RowsPlan = {
      sources: scope.sources,
      filter,
      orderings,
      offset: page.start === 0 ? undefined : page.start,
    }
    const children = this.#children.map(({ connection, column, reference, parent }): AskedChildren => {
      const asked = connection.#ask(making, times * page.size)
      const { size } = making.pages.get(connection)!
      const below = { ...asked.plan, reference, parent }
      return { ...asked, plan: below, column, most: size + 1, shows: connection.#shows }
    })
    return { plan, shape: this.#columns, children }
  }
}
