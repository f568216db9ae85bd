import type { ArgumentNode } from 'graphql'
import { decodeInSlices } from '../../access/decode-in-slices.ts'
import { Cache } from '../../base/cache.ts'
import { Json, type JsonText, writeBounded } from '../../base/json.ts'
import { drain } from '../../base/run-in-slices.ts'
import type { Context } from '../../context.ts'
import type { RowsWidth } from '../../quota/answer-bytes.ts'
import type { ChildRelationship, ObjectType } from '../../schema/objects/object-type.ts'
import { type FilterLocation, makeFilterLocation } from '../../soql/analyze/filter-location.ts'
import { combineFilters } from '../../soql/analyze/make-filter.ts'
import { makeQueryContext } from '../../soql/analyze/query-context.ts'
import { makeStatement, Scope, type Statement } from '../../soql/analyze/scope.ts'
import { makeScopeFilter } from '../../soql/analyze/scope-filter.ts'
import { cacheStatement, type StatementCache } from '../../soql/analyze/statement-cache.ts'
import { checkColumns } from '../../soql/compile/compile.ts'
import type { FieldRef, Filter, RowsPlan, Source } from '../../soql/plan/plan.ts'
import { makeDecodeContext } from '../../soql/run-query.ts'
import {
  type ChildRowsRequest,
  isSplitRow,
  querySql,
  type RowsRequest,
} from '../../soql/sql/statement.sql.ts'
import { rowsTogether } from '../../soql/together/rows-together.ts'
import type { Row } from '../../storage/database/db.ts'
import { type DecodeContext, getSelectionSets, type Selected } from '../document/collect-fields.ts'
import { getArguments, namesVariable, type Variables } from '../document/variables.ts'
import { type DocumentLimits, grandchildrenError, RecordLimit } from '../parts/limits.ts'
import { parseScopeName } from '../types/connection-arguments.ts'
import { Columns } from './columns.ts'
import { getIdColumn, ID_BYTES, NodeTemplates } from './node-template.ts'
import { makeOrderings } from './order.ts'
import { type Page, parsePage } from './page.ts'
import { makePageWriter, type WritePage } from './page-writer.ts'
import { type NodeDecodeContext, Template } from './template.ts'
import { makeWhereFilter } from './where.ts'

/** The condition of a connection's `where` and `scope`. (docs/reference/api/graphql.md#records, docs/reference/api/graphql.md#filters) */
export function makeConnectionFilter(
  { where = {}, scope: whose }: Variables,
  location: FilterLocation,
): Filter | undefined {
  return combineFilters(
    makeWhereFilter(where as Variables, location),
    typeof whose === 'string' ? makeScopeFilter(parseScopeName(whose), location.scope) : undefined,
  )
}

/** A connection nested in each record of another one. */
interface Children {
  readonly connection: Connection
  readonly column: number
  readonly reference: FieldRef
  readonly parent: Source
}

/** The arguments of a connection, and of those nested in it. */
interface Arguments {
  readonly own: Variables
  readonly children: readonly Arguments[]
}

/** State that the connections of one statement share while it is made. */
interface RequestContext {
  readonly statement: Statement
  readonly pages: Map<Connection, Page>
  readonly records: RecordLimit
}

/** The request for particular arguments. */
interface PreparedRequest {
  readonly requested: RowsRequest
  readonly pages: ReadonlyMap<Connection, Page>
  readonly statements: StatementCache
}

/** Maximum size of a row in an answer, with its children, in bytes. */
function maxRowBytes({ format, children }: RowsRequest): number {
  const { bytes } = (format as Columns).width
  return children.reduce((total, child) => total + child.max * maxRowBytes(child), bytes)
}

/** Maximum cached requests, and characters of a cached request's arguments. */
const MAX_CACHED = 50
const MAX_KEY_LENGTH = 2000

/**
 * A connection field of a document. Its selection is compiled to columns and a template once; its arguments become a plan
 * per request. Runs one statement, nested connections included. (docs/reference/api/graphql.md#records)
 */
export class Connection {
  readonly #arguments: readonly ArgumentNode[] | undefined
  readonly #scope: Scope
  readonly #columns = new Columns()
  readonly #children: Children[] = []
  readonly #write: WritePage
  readonly #shows: ChildRowsRequest['shows']
  readonly isNested: boolean
  /** The request, if it does not depend on variables; otherwise the cache has recent ones. */
  constantRequest: PreparedRequest | undefined
  readonly #cache = new Cache<PreparedRequest>(MAX_CACHED)

  /**
   * @param outer the statement that it is part of, if it is nested
   * @throws ApiError if the document exceeds a limit
   */
  constructor(
    decodeContext: DecodeContext,
    object: ObjectType,
    selected: Selected,
    connections: DocumentLimits,
    outer?: Statement,
  ) {
    connections.add()
    const { types } = decodeContext.schema
    this.#arguments = selected.nodes[0]!.arguments
    this.isNested = outer !== undefined
    this.#scope = new Scope(outer ?? makeStatement('', types.schema, types.version), object)
    const nodes = new NodeTemplates({
      decodeContext,
      scope: this.#scope,
      columns: this.#columns,
      compileChildren: ({ relationship, object: child }, inner, parent) => {
        if (this.isNested) throw grandchildrenError()
        const below = new Connection(decodeContext, child, inner, connections, this.#scope.statement)
        return this.#addChildren(below, relationship, parent)
      },
    })
    const { write, needs } = makePageWriter(
      decodeContext,
      { page: types.of(object, 'connection'), edge: types.of(object, 'edge') },
      getSelectionSets(selected),
      (sets) => nodes.record(this.#scope.root, sets),
    )
    // Rows are counted even if nothing is selected of them.
    if (this.#columns.columns.length === 0) this.#columns.getIndex(getIdColumn(this.#scope.root), ID_BYTES)
    checkColumns(this.#columns.columns.length)
    this.#write = write
    this.#shows = !needs.total ? 'rows' : needs.rows ? 'both' : 'total'
  }

  #addChildren(connection: Connection, { field }: ChildRelationship, parent: Source): Template {
    const column = this.#columns.reserve(Math.max(...connection.#columns.width.weights))
    const reference = { source: connection.#scope.root, field }
    this.#children.push({ connection, column, reference, parent })
    return Template.hole((row, decodeContext) => {
      const written = drain(connection.#writeValue(row[column] as unknown, decodeContext))
      return new Json(written).text
    })
  }

  /** Runs the statement and writes its page as JSON. */
  async run(ctx: Context, variables: Variables): Promise<JsonText> {
    const { requested, pages, statements } = this.prepare(variables)
    const decodeContext = { ...makeDecodeContext(ctx), pages }
    const page = pages.get(this)!
    const { org } = ctx
    const statement = cacheStatement(
      statements,
      org.schemaName,
      makeQueryContext(ctx, false),
      (queryContext) => {
        if (this.#shows === 'total')
          return querySql.count(org, { ...requested.plan, offset: undefined }, queryContext)
        const max = page.size + 1
        if (this.#shows === 'rows') return querySql.first(org, requested, queryContext, max)
        return querySql.firstWithTotal(org, requested, queryContext, max)
      },
    )
    const { rows, isCut } = await ctx.answer.rows({
      db: ctx.db,
      statement,
      ...this.#getWidth(requested, page.size + 1),
      read: (measured) => rowsTogether(ctx, measured),
    })
    return decodeInSlices({ open: decodeContext.open, deadline: ctx.deadline }, (open) => {
      const how = { ...decodeContext, open }
      if (this.#shows === 'rows') return this.#write({ page, rows, total: undefined, isCut }, how)
      return this.#writeValue(this.#shows === 'total' ? rows[0]![0] : rows[0], how)
    })
  }

  /** How large the rows of the statement are: a total comes in one row with all records, as one value. */
  #getWidth(requested: RowsRequest, max: number): { width: RowsWidth; max: number } {
    const { weights } = this.#columns.width
    const bytes = maxRowBytes(requested)
    if (this.#shows === 'rows') return { width: { bytes, weights }, max }
    if (this.#shows === 'total') return { width: { bytes: 0, weights: [0] }, max: 1 }
    return { width: { bytes: bytes * max, weights: [0, Math.max(...weights)] }, max: 1 }
  }

  getAllArguments(variables: Variables): Arguments {
    return {
      own: getArguments(this.#arguments, variables),
      children: this.#children.map(({ connection }) => connection.getAllArguments(variables)),
    }
  }

  /** True if the request depends on variables. */
  hasVariables(): boolean {
    return (
      (this.#arguments ?? []).some(({ value }) => namesVariable(value)) ||
      this.#children.some(({ connection }) => connection.hasVariables())
    )
  }

  prepare(variables: Variables): PreparedRequest {
    if (this.constantRequest !== undefined) return this.constantRequest
    const args = this.getAllArguments(variables)
    const make = (): PreparedRequest => {
      const pages = new Map<Connection, Page>()
      const statement = this.#scope.statement.fork()
      const requested = this.makeRequest({ statement, pages, records: new RecordLimit() }, args, 1)
      return { requested, pages, statements: new Map() }
    }
    if (!this.hasVariables()) {
      this.constantRequest = make()
      return this.constantRequest
    }
    const key = writeBounded(args, MAX_KEY_LENGTH)
    return key === undefined ? make() : this.#cache.of(key, make)
  }

  /** Writes a page that the database returned as one value. */
  #writeValue(value: unknown, decodeContext: NodeDecodeContext): Generator<void, JsonText> {
    const page = decodeContext.pages.get(this)!
    const isCut = false
    if (this.#shows === 'total') {
      return this.#write({ page, rows: [], total: value as number, isCut }, decodeContext)
    }
    if (this.#shows === 'rows') {
      return this.#write(
        { page, rows: this.joinPieces(value as readonly Row[]), total: undefined, isCut },
        decodeContext,
      )
    }
    const [total, rows] = value as [number, readonly Row[]]
    return this.#write({ page, rows: this.joinPieces(rows), total, isCut }, decodeContext)
  }

  joinPieces(rows: readonly Row[]): readonly Row[] {
    return isSplitRow(this.#columns) ? rows.map((row) => row.flat() as unknown as Row) : rows
  }

  /**
   * Makes the request.
   * @param times in how many records it is nested at most
   */
  makeRequest(making: RequestContext, { own, children: inner }: Arguments, times: number): RowsRequest {
    const page = parsePage(own)
    making.pages.set(this, page)
    if (this.#shows !== 'total') making.records.add(page.size * times)
    const scope = this.#scope.fork(making.statement)
    const filter = makeConnectionFilter(own, makeFilterLocation(scope, this.isNested ? 'child' : 'where'))
    const orderings = makeOrderings(scope.root, (own.orderBy ?? {}) as Variables, scope)
    checkColumns(this.#columns.columns.length + orderings.length)
    const plan: RowsPlan = {
      sources: scope.sources,
      filter,
      orderings,
      offset: page.start === 0 ? undefined : page.start,
    }
    const children = this.#children.map(
      ({ connection, column, reference, parent }, index): ChildRowsRequest => {
        const requested = connection.makeRequest(making, inner[index]!, times * page.size)
        const { size } = making.pages.get(connection)!
        const below = { ...requested.plan, reference, parent }
        return { ...requested, plan: below, column, max: size + 1, shows: connection.#shows }
      },
    )
    return { plan, format: this.#columns, children }
  }
}
