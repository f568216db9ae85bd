import type { Faker } from '@faker-js/faker'
import { type Campaign, startedBy } from './campaigns.ts'
import type { Contact } from './contacts.ts'
import { draft, type Saved } from './draft.ts'
import type { Lead } from './leads.ts'
import type { Scene } from './scene.ts'

/** Of those whom a campaign could reach. */
const REACHED = 0.35

const makeCampaignMember = (random: Faker, campaign: Saved<Campaign>, member: object) =>
  draft('CampaignMember', {
    CampaignId: campaign.Id,
    ...member,
    Status: random.datatype.boolean(0.3) ? 'Responded' : 'Sent',
  })

/** Each lead and contact is in one campaign at most, and in none that has not begun. */
export function makeCampaignMembers(
  random: Faker,
  scene: Scene,
  campaigns: readonly Saved<Campaign>[],
  leads: readonly Saved<Lead>[],
  contacts: readonly Saved<Contact>[],
) {
  const started = startedBy(scene.today, campaigns)
  if (started.length === 0) return []
  const people = [
    ...leads.map(({ Id }) => ({ LeadId: Id })),
    ...contacts.map(({ Id }) => ({ ContactId: Id })),
  ]
  return people
    .filter(() => random.datatype.boolean(REACHED))
    .map((member) => makeCampaignMember(random, random.helpers.arrayElement(started), member))
}
