import type { Faker } from '@faker-js/faker'
import type { SavedDeal } from './deals.ts'
import { draft } from './draft.ts'
import type { Scene } from './scene.ts'

/** One or two people of the company have to do with a deal, the first of them most. */
export const makeOpportunityContactRoles = (random: Faker, scene: Scene, deals: readonly SavedDeal[]) =>
  deals.flatMap(({ opportunity, contacts }) =>
    contacts.slice(0, random.number.int({ min: 1, max: 2 })).map((contact, at) =>
      draft('OpportunityContactRole', {
        OpportunityId: opportunity.Id,
        ContactId: contact.Id,
        Role: at === 0 ? 'Decision Maker' : scene.pick(random, 'OpportunityContactRole', 'Role'),
        IsPrimary: at === 0,
      }),
    ),
  )
