import type { ArgumentNode } from 'graphql'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { makeFilterLocation } from '../../soql/analyze/filter-location.ts'
import { checkGrouped, ungroupedError } from '../../soql/analyze/grouping.ts'
import { makeQueryContext } from '../../soql/analyze/query-context.ts'
import { makeStatement, Scope } from '../../soql/analyze/scope.ts'
import { checkColumns } from '../../soql/compile/compile.ts'
import type { GroupsPlan, Operand } from '../../soql/plan/plan.ts'
import { makeDecodeContext } from '../../soql/run-query.ts'
import { querySql } from '../../soql/sql/statement.sql.ts'
import { type DecodeContext, type Selected, setsOf } from '../document/collect-fields.ts'
import { argumentsOf, type Variables } from '../document/variables.ts'
import type { Connections } from '../parts/limits.ts'
import { groupsPageOf, type Page } from '../queries/page.ts'
import { type Found, type PageNeeds, pageWriter, type WritePage } from '../queries/page-writer.ts'
import { wantedRecords } from '../queries/wanted-records.ts'
import { groupOrderingsOf } from './aggregate-order.ts'
import { type Grouping, groupingOf, keyOf } from './group-by.ts'
import { GroupTemplates } from './group-template.ts'
import { operandText } from './operand-text.ts'
import { Operands } from './operands.ts'

/** What a connection is asked for with the values that its arguments have now. */
interface Requested {
  readonly plan: GroupsPlan
  readonly page: Page
  /** Only a page, not all groups that there are. */
  readonly paged: boolean
}

const COUNT: Operand = { kind: 'aggregate', function: 'COUNT' }

/**
 * A connection field whose nodes are groups of records. Its selection becomes operands and a template of their values once;
 * what the records are grouped by may change from time to time. It is one statement. (docs/reference/api/graphql.md#aggregates)
 */
export class AggregateConnection {
  readonly #arguments: readonly ArgumentNode[] | undefined
  readonly #scope: Scope
  readonly #operands = new Operands()
  readonly #write: WritePage
  readonly #needs: PageNeeds

  /** @throws ApiError when the document asks for more than it may */
  constructor(
    decodeContext: DecodeContext,
    object: ObjectType,
    selected: Selected,
    connections: Connections,
  ) {
    connections.add()
    const { types } = decodeContext.schema
    this.#arguments = selected.nodes[0]!.arguments
    this.#scope = new Scope(makeStatement('', types.schema, types.version), object)
    const groups = new GroupTemplates({ decodeContext, scope: this.#scope, operands: this.#operands })
    const { write, needs } = pageWriter(
      decodeContext,
      { page: types.of(object, 'aggregateConnection'), edge: types.of(object, 'aggregateEdge') },
      setsOf(selected),
      (sets) => groups.result(sets),
    )
    // A group has to be there to be counted.
    if (this.#operands.operands.length === 0) this.#operands.location(COUNT)
    this.#write = write
    this.#needs = needs
  }

  /** Sends the statement and writes its page as JSON. */
  async run(ctx: Context, variables: Variables): Promise<string> {
    const requested = this.#ask(variables)
    const found = await this.#find(ctx, requested)
    if (!requested.paged && found.rows.length > requested.page.size) {
      throw new ApiError(
        'EXCEEDED_ID_LIMIT',
        `There are more than ${requested.page.size} groups: use first to ask for them page by page`,
      )
    }
    return this.#write(found, { ...makeDecodeContext(ctx), pages: new Map() })
  }

  async #find(ctx: Context, { plan, page }: Requested): Promise<Found> {
    const queryContext = makeQueryContext(ctx, false)
    const max = page.size + 1
    if (!this.#needs.total) {
      const rows = await ctx.db.rows(querySql.firstGroups(ctx.org, plan, queryContext, max))
      return { page, rows, total: undefined }
    }
    if (!this.#needs.rows) {
      const [row] = await ctx.db.rows(querySql.countGroups(ctx.org, plan, queryContext))
      return { page, rows: [], total: row![0] as number }
    }
    const rows = await ctx.db.rows(querySql.firstGroupsWithTotal(ctx.org, plan, queryContext, max))
    const location = plan.items.length
    return {
      page,
      rows: rows.filter((row) => row[location] !== null),
      total: rows[0]![location + 1] as number,
    }
  }

  #ask(variables: Variables): Requested {
    const requested = argumentsOf(this.#arguments, variables)
    const { groupBy = {}, orderBy = {}, first } = requested
    const scope = this.#scope.fork(this.#scope.statement.fork())
    const page = groupsPageOf(requested)
    const grouping = groupingOf(groupBy as Variables, scope)
    const items = this.#items(grouping)
    const orderings = groupOrderingsOf(scope.root, orderBy as Variables, scope, grouping.groupBy)
    if (grouping.groupBy.length === 0 && orderings.length > 0) throw ungroupedError('ORDER BY')
    checkColumns(items.length + grouping.groupBy.length + orderings.length + 1)
    const plan: GroupsPlan = {
      ...grouping,
      items,
      orderings,
      filter: wantedRecords(requested, makeFilterLocation(scope, 'where')),
      sources: scope.sources,
      offset: page.start === 0 ? undefined : page.start,
    }
    return { plan, page, paged: first !== undefined }
  }

  /** What is shown of each group: `grouping` tells of what the field is grouped by. */
  #items({ groupBy }: Grouping): GroupsPlan['items'] {
    return this.#operands.operands.map((shown) => {
      const operand: Operand =
        shown.kind === 'grouping' && shown.of.kind === 'field'
          ? { kind: 'grouping', of: keyOf(shown.of, groupBy) }
          : shown
      checkGrouped(operand, operandText(operand), groupBy)
      return { operand }
    })
  }
}
