import type { ArgumentNode } from 'graphql'
import { Remembered } from '../base/remembered.ts'
import type { Context } from '../context.ts'
import type { ChildRelationship, ObjectType } from '../schema/object-type.ts'
import { askingOf } from '../soql/asking.ts'
import { checkColumns } from '../soql/compile.ts'
import { whereOf } from '../soql/filter-place.ts'
import { keepStatement, type Statements } from '../soql/keep-statement.ts'
import type { FieldRef, RowsPlan, Source } from '../soql/plan.ts'
import { readingOf } from '../soql/run-query.ts'
import { openStatement, Scope, type Statement } from '../soql/scope.ts'
import { type AskedChildren, type AskedRows, comesInPieces, querySql } from '../soql/statement.sql.ts'
import type { Row } from '../storage/db.ts'
import { type Reading, type Selected, setsOf } from './collect-fields.ts'
import { Columns } from './columns.ts'
import { type Connections, Records, refuseGrandchildren } from './limits.ts'
import { idOf, NodeTemplates } from './node-template.ts'
import { orderingsOf } from './order.ts'
import { type Page, pageOf } from './page.ts'
import { pageWriter, type WritePage } from './page-writer.ts'
import { type NodeReading, Template } from './template.ts'
import { argumentsOf, namesVariable, type Variables } from './variables.ts'
import { wantedRecords } from './wanted-records.ts'

/** A connection inside each record of another one. */
interface Children {
  readonly connection: Connection
  readonly column: number
  readonly reference: FieldRef
  readonly parent: Source
}

/** The arguments of a connection, and of those inside its records. */
interface Arguments {
  readonly own: Variables
  readonly children: readonly Arguments[]
}

/** What the connections of one statement share while it is made. */
interface Making {
  readonly statement: Statement
  readonly pages: Map<Connection, Page>
  readonly records: Records
}

/** What is asked for with certain arguments. */
interface Ready {
  readonly asked: AskedRows
  readonly pages: ReadonlyMap<Connection, Page>
  readonly statements: Statements
}

/** How many sets of arguments are remembered, and how long the text of one may be. */
const MOST_REMEMBERED = 50
const LONGEST_KEY = 2000

/**
 * A connection field of a document. Its selection becomes columns and a template of them once; its arguments become a plan
 * each time. It is one statement, whatever is nested in it. (docs/reference/api/graphql.md#records)
 */
export class Connection {
  readonly #arguments: readonly ArgumentNode[] | undefined
  readonly #scope: Scope
  readonly #columns = new Columns()
  readonly #children: Children[] = []
  readonly #write: WritePage
  readonly #shows: AskedChildren['shows']
  readonly #inside: boolean
  /** What is asked for, where that is always the same; else what was asked for lately. */
  #always: Ready | undefined
  readonly #remembered = new Remembered<Ready>(MOST_REMEMBERED)

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
    const nodes = new NodeTemplates({
      reading,
      scope: this.#scope,
      columns: this.#columns,
      compileChildren: ({ relationship, object: child }, inner, parent) => {
        if (this.#inside) throw refuseGrandchildren()
        const below = new Connection(reading, child, inner, connections, this.#scope.statement)
        return this.#addChildren(below, relationship, parent)
      },
    })
    const { write, needs } = pageWriter(
      reading,
      { page: types.of(object, 'connection'), edge: types.of(object, 'edge') },
      setsOf(selected),
      (sets) => nodes.record(this.#scope.root, sets),
    )
    // A row has to be there to be counted.
    if (this.#columns.columns.length === 0) this.#columns.place(idOf(this.#scope.root))
    checkColumns(this.#columns.columns.length)
    this.#write = write
    this.#shows = !needs.total ? 'rows' : needs.rows ? 'both' : 'total'
  }

  #addChildren(connection: Connection, { field }: ChildRelationship, parent: Source): Template {
    const column = this.#columns.reserve()
    const reference = { source: connection.#scope.root, field }
    this.#children.push({ connection, column, reference, parent })
    return Template.hole((row, reading) => connection.#writeValue(row[column] as unknown, reading))
  }

  /** Sends the statement and writes its page as JSON. */
  async run(ctx: Context, variables: Variables): Promise<string> {
    const { asked, pages, statements } = this.#ready(variables)
    const reading = { ...readingOf(ctx), pages }
    const page = pages.get(this)!
    const { org } = ctx
    const rows = await ctx.db.rows(
      keepStatement(statements, org.schemaName, askingOf(ctx, false), (asking) => {
        if (this.#shows === 'total') return querySql.count(org, { ...asked.plan, offset: undefined }, asking)
        const most = page.size + 1
        if (this.#shows === 'rows') return querySql.first(org, asked, asking, most)
        return querySql.firstWithTotal(org, asked, asking, most)
      }),
    )
    if (this.#shows === 'rows') return this.#write({ page, rows, total: undefined }, reading)
    return this.#writeValue(this.#shows === 'total' ? rows[0]![0] : rows[0], reading)
  }

  #argumentsOf(variables: Variables): Arguments {
    return {
      own: argumentsOf(this.#arguments, variables),
      children: this.#children.map(({ connection }) => connection.#argumentsOf(variables)),
    }
  }

  /** Whether what is asked for changes with the variables. */
  #varies(): boolean {
    return (
      (this.#arguments ?? []).some(({ value }) => namesVariable(value)) ||
      this.#children.some(({ connection }) => connection.#varies())
    )
  }

  #ready(variables: Variables): Ready {
    if (this.#always !== undefined) return this.#always
    const args = this.#argumentsOf(variables)
    const make = (): Ready => {
      const pages = new Map<Connection, Page>()
      const statement = this.#scope.statement.fork()
      const asked = this.#ask({ statement, pages, records: new Records() }, args, 1)
      return { asked, pages, statements: new Map() }
    }
    if (!this.#varies()) {
      this.#always = make()
      return this.#always
    }
    const key = JSON.stringify(args)
    return key.length > LONGEST_KEY ? make() : this.#remembered.of(key, make)
  }

  /** A page that came as one value. */
  #writeValue(value: unknown, reading: NodeReading): string {
    const page = reading.pages.get(this)!
    if (this.#shows === 'total') return this.#write({ page, rows: [], total: value as number }, reading)
    if (this.#shows === 'rows') {
      return this.#write({ page, rows: this.#whole(value as readonly Row[]), total: undefined }, reading)
    }
    const [total, rows] = value as [number, readonly Row[]]
    return this.#write({ page, rows: this.#whole(rows), total }, reading)
  }

  #whole(rows: readonly Row[]): readonly Row[] {
    return comesInPieces(this.#columns) ? rows.map((row) => row.flat() as unknown as Row) : rows
  }

  /**
   * What is asked for.
   * @param times in how many records it stands
   */
  #ask(making: Making, { own, children: inner }: Arguments, times: number): AskedRows {
    const page = pageOf(own)
    making.pages.set(this, page)
    if (this.#shows !== 'total') making.records.add(page.size * times)
    const scope = this.#scope.fork(making.statement)
    const filter = wantedRecords(own, whereOf(scope, this.#inside ? 'child' : 'where'))
    const orderings = orderingsOf(scope.root, (own.orderBy ?? {}) as Variables, scope)
    checkColumns(this.#columns.columns.length + orderings.length)
    const plan: RowsPlan = {
      sources: scope.sources,
      filter,
      orderings,
      offset: page.start === 0 ? undefined : page.start,
    }
    const children = this.#children.map(({ connection, column, reference, parent }, index): AskedChildren => {
      const asked = connection.#ask(making, inner[index]!, times * page.size)
      const { size } = making.pages.get(connection)!
      const below = { ...asked.plan, reference, parent }
      return { ...asked, plan: below, column, most: size + 1, shows: connection.#shows }
    })
    return { plan, shape: this.#columns, children }
  }
}
