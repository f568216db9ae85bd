import { type ApiVersion, hasChange } from '../../base/api-version.ts'
import { isAggregateFunction } from '../parse/function-names.ts'
import { explanations, malformedQuery, queryError } from '../parse/query-error.ts'
import type { ChildQuery, SelectItem } from '../parse/tree.ts'
import type { ChildPlan, ChildSelection } from '../plan/plan.ts'
import { analyzeFilter } from './analyze-filter.ts'
import { analyzeOrderings, checkOffset } from './analyze-ordering.ts'
import { type AnalyzeChildren, analyzeSelection } from './analyze-selection.ts'
import { makeFilterLocation } from './filter-location.ts'
import { isBounded } from './is-bounded.ts'
import { Scope } from './scope.ts'

/** Maximum nesting of SELECTs, including the outermost. (docs/reference/api/queries.md#children) */
const getMaxLevels = (version: ApiVersion) => (hasChange(version, 'nestedChildQueries') ? 5 : 2)

function checkItems(items: readonly SelectItem[]): void {
  for (const item of items) {
    if (item.kind === 'function' && isAggregateFunction(item.call.function)) {
      throw malformedQuery('only root queries support aggregate expressions')
    }
  }
}

/**
 * Makes the function that analyzes child queries of one nesting level.
 * @param level of the child query's SELECT; the outermost is 1
 * @param offsetAllowed whether OFFSET is allowed, because the outer query has LIMIT 1
 */
export function makeChildrenAnalyzer(level: number, offsetAllowed: boolean): AnalyzeChildren {
  return (child: ChildQuery, outer: Scope): ChildSelection => {
    const { statement } = outer
    if (level > getMaxLevels(statement.version)) {
      throw malformedQuery(
        `cannot query child relationships more than ${getMaxLevels(statement.version) - 1} levels away from the root entity object`,
      )
    }
    const { relationship: name, alias } = child.from
    const relationship = outer.root.object.child(name.text)
    const object = relationship && statement.schema.object(relationship.childObject)
    if (relationship === undefined || object === undefined) {
      throw queryError('INVALID_TYPE', statement.text, name.at, explanations.noSuchChildren(name.text))
    }
    checkItems(child.items)
    if (child.offset !== undefined && !offsetAllowed) {
      throw malformedQuery('OFFSET in a child query needs LIMIT 1 in the outer one')
    }
    checkOffset(child)
    const scope = new Scope(statement, object, [name, alias])
    const selection = analyzeSelection(
      child.items,
      scope,
      { bounded: isBounded(child) },
      makeChildrenAnalyzer(level + 1, false),
    )
    const filter = child.where && analyzeFilter(child.where, makeFilterLocation(scope, 'child'))
    const orderings = analyzeOrderings(child.orderBy, scope)
    const plan: ChildPlan = {
      kind: 'records',
      sources: scope.sources,
      selection,
      filter,
      orderings,
      limit: child.limit?.value,
      offset: child.offset?.value,
      reference: { source: scope.root, field: relationship.field },
      parent: outer.root,
    }
    return { kind: 'children', name: relationship.name!, plan }
  }
}
