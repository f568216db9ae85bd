import type { ArgumentNode } from 'graphql'
import { Cache } from '../../base/cache.ts'
import type { Context } from '../../context.ts'
import type { ChildRelationship, ObjectType } from '../../schema/objects/object-type.ts'
import { whereOf } from '../../soql/analyze/filter-location.ts'
import { keepStatement, type Statements } from '../../soql/analyze/keep-statement.ts'
import { makeQueryContext } from '../../soql/analyze/query-context.ts'
import { openStatement, Scope, type Statement } from '../../soql/analyze/scope.ts'
import { checkColumns } from '../../soql/compile/compile.ts'
import type { FieldRef, RowsPlan, Source } from '../../soql/plan/plan.ts'
import { makeDecodeContext } from '../../soql/run-query.ts'
import {
  comesInPieces,
  querySql,
  type RequestedChildren,
  type RequestedRows,
} from '../../soql/sql/statement.sql.ts'
import type { Row } from '../../storage/database/db.ts'
import { type DecodeContext, type Selected, setsOf } from '../document/collect-fields.ts'
import { argumentsOf, namesVariable, type Variables } from '../document/variables.ts'
import { type Connections, Records, refuseGrandchildren } from '../parts/limits.ts'
import { Columns } from './columns.ts'
import { idOf, NodeTemplates } from './node-template.ts'
import { orderingsOf } from './order.ts'
import { type Page, pageOf } from './page.ts'
import { pageWriter, type WritePage } from './page-writer.ts'
import { type NodeDecodeContext, Template } from './template.ts'
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
  readonly requested: RequestedRows
  readonly pages: ReadonlyMap<Connection, Page>
  readonly statements: Statements
}

/** How many sets of arguments are remembered, and how long the text of one may be. */
const MAX_CACHED = 50
const MAX_KEY_LENGTH = 2000

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
  readonly #shows: RequestedChildren['shows']
  readonly #inside: boolean
  /** What is asked for, where that is always the same; else what was asked for lately. */
  #always: Ready | undefined
  readonly #cache = new Cache<Ready>(MAX_CACHED)

  /**
   * @param outer the statement that it is part of, where it stands inside records
   * @throws ApiError when the document asks for more than it may
   */
  constructor(
    decoding: DecodeContext,
    object: ObjectType,
    selected: Selected,
    connections: Connections,
    outer?: Statement,
  ) {
    connections.add()
    const { types } = decoding.schema
    this.#arguments = selected.nodes[0]!.arguments
    this.#inside = outer !== undefined
    this.#scope = new Scope(outer ?? openStatement('', types.schema, types.version), object)
    const nodes = new NodeTemplates({
      decoding,
      scope: this.#scope,
      columns: this.#columns,
      compileChildren: ({ relationship, object: child }, inner, parent) => {
        if (this.#inside) throw refuseGrandchildren()
        const below = new Connection(decoding, child, inner, connections, this.#scope.statement)
        return this.#addChildren(below, relationship, parent)
      },
    })
    const { write, needs } = pageWriter(
      decoding,
      { page: types.of(object, 'connection'), edge: types.of(object, 'edge') },
      setsOf(selected),
      (sets) => nodes.record(this.#scope.root, sets),
    )
    // A row has to be there to be counted.
    if (this.#columns.columns.length === 0) this.#columns.location(idOf(this.#scope.root))
    checkColumns(this.#columns.columns.length)
    this.#write = write
    this.#shows = !needs.total ? 'rows' : needs.rows ? 'both' : 'total'
  }

  #addChildren(connection: Connection, { field }: ChildRelationship, parent: Source): Template {
    const column = this.#columns.reserve()
    const reference = { source: connection.#scope.root, field }
    this.#children.push({ connection, column, reference, parent })
    return Template.hole((row, decoding) => connection.#writeValue(row[column] as unknown, decoding))
  }

  /** Sends the statement and writes its page as JSON. */
  async run(ctx: Context, variables: Variables): Promise<string> {
    const { requested, pages, statements } = this.#ready(variables)
    const decoding = { ...makeDecodeContext(ctx), pages }
    const page = pages.get(this)!
    const { org } = ctx
    const rows = await ctx.db.rows(
      keepStatement(statements, org.schemaName, makeQueryContext(ctx, false), (queryContext) => {
        if (this.#shows === 'total')
          return querySql.count(org, { ...requested.plan, offset: undefined }, queryContext)
        const max = page.size + 1
        if (this.#shows === 'rows') return querySql.first(org, requested, queryContext, max)
        return querySql.firstWithTotal(org, requested, queryContext, max)
      }),
    )
    if (this.#shows === 'rows') return this.#write({ page, rows, total: undefined }, decoding)
    return this.#writeValue(this.#shows === 'total' ? rows[0]![0] : rows[0], decoding)
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
      const requested = this.#ask({ statement, pages, records: new Records() }, args, 1)
      return { requested, pages, statements: new Map() }
    }
    if (!this.#varies()) {
      this.#always = make()
      return this.#always
    }
    const key = JSON.stringify(args)
    return key.length > MAX_KEY_LENGTH ? make() : this.#cache.of(key, make)
  }

  /** A page that came as one value. */
  #writeValue(value: unknown, decoding: NodeDecodeContext): string {
    const page = decoding.pages.get(this)!
    if (this.#shows === 'total') return this.#write({ page, rows: [], total: value as number }, decoding)
    if (this.#shows === 'rows') {
      return this.#write({ page, rows: this.#whole(value as readonly Row[]), total: undefined }, decoding)
    }
    const [total, rows] = value as [number, readonly Row[]]
    return this.#write({ page, rows: this.#whole(rows), total }, decoding)
  }

  #whole(rows: readonly Row[]): readonly Row[] {
    return comesInPieces(this.#columns) ? rows.map((row) => row.flat() as unknown as Row) : rows
  }

  /**
   * What is asked for.
   * @param times in how many records it stands
   */
  #ask(making: Making, { own, children: inner }: Arguments, times: number): RequestedRows {
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
    const children = this.#children.map(
      ({ connection, column, reference, parent }, index): RequestedChildren => {
        const requested = connection.#ask(making, inner[index]!, times * page.size)
        const { size } = making.pages.get(connection)!
        const below = { ...requested.plan, reference, parent }
        return { ...requested, plan: below, column, max: size + 1, shows: connection.#shows }
      },
    )
    return { plan, shape: this.#columns, children }
  }
}
