import type { Faker } from '@faker-js/faker'
import { dayAfter, earlier } from './days.ts'
import { isClosed, type SavedDeal } from './deals.ts'
import { draft, type Saved } from './draft.ts'
import type { Lead } from './leads.ts'
import type { Scene } from './scene.ts'

const KINDS = [
  { Subject: 'Call', TaskSubtype: 'Call' },
  { Subject: 'Email', TaskSubtype: 'Email' },
  { Subject: 'Send Quote', TaskSubtype: 'Task' },
] as const

interface About {
  readonly WhoId: string
  readonly WhatId?: string
  readonly OwnerId: string
}

const makeTask = (random: Faker, about: About, completed: boolean, day: string) =>
  draft('Task', {
    ...about,
    ...random.helpers.arrayElement(KINDS),
    Status: completed ? 'Completed' : random.helpers.arrayElement(['Not Started', 'In Progress']),
    Priority: random.helpers.arrayElement(['Normal', 'Normal', 'Normal', 'High']),
    ActivityDate: day,
  })

/** Finished tasks lie before today and before the deal was closed; open ones come before it will be. */
function makeDealTasks(random: Faker, scene: Scene, deal: SavedDeal) {
  const { opportunity, contacts } = deal
  const about = { WhoId: contacts[0]!.Id, WhatId: opportunity.Id, OwnerId: opportunity.OwnerId }
  return Array.from({ length: random.number.int({ min: 0, max: 2 }) }, () => {
    const completed = isClosed(deal) || random.datatype.boolean()
    const ago = random.number.int({ min: 1, max: 60 })
    const day = completed
      ? dayAfter(earlier(opportunity.CloseDate, scene.today), -ago)
      : earlier(opportunity.CloseDate, dayAfter(scene.today, ago))
    return makeTask(random, about, completed, day)
  })
}

/** Leads that are worked on were called; those that are open are to be called. */
function makeLeadTasks(random: Faker, scene: Scene, { Id, OwnerId, Status }: Saved<Lead>) {
  if (random.datatype.boolean(0.6)) return []
  const completed = Status !== 'Open - Not Contacted'
  const days = random.number.int({ min: 1, max: 20 })
  const day = dayAfter(scene.today, completed ? -days : days)
  return [makeTask(random, { WhoId: Id, OwnerId }, completed, day)]
}

/** Open and finished tasks of deals and leads. */
export const makeTasks = (
  random: Faker,
  scene: Scene,
  deals: readonly SavedDeal[],
  leads: readonly Saved<Lead>[],
) => [
  ...deals.flatMap((deal) => makeDealTasks(random, scene, deal)),
  ...leads.flatMap((lead) => makeLeadTasks(random, scene, lead)),
]
