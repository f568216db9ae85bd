import { malformedQuery } from './parse/query-error.ts'
import type { Filter, PlanBase } from './plan/plan.ts'

const KEYS = ['ContentDocumentId', 'LinkedEntityId']

/** True if a filter limits the queried object to ids in one of the fields, with `=` or `IN` and not inside OR or NOT. */
function limitsToIds(filter: Filter | undefined, root: PlanBase['sources'][0]): boolean {
  switch (filter?.kind) {
    case 'and':
      return filter.terms.some((term) => limitsToIds(term, root))
    case 'compare':
    case 'in': {
      const { operand } = filter
      if (filter.kind === 'compare' && filter.operator !== '=') return false
      return operand.kind === 'field' && operand.source === root && KEYS.includes(operand.field.name)
    }
    default:
      return false
  }
}

/**
 * Refuses a query of all links of files. (docs/reference/strict-rules.md)
 * @throws ApiError MALFORMED_QUERY
 */
export function checkLinkFilter({ sources: [root], filter }: Pick<PlanBase, 'sources' | 'filter'>): void {
  if (root.object.name !== 'ContentDocumentLink' || limitsToIds(filter, root)) return
  throw malformedQuery(
    "Implementation restriction: ContentDocumentLink requires a filter by a single Id on ContentDocumentId or LinkedEntityId using the equals operator or multiple Id's using the IN operator.",
  )
}
