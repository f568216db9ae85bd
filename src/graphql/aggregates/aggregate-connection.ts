import type { ArgumentNode } from 'graphql'
import { ApiError } from '../../base/api-error.ts'
import type { JsonText } from '../../base/json.ts'
import { runQuickly } from '../../base/run-in-slices.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { ReadRows } from '../../quota/answer-bytes.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { makeFilterLocation } from '../../soql/analyze/filter-location.ts'
import { checkGrouped, ungroupedError } from '../../soql/analyze/grouping.ts'
import { makeQueryContext } from '../../soql/analyze/query-context.ts'
import { makeStatement, Scope } from '../../soql/analyze/scope.ts'
import { checkColumns } from '../../soql/compile/compile.ts'
import type { GroupsPlan, Operand } from '../../soql/plan/plan.ts'
import { makeDecodeContext } from '../../soql/run-query.ts'
import { querySql } from '../../soql/sql/statement.sql.ts'
import { type DecodeContext, getSelectionSets, type Selected } from '../document/collect-fields.ts'
import { getArguments, type Variables } from '../document/variables.ts'
import type { DocumentLimits } from '../parts/limits.ts'
import { makeConnectionFilter } from '../queries/connection.ts'
import { type Page, parseGroupsPage } from '../queries/page.ts'
import { type FoundPage, makePageWriter, type PageNeeds, type WritePage } from '../queries/page-writer.ts'
import { makeGroupOrderings } from './aggregate-order.ts'
import { formatOperand } from './format-operand.ts'
import { findKey, type Grouping, makeGrouping } from './group-by.ts'
import { GroupTemplates } from './group-template.ts'
import { Operands } from './operands.ts'

/** The request of a connection, with the current values of its arguments. */
interface GroupsRequest {
  readonly plan: GroupsPlan
  readonly page: Page
  /** True if `first` limits the result to a page. */
  readonly paged: boolean
}

const COUNT: Operand = { kind: 'aggregate', function: 'COUNT' }

/**
 * A connection field whose nodes are groups of records. Its selection is compiled to operands and a template once;
 * the grouping may depend on variables. Runs one statement. (docs/reference/api/graphql.md#aggregates)
 */
export class AggregateConnection {
  readonly #arguments: readonly ArgumentNode[] | undefined
  readonly #scope: Scope
  readonly #operands = new Operands()
  readonly #write: WritePage
  readonly #needs: PageNeeds

  /** @throws ApiError if the document exceeds a limit */
  constructor(
    decodeContext: DecodeContext,
    object: ObjectType,
    selected: Selected,
    connections: DocumentLimits,
  ) {
    connections.add()
    const { types } = decodeContext.schema
    this.#arguments = selected.nodes[0]!.arguments
    this.#scope = new Scope(makeStatement('', types.schema, types.version), object)
    const groups = new GroupTemplates({ decodeContext, scope: this.#scope, operands: this.#operands })
    const { write, needs } = makePageWriter(
      decodeContext,
      { page: types.of(object, 'aggregateConnection'), edge: types.of(object, 'aggregateEdge') },
      getSelectionSets(selected),
      (sets) => groups.result(sets),
    )
    // Groups are counted even if nothing is selected of them.
    if (this.#operands.operands.length === 0) this.#operands.getIndex(COUNT)
    this.#write = write
    this.#needs = needs
  }

  /** Runs the statement and writes its page as JSON. */
  async run(ctx: Context, variables: Variables): Promise<JsonText> {
    const requested = this.makeRequest(variables)
    const found = await this.#find(ctx, requested)
    if (!requested.paged && (found.isCut || found.rows.length > requested.page.size)) {
      throw new ApiError(
        'EXCEEDED_ID_LIMIT',
        `There are more than ${Math.min(found.rows.length, requested.page.size)} groups: use first to ask for them page by page`,
      )
    }
    const decodeContext = { ...makeDecodeContext(ctx), pages: new Map() }
    return runQuickly(this.#write(found, decodeContext), ctx.deadline)
  }

  async #find(ctx: Context, { plan, page }: GroupsRequest): Promise<FoundPage> {
    const queryContext = makeQueryContext(ctx, false)
    const max = page.size + 1
    const { weights } = this.#operands.width
    if (!this.#needs.total) {
      const statement = querySql.firstGroups(ctx.org, plan, queryContext, max)
      return { page, ...(await this.#read(ctx, statement, weights, max)), total: undefined }
    }
    if (!this.#needs.rows) {
      const [row] = await ctx.db.rows(querySql.countGroups(ctx.org, plan, queryContext))
      return { page, rows: [], total: row![0] as number, isCut: false }
    }
    const statement = querySql.firstGroupsWithTotal(ctx.org, plan, queryContext, max)
    // The position and the total do not stand in the answer.
    const { rows, isCut } = await this.#read(ctx, statement, [...weights, 0, 0], max)
    const location = plan.items.length
    return {
      page,
      rows: rows.filter((row) => row[location] !== null),
      total: rows[0]![location + 1] as number,
      isCut,
    }
  }

  #read(ctx: Context, statement: Sql, weights: readonly number[], max: number): Promise<ReadRows> {
    const { bytes } = this.#operands.width
    return ctx.answer.rows({ db: ctx.db, statement, width: { bytes, weights }, max })
  }

  makeRequest(variables: Variables): GroupsRequest {
    const requested = getArguments(this.#arguments, variables)
    const { groupBy = {}, orderBy = {}, first } = requested
    const scope = this.#scope.fork(this.#scope.statement.fork())
    const page = parseGroupsPage(requested)
    const grouping = makeGrouping(groupBy as Variables, scope)
    const items = this.#items(grouping)
    const orderings = makeGroupOrderings(scope.root, orderBy as Variables, scope, grouping.groupBy)
    if (grouping.groupBy.length === 0 && orderings.length > 0) throw ungroupedError('ORDER BY')
    checkColumns(items.length + grouping.groupBy.length + orderings.length + 1)
    const plan: GroupsPlan = {
      ...grouping,
      items,
      orderings,
      filter: makeConnectionFilter(requested, makeFilterLocation(scope, 'where')),
      sources: scope.sources,
      offset: page.start === 0 ? undefined : page.start,
    }
    return { plan, page, paged: first !== undefined }
  }

  /** The selected operands of each group. `grouping` refers to the key of the field. */
  #items({ groupBy }: Grouping): GroupsPlan['items'] {
    return this.#operands.operands.map((shown) => {
      const operand: Operand =
        shown.kind === 'grouping' && shown.of.kind === 'field'
          ? { kind: 'grouping', of: findKey(shown.of, groupBy) }
          : shown
      checkGrouped(operand, formatOperand(operand), groupBy)
      return { operand }
    })
  }
}
