import type { Faker } from '@faker-js/faker'
import type { Case } from './cases.ts'
import { draft, type Saved } from './draft.ts'

const ANSWERS = [
  'Asked the customer for the log of the last week.',
  'Called back: it happens every morning.',
  'A technician was there and replaced the filter.',
  'Waiting for the spare part.',
  'Sent the manual by mail.',
  'Settings changed; the customer watches it for two days.',
]

const LAST = 'Works again, the customer agrees.'

/** New cases have no answer yet, closed ones end well. */
export const makeCaseComments = (random: Faker, cases: readonly Saved<Case>[]) =>
  cases.flatMap(({ Id, Status }) => {
    const answers =
      Status === 'New' ? [] : random.helpers.arrayElements(ANSWERS, random.number.int({ min: 0, max: 2 }))
    const all = Status === 'Closed' ? [...answers, LAST] : answers
    return all.map((text) =>
      draft('CaseComment', { ParentId: Id, CommentBody: text, IsPublished: text === LAST }),
    )
  })
