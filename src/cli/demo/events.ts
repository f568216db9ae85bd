import type { Faker } from '@faker-js/faker'
import { dayAfter, earlier } from './days.ts'
import type { SavedDeal } from './deals.ts'
import { draft } from './draft.ts'
import type { Scene } from './scene.ts'

const MINUTE = 60_000

const makeDay = (random: Faker, scene: Scene, closeDate: string) =>
  random.datatype.boolean() || closeDate <= scene.today
    ? dayAfter(earlier(closeDate, scene.today), -random.number.int({ min: 1, max: 90 }))
    : earlier(closeDate, dayAfter(scene.today, random.number.int({ min: 1, max: 30 })))

function makeEvent(random: Faker, scene: Scene, { account, contacts, opportunity }: SavedDeal) {
  const day = makeDay(random, scene, opportunity.CloseDate)
  const minutes = random.helpers.arrayElement([30, 60, 90])
  const start = Date.parse(`${day}T${random.helpers.arrayElement(['09', '11', '14', '16'])}:00:00Z`)
  return draft('Event', {
    Subject: 'Meeting',
    WhoId: contacts[0]!.Id,
    WhatId: opportunity.Id,
    Location: `${account.BillingStreet}, ${account.BillingCity}`,
    ActivityDate: day,
    ActivityDateTime: new Date(start).toISOString(),
    StartDateTime: new Date(start).toISOString(),
    EndDateTime: new Date(start + minutes * MINUTE).toISOString(),
    DurationInMinutes: minutes,
    OwnerId: opportunity.OwnerId,
  })
}

/** Meetings about deals, at the customer's, before they are decided. */
export const makeEvents = (random: Faker, scene: Scene, deals: readonly SavedDeal[]) =>
  deals.filter(() => random.datatype.boolean(0.35)).map((deal) => makeEvent(random, scene, deal))
