import { findNamedObjects } from '../plan/named-objects.ts'
import { checkSelectedAccess, findNamedRecords } from '../plan/named-records.ts'
import type { Plan } from '../plan/plan.ts'

/**
 * Refuses a query without the filter that its object needs, since its rows are made for what the filter names.
 * @throws ApiError
 */
export function checkNeededFilter(plan: Plan): void {
  switch (plan.sources[0].object.name) {
    case 'FieldDefinition':
      findNamedObjects(plan)
      break
    case 'UserRecordAccess':
      checkSelectedAccess(plan)
      findNamedRecords(plan)
      break
  }
}
