import type { Lead } from './companies.ts'
import { type Deal, isClosed } from './deals.ts'
import { draft, type Saved } from './record-writer.ts'
import { dayAfter, earlier, type Source, times } from './source.ts'

const KINDS = [
  { Subject: 'Call', TaskSubtype: 'Call' },
  { Subject: 'Email', TaskSubtype: 'Email' },
  { Subject: 'Send Quote', TaskSubtype: 'Task' },
]

const makeTask = ({ one }: Source, about: object, completed: boolean, day: string) =>
  draft('Task', {
    ...about,
    ...one(KINDS),
    Status: completed ? 'Completed' : one(['Not Started', 'In Progress']),
    Priority: one(['Normal', 'Normal', 'Normal', 'High']),
    ActivityDate: day,
  })

/** Of a deal: a day before today and before the deal was closed, or one that comes before it will be. */
const pickDay = ({ int, today }: Source, { opportunity }: Deal, isPast: boolean, most: number) =>
  isPast
    ? dayAfter(earlier(opportunity.CloseDate, today), -int(1, most))
    : earlier(opportunity.CloseDate, dayAfter(today, int(1, most)))

function makeDealTask(source: Source, deal: Deal) {
  const { opportunity, contacts } = deal
  const completed = isClosed(deal) || source.chance(0.5)
  const about = { WhoId: contacts[0]!.Id, WhatId: opportunity.Id, OwnerId: opportunity.OwnerId }
  return makeTask(source, about, completed, pickDay(source, deal, completed, 60))
}

/** Leads that are worked on were called; those that are open are to be called. */
function makeLeadTasks(source: Source, { Id, OwnerId, Status }: Saved<Lead>) {
  if (source.chance(0.6)) return []
  const completed = Status !== 'Open - Not Contacted'
  const days = source.int(1, 20)
  const day = dayAfter(source.today, completed ? -days : days)
  return [makeTask(source, { WhoId: Id, OwnerId }, completed, day)]
}

/** Open and finished tasks of deals and leads. */
export const makeTasks = (source: Source, deals: readonly Deal[], leads: readonly Saved<Lead>[]) => [
  ...deals.flatMap((deal) => times(source.int(0, 2), () => makeDealTask(source, deal))),
  ...leads.flatMap((lead) => makeLeadTasks(source, lead)),
]

const MINUTE = 60_000

function makeEvent(source: Source, deal: Deal) {
  const { account, contacts, opportunity } = deal
  const isPast = source.chance(0.5) || opportunity.CloseDate <= source.today
  const day = pickDay(source, deal, isPast, isPast ? 90 : 30)
  const minutes = source.one([30, 60, 90])
  const start = Date.parse(`${day}T${source.one(['09', '11', '14', '16'])}:00:00Z`)
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
export const makeEvents = (source: Source, deals: readonly Deal[]) =>
  deals.filter(() => source.chance(0.35)).map((deal) => makeEvent(source, deal))
