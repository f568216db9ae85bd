import type { Faker } from '@faker-js/faker'
import { draft } from './draft.ts'
import { makeCompany } from './make-company.ts'
import { makePerson } from './make-person.ts'
import { LOCATIONS, type Location, makeAddress, makePhone } from './places.ts'
import type { Scene } from './scene.ts'
import { makeDomain, makeEmail } from './web-name.ts'

export type Lead = ReturnType<typeof makeLead>

/** Converted ones would need the records that they became. */
const makeStatus = (random: Faker) =>
  random.helpers.weightedArrayElement([
    { weight: 5, value: 'Open - Not Contacted' },
    { weight: 4, value: 'Working - Contacted' },
    { weight: 2, value: 'Closed - Not Converted' },
  ])

function makeLead(random: Faker, scene: Scene) {
  const { department: _, ...person } = makePerson(random)
  const industry = scene.pick(random, 'Lead', 'Industry')
  const company = makeCompany(random, industry)
  const location: Location = random.helpers.arrayElement(LOCATIONS)
  const { street, city, state, postalCode, country } = makeAddress(random, location)
  return draft('Lead', {
    ...person,
    Company: company,
    Industry: industry,
    Status: makeStatus(random),
    Rating: scene.pick(random, 'Lead', 'Rating'),
    LeadSource: scene.pick(random, 'Lead', 'LeadSource'),
    Email: makeEmail(person.FirstName, person.LastName, makeDomain(company)),
    Phone: makePhone(random, location),
    Website: `https://www.${makeDomain(company)}`,
    NumberOfEmployees: random.number.int({ min: 5, max: 2_000 }),
    Street: street,
    City: city,
    State: state,
    PostalCode: postalCode,
    Country: country,
    OwnerId: random.helpers.arrayElement(scene.owners),
  })
}

/** People of companies that are no accounts yet. */
export const makeLeads = (random: Faker, scene: Scene, count: number): Lead[] =>
  Array.from({ length: count }, () => makeLead(random, scene))
