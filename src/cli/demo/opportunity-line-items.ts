import type { SavedDeal } from './deals.ts'
import { draft } from './draft.ts'
import { makeLine } from './make-sales.ts'

/** Lines of deals; the totals of an opportunity's lines are its amount. */
export const makeOpportunityLineItems = (deals: readonly SavedDeal[]) =>
  deals.flatMap(({ opportunity, sales }) =>
    sales.map((sale, at) =>
      draft('OpportunityLineItem', {
        OpportunityId: opportunity.Id,
        SortOrder: at + 1,
        ...makeLine(sale),
      }),
    ),
  )
