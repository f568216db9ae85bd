import type { SelectionSetNode } from 'graphql'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { compare } from '../../soql/analyze/make-filter.ts'
import { makeQueryContext } from '../../soql/analyze/query-context.ts'
import { makeStatement, Scope } from '../../soql/analyze/scope.ts'
import { checkColumns } from '../../soql/compile/compile.ts'
import { makeDecodeContext } from '../../soql/run-query.ts'
import { querySql } from '../../soql/sql/statement.sql.ts'
import type { DecodeContext } from '../document/collect-fields.ts'
import { childrenError } from '../parts/limits.ts'
import { Columns } from './columns.ts'
import { NodeTemplates } from './node-template.ts'
import type { Template } from './template.ts'

/** Selects one record by its id. */
export class RecordStatement {
  readonly #scope: Scope
  readonly #columns = new Columns()
  readonly #template: Template

  /** @throws ApiError if child records are selected */
  constructor(decodeContext: DecodeContext, object: ObjectType, sets: readonly SelectionSetNode[]) {
    const { types } = decodeContext.schema
    this.#scope = new Scope(makeStatement('', types.schema, types.version), object)
    const nodes = new NodeTemplates({
      decodeContext,
      scope: this.#scope,
      columns: this.#columns,
      compileChildren: () => {
        throw childrenError()
      },
    })
    this.#template = nodes.record(this.#scope.root, sets)
    checkColumns(this.#columns.columns.length)
  }

  /** The record as JSON; undefined if it does not exist or the user may not see it. */
  async run(ctx: Context, id: string): Promise<string | undefined> {
    const { root, sources } = this.#scope
    const byId = compare({ kind: 'field', source: root, field: root.object.field('Id')! }, '=', id)
    const plan = { sources, filter: byId, orderings: [] }
    const requested = { plan, format: this.#columns, children: [] }
    const [row] = await ctx.db.rows(querySql.first(ctx.org, requested, makeQueryContext(ctx, false), 1))
    return row && this.#template.write(row, { ...makeDecodeContext(ctx), pages: new Map() })
  }
}
