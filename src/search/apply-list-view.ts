import type { Context } from '../context.ts'
import { keepsRecent } from '../schema/describe/describe-object.ts'
import { getListViews } from '../schema/list-views/get-list-views.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { checkViewFilter } from '../soql/compile/list-view-query.ts'
import { parseViewCondition } from '../soql/parse/parse-view.ts'
import type { Condition, Query } from '../soql/parse/tree.ts'
import type { Returned } from './search.ts'
import { malformedSearch } from './search-error.ts'

/** The restriction of records by a list view. */
interface Restriction {
  readonly isMine: boolean
  readonly where: string | undefined
}

/** Maximum number of recently viewed records that a search looks at. */
const MAX_RECENT = 200

/** `Recent` stands for the caller's recently viewed records. */
async function findRestriction(
  ctx: Context,
  object: ObjectType,
  name: string,
): Promise<Restriction | undefined> {
  const view = getListViews(object).find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (view !== undefined) checkViewFilter(object, view, ctx.visible, ctx.version)
  if (view !== undefined) return { isMine: view.scope === 'mine', where: view.where }
  if (name.toLowerCase() !== 'recent' || !keepsRecent(object)) return undefined
  const ids = await ctx.recent.list(ctx.db, MAX_RECENT, object.keyPrefix)
  const listed = ids.map((id) => `'${id}'`).join(', ')
  return { isMine: false, where: ids.length === 0 ? 'Id = null' : `Id IN (${listed})` }
}

/** The conditions of a text stand at a place of their own, so errors point at the name of the list view. */
function joinConditions(given: Condition | undefined, where: string | undefined, at: number) {
  if (where === undefined) return given
  const own = parseViewCondition(where)
  return given === undefined ? own : ({ kind: 'and', terms: [own, given], at } as const)
}

/**
 * The query of RETURNING, restricted to the records of its list view.
 * @throws ApiError MALFORMED_SEARCH when the object has no such list view, INVALID_FIELD when the caller may not see what it filters by
 */
export async function applyListView(ctx: Context, { query, listView }: Returned): Promise<Query> {
  const object = ctx.visible.object(query.from.object.text)
  // An object that is not there is refused with the query.
  if (listView === undefined || object === undefined) return query
  const { text, at } = listView
  const found = await findRestriction(ctx, object, text)
  if (found === undefined) {
    throw malformedSearch(query.text, at, `${object.name} has no list view '${text.slice(0, 255)}'`)
  }
  return {
    ...query,
    where: joinConditions(query.where, found.where, at),
    ...(found.isMine && { scope: { kind: 'scope', name: { kind: 'name', text: 'mine', at }, at } }),
  }
}
