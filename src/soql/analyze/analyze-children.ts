import { ApiError } from '../../base/api-error.ts'
import { type ApiVersion, hasChange } from '../../base/api-version.ts'
import { explanations, refusal } from '../parse/refusal.ts'
import type { ChildQuery, SelectItem } from '../parse/tree.ts'
import type { ChildPlan, ChildSelection } from '../plan/plan.ts'
import { analyzeFilter } from './analyze-filter.ts'
import { analyzeOrderings } from './analyze-ordering.ts'
import { type AnalyzeChildren, analyzeSelection } from './analyze-selection.ts'
import { checkOffset } from './check-offset.ts'
import { fieldsBounded } from './fields-bounded.ts'
import { whereOf } from './filter-location.ts'
import { Scope } from './scope.ts'

const malformed = (message: string) => new ApiError('MALFORMED_QUERY', message)

/** How deep SELECTs may stand in one another, the outermost counted. (docs/reference/api/queries.md#children) */
const maxLevels = (version: ApiVersion) => (hasChange(version, 'nestedChildQueries') ? 5 : 2)

const AGGREGATES = ['AVG', 'COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN', 'SUM']

function checkItems(items: readonly SelectItem[]): void {
  for (const item of items) {
    if (item.kind === 'function' && AGGREGATES.includes(item.call.function)) {
      throw malformed('only root queries support aggregate expressions')
    }
  }
}

/**
 * Makes the analysis of child queries on a level.
 * @param level of the child query's SELECT; the outermost is 1
 * @param offsetAllowed the outer query has LIMIT 1
 */
export function childrenAnalysis(level: number, offsetAllowed: boolean): AnalyzeChildren {
  return (child: ChildQuery, outer: Scope): ChildSelection => {
    const { statement } = outer
    if (level > maxLevels(statement.version)) {
      throw malformed(
        `cannot query child relationships more than ${maxLevels(statement.version) - 1} levels away from the root entity object`,
      )
    }
    const { relationship: name, alias } = child.from
    const relationship = outer.root.object.child(name.text)
    const object = relationship && statement.schema.object(relationship.childObject)
    if (relationship === undefined || object === undefined) {
      throw refusal('INVALID_TYPE', statement.text, name.at, explanations.noSuchChildren(name.text))
    }
    checkItems(child.items)
    if (child.offset !== undefined && !offsetAllowed) {
      throw malformed('OFFSET in a child query needs LIMIT 1 in the outer one')
    }
    checkOffset(child)
    const scope = new Scope(statement, object, [name, alias])
    const selection = analyzeSelection(
      child.items,
      scope,
      { bounded: fieldsBounded(child) },
      childrenAnalysis(level + 1, false),
    )
    const filter = child.where && analyzeFilter(child.where, whereOf(scope, 'child'))
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
