import type { ParentEffect } from '../behaviour/parent-effect.ts'

/** Where the activities of a record are found: by which reference, and of which objects. In the order of the parents' names. */
const PARENTS: readonly (readonly [parent: string, reference: string])[] = [
  ['Account', 'AccountId'],
  ['Asset', 'WhatId'],
  ['Campaign', 'WhatId'],
  ['Case', 'WhatId'],
  ['Contact', 'WhoId'],
  ['Contract', 'WhatId'],
  ['Lead', 'WhoId'],
  ['Opportunity', 'WhatId'],
]

const TASK = { object: 'Task', of: 'ActivityDate', where: 'IsClosed' } as const
const EVENT = { object: 'Event', of: 'ActivityDate' } as const

const makeEffects = (
  own: typeof TASK | typeof EVENT,
  also: typeof TASK | typeof EVENT,
  from: readonly string[],
) =>
  PARENTS.map(([parent, reference]): ParentEffect => {
    const { object: _, ...counted } = own
    const sets = { LastActivityDate: { function: 'latest', ...counted, also } } as const
    return { kind: 'latest', reference, parent, from: ['WhatId', 'WhoId', ...from], sets }
  })

/** The day of the last event or closed task of a record. (docs/reference/api/standard-objects.md#activities) */
export const LAST_ACTIVITY = {
  ofTask: makeEffects(TASK, EVENT, ['Status', 'ActivityDate']),
  /** @param times the fields that say when an event is */
  ofEvent: (times: readonly string[]) => makeEffects(EVENT, TASK, [...times, 'IsAllDayEvent']),
}
