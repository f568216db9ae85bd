import { findNamedObjects } from '../plan/named-objects.ts'
import type { Plan } from '../plan/plan.ts'

/**
 * Refuses a query without the filter that its object needs, since its rows are made for what the filter names.
 * @throws ApiError
 */
export function checkNeededFilter(plan: Plan): void {
  if (plan.sources[0].object.name === 'FieldDefinition') findNamedObjects(plan)
}
