import type { Faker } from '@faker-js/faker'
import { draft } from './draft.ts'
import { makeCompany } from './make-company.ts'
import { LOCATIONS, type Location, makeAddress, makePhone } from './places.ts'
import type { Scene } from './scene.ts'
import { makeDomain } from './web-name.ts'

export type Account = ReturnType<typeof makeAccount>

/** Those who bought something; others have offers at most. */
export const isCustomer = ({ Type }: Account): boolean => Type.startsWith('Customer')

/** Every third one has bought nothing yet. */
const makeType = (random: Faker, number: number): string =>
  number % 3 === 2
    ? 'Prospect'
    : random.helpers.arrayElement(['Customer - Direct', 'Customer - Direct', 'Customer - Channel'])

/** Revenue goes with the number of people who earn it. */
function makeScale(random: Faker) {
  const employees = Math.round(10 ** random.number.float({ min: 1, max: 4.3 }))
  return {
    NumberOfEmployees: employees,
    AnnualRevenue: employees * random.number.int({ min: 90, max: 320 }) * 1000,
  }
}

function makeAccount(random: Faker, scene: Scene, number: number) {
  const industry = scene.pick(random, 'Account', 'Industry')
  const name = makeCompany(random, industry)
  const location: Location = random.helpers.arrayElement(LOCATIONS)
  const { street, city, state, postalCode, country } = makeAddress(random, location)
  return draft('Account', {
    Name: name,
    Type: makeType(random, number),
    Industry: industry,
    Rating: scene.pick(random, 'Account', 'Rating'),
    Ownership: scene.pick(random, 'Account', 'Ownership'),
    AccountNumber: String(10_000 + number),
    AccountSource: scene.pick(random, 'Account', 'AccountSource'),
    ...makeScale(random),
    Phone: makePhone(random, location),
    Website: `https://www.${makeDomain(name)}`,
    BillingStreet: street,
    BillingCity: city,
    BillingState: state,
    BillingPostalCode: postalCode,
    BillingCountry: country,
    ShippingStreet: street,
    ShippingCity: city,
    ShippingState: state,
    ShippingPostalCode: postalCode,
    ShippingCountry: country,
    OwnerId: random.helpers.arrayElement(scene.owners),
  })
}

/** Companies, numbered from `first` on. */
export const makeAccounts = (random: Faker, scene: Scene, first: number, count: number): Account[] =>
  Array.from({ length: count }, (_, at) => makeAccount(random, scene, first + at))

/** The town where a company is. */
export const findLocation = ({ BillingCity }: Account): Location =>
  LOCATIONS.find(({ city }) => city === BillingCity)!
