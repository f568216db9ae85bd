import type { SelectionSetNode } from 'graphql'
import type { Context } from '../context.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { askingOf } from '../soql/asking.ts'
import { checkColumns } from '../soql/compile.ts'
import { compare } from '../soql/make-filter.ts'
import { readingOf } from '../soql/run-query.ts'
import { openStatement, Scope } from '../soql/scope.ts'
import { querySql } from '../soql/statement.sql.ts'
import type { Reading } from './collect-fields.ts'
import { Columns } from './columns.ts'
import { refuseChildren } from './limits.ts'
import { NodeTemplates } from './node-template.ts'
import type { Template } from './template.ts'

/** The selection of one record that is known by its id. */
export class RecordStatement {
  readonly #scope: Scope
  readonly #columns = new Columns()
  readonly #template: Template

  /** @throws ApiError when it asks for child records */
  constructor(reading: Reading, object: ObjectType, sets: readonly SelectionSetNode[]) {
    const { types } = reading.schema
    this.#scope = new Scope(openStatement('', types.schema, types.version), object)
    const nodes = new NodeTemplates({
      reading,
      scope: this.#scope,
      columns: this.#columns,
      compileChildren: () => {
        throw refuseChildren()
      },
    })
    this.#template = nodes.record(this.#scope.root, sets)
    checkColumns(this.#columns.columns.length)
  }

  /** The record as JSON; undefined: there is none, or the caller may not see it. */
  async run(ctx: Context, id: string): Promise<string | undefined> {
    const { root, sources } = this.#scope
    const byId = compare({ kind: 'field', source: root, field: root.object.field('Id')! }, '=', id)
    const plan = { sources, filter: byId, orderings: [] }
    const asked = { plan, shape: this.#columns, children: [] }
    const [row] = await ctx.db.rows(querySql.first(ctx.org, asked, askingOf(ctx, false), 1))
    return row && this.#template.write(row, { ...readingOf(ctx), pages: new Map() })
  }
}
