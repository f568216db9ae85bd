import type { Faker } from '@faker-js/faker'
import { dayAfter } from './days.ts'
import { draft, type Saved } from './draft.ts'
import type { Scene } from './scene.ts'

export type Campaign = ReturnType<typeof makeCampaign>

/** Days from today on which a campaign of each status may have started, and how long it lasts. */
const STATUSES = [
  { status: 'Completed', starts: { min: -400, max: -120 }, lasts: { min: 10, max: 90 } },
  { status: 'In Progress', starts: { min: -60, max: -10 }, lasts: { min: 70, max: 120 } },
  { status: 'Planned', starts: { min: 20, max: 120 }, lasts: { min: 1, max: 60 } },
] as const

const THEMES = ['Less Downtime', 'Open House', 'Factory Tour', 'Energy Savings', 'New Series', 'Partner Days']

const SEASONS = ['Winter', 'Winter', 'Spring', 'Spring', 'Spring', 'Summer', 'Summer', 'Summer', 'Autumn']

/** `Spring 2026`, of the day on which it starts. */
const getSeason = (day: string) => `${SEASONS[Number(day.slice(5, 7)) - 1] ?? 'Autumn'} ${day.slice(0, 4)}`

function makeCampaign(random: Faker, scene: Scene, at: number) {
  // The first three have a status each, so that the smallest set has all of them.
  const { status, starts, lasts } = STATUSES[at] ?? random.helpers.arrayElement(STATUSES)
  const start = dayAfter(scene.today, random.number.int(starts))
  const budget = random.number.int({ min: 4, max: 120 }) * 500
  const spent = { Completed: random.number.float({ min: 0.7, max: 1.1 }), 'In Progress': 0.5, Planned: 0 }[
    status
  ]
  return draft('Campaign', {
    Name: `${random.helpers.arrayElement(THEMES)} ${getSeason(start)}`,
    Type: scene.pick(random, 'Campaign', 'Type'),
    Status: status as string,
    IsActive: status === 'In Progress',
    StartDate: start,
    EndDate: dayAfter(start, random.number.int(lasts)),
    BudgetedCost: budget,
    ActualCost: Math.round(budget * spent),
    ExpectedRevenue: budget * random.number.int({ min: 3, max: 8 }),
    ExpectedResponse: random.number.int({ min: 2, max: 20 }),
    NumberSent: status === 'Planned' ? 0 : random.number.int({ min: 5, max: 80 }) * 100,
    OwnerId: random.helpers.arrayElement(scene.owners),
  })
}

/** Past, current and planned campaigns. */
export const makeCampaigns = (random: Faker, scene: Scene, count: number): Campaign[] =>
  Array.from({ length: count }, (_, at) => makeCampaign(random, scene, at))

/** Those that somebody may have heard of by a day. */
export const startedBy = (day: string, campaigns: readonly Saved<Campaign>[]): readonly Saved<Campaign>[] =>
  campaigns.filter(({ StartDate, Status }) => Status !== 'Planned' && StartDate <= day)
