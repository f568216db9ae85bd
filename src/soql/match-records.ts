import { SYSTEM_ACCESS } from '../access/access.ts'
import { decodeInSlices } from '../access/decode-in-slices.ts'
import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import type { RecordBody } from '../schema/snapshot/record-format.sql.ts'
import { combineFilters } from './analyze/make-filter.ts'
import { makeQueryContext } from './analyze/query-context.ts'
import { compileQuery } from './compile/compile.ts'
import type { RecordPlan } from './plan/plan.ts'
import { makeDecodeContext } from './run-query.ts'
import { querySql } from './sql/statement.sql.ts'

/** The plan for some of the records that it finds. */
function limitToIds(plan: RecordPlan, ids: readonly string[]): RecordPlan {
  const [source] = plan.sources
  const operand = { kind: 'field', source, field: source.object.field('Id')! } as const
  const filter = combineFilters({ kind: 'in', operand, values: ids }, plan.filter)
  return { ...plan, filter }
}

/**
 * Returns those of the records that a query finds, deleted or not and whatever the caller may see, by id.
 * @param text a query of records without LIMIT, which selects the Id
 * @throws ApiError if the query does not fit the schema
 */
export async function matchRecords(
  ctx: Context,
  text: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordBody>> {
  const query = compileQuery(text, ctx.schema, ctx.version)
  if (query.kind !== 'records') throw new ApiError('MALFORMED_QUERY', 'The query does not find records')
  const inside: Context = { ...ctx, visible: ctx.schema, access: SYSTEM_ACCESS, hasNumbers: true }
  const limited = { ...query, plan: limitToIds(query.plan, ids) }
  const rows = await ctx.db.rows(querySql.all(ctx.org, limited, makeQueryContext(inside, true)))
  const decoding = makeDecodeContext(inside)
  return decodeInSlices({ open: decoding.open, deadline: ctx.deadline }, function* (open) {
    const records = new Map<string, RecordBody>()
    for (const row of rows) {
      records.set(row[0] as string, query.format.read(row, 0, { ...decoding, open })!)
      yield
    }
    return records
  })
}
