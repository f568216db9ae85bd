import type { Faker } from '@faker-js/faker'
import { type Account, findLocation } from './accounts.ts'
import { dayAfter } from './days.ts'
import { draft, type Saved } from './draft.ts'
import { makePerson } from './make-person.ts'
import { makePhone } from './places.ts'
import type { Scene } from './scene.ts'
import { makeDomain, makeEmail } from './web-name.ts'

export type Contact = ReturnType<typeof makeContact>

function makeContact(random: Faker, scene: Scene, account: Saved<Account>) {
  const { department, ...person } = makePerson(random)
  const location = findLocation(account)
  return draft('Contact', {
    ...person,
    AccountId: account.Id,
    Department: department,
    Email: makeEmail(person.FirstName, person.LastName, makeDomain(account.Name)),
    Phone: makePhone(random, location),
    MobilePhone: makePhone(random, location),
    LeadSource: scene.pick(random, 'Contact', 'LeadSource'),
    Birthdate: dayAfter(scene.today, -random.number.int({ min: 8_500, max: 23_000 })),
    MailingStreet: account.BillingStreet,
    MailingCity: account.BillingCity,
    MailingState: account.BillingState,
    MailingPostalCode: account.BillingPostalCode,
    MailingCountry: account.BillingCountry,
    OwnerId: account.OwnerId,
  })
}

/** The people of companies: everyone has one to five. */
export const makeContacts = (random: Faker, scene: Scene, accounts: readonly Saved<Account>[]): Contact[] =>
  accounts.flatMap((account) =>
    Array.from({ length: random.number.int({ min: 1, max: 5 }) }, () => makeContact(random, scene, account)),
  )
