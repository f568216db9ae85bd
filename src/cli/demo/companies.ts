import { type Campaign, startedBy } from './catalog.ts'
import { draft, type Saved } from './record-writer.ts'
import { dayAfter, type Source, times } from './source.ts'

/** Towns with their states, the first digits of their postal codes and their area codes. */
const TOWNS = `
Albany NY 122 518, Atlanta GA 303 404, Austin TX 787 512, Boise ID 837 208, Boston MA 021 617, Charlotte NC 282 704,
Chicago IL 606 312, Cleveland OH 441 216, Columbus OH 432 614, Dallas TX 752 214, Denver CO 802 303, Detroit MI 482 313,
Hartford CT 061 860, Indianapolis IN 462 317, Kansas City MO 641 816, Madison WI 537 608, Milwaukee WI 532 414,
Minneapolis MN 554 612, Nashville TN 372 615, Omaha NE 681 402, Philadelphia PA 191 215, Phoenix AZ 850 602,
Pittsburgh PA 152 412, Portland OR 972 503, Raleigh NC 276 919, Sacramento CA 958 916, Salt Lake City UT 841 801,
San Diego CA 921 619, Seattle WA 981 206, Tucson AZ 857 520`

const LOCATIONS = [...TOWNS.matchAll(/(\w[\w ]+) (\w\w) (\d{3}) (\d{3})/g)].map(
  ([, city, state, postal, areaCode]) => ({
    city: city!,
    state: state!,
    postal: postal!,
    areaCode: areaCode!,
  }),
)

type Location = (typeof LOCATIONS)[number]

const ADDRESS = ['Street', 'City', 'State', 'PostalCode', 'Country'] as const

type Address<Prefix extends string> = {
  readonly [Name in `${Prefix}${(typeof ADDRESS)[number]}`]: string
}

const nameParts = <Prefix extends string>(prefix: Prefix, values: readonly string[]) =>
  Object.fromEntries(ADDRESS.map((part, at) => [prefix + part, values[at]])) as Address<Prefix>

/** The parts of an address in a town. */
const makeAddress = ({ faker }: Source, { city, state, postal }: Location): readonly string[] => [
  faker.location.streetAddress(),
  city,
  state,
  postal + faker.string.numeric(2),
  'United States',
]

/** The address of a company as another record has it. */
export const copyAddress = <Prefix extends string>(prefix: Prefix, account: Account): Address<Prefix> =>
  nameParts(
    prefix,
    ADDRESS.map((part) => account[`Billing${part}`]),
  )

/** A number that nobody has: those with 555-01 are kept for stories. */
const makePhone = ({ faker }: Source, { areaCode }: Location): string =>
  `(${areaCode}) 555-01${faker.string.numeric(2)}`

const PLAIN = ['Group', 'Partners', 'Holdings', 'Company', 'Associates', 'Solutions']

/** Name parts of companies, by industry. */
const WORDS = `
Agriculture: Farms, Growers, Orchards; Apparel: Textiles, Clothing, Outfitters; Banking: Bank, Savings Bank, Trust;
Biotechnology: Biotech, Genomics, Life Sciences; Chemicals: Chemicals, Coatings, Polymers;
Communications: Communications, Public Relations; Construction: Construction, Builders, Contractors;
Consulting: Consulting, Advisors; Education: College, Academy, Learning; Electronics: Electronics, Circuits, Instruments;
Energy: Energy, Power, Solar; Engineering: Engineering, Engineers; Entertainment: Theaters, Studios, Entertainment;
Environmental: Environmental, Recycling; Finance: Capital, Finance, Investments; Food & Beverage: Foods, Brewery, Bakeries;
Government: County, Water District; Healthcare: Clinic, Health, Medical Center; Hospitality: Hotels, Resorts, Restaurants;
Insurance: Insurance, Mutual; Machinery: Machinery, Tools, Machine Works; Manufacturing: Manufacturing, Industries, Works;
Media: Media, Publishing, Broadcasting; Not For Profit: Foundation, Trust Fund; Recreation: Sports, Outdoor;
Retail: Stores, Markets, Retail; Shipping: Shipping, Freight; Technology: Software, Systems, Technologies;
Telecommunications: Telecom, Networks; Transportation: Transport, Logistics, Lines; Utilities: Utilities, Gas & Electric, Water;`

const WORDS_BY_INDUSTRY: ReadonlyMap<string | null, readonly string[]> = new Map(
  [...WORDS.matchAll(/(\w[^:;]+): ([^;]+);/g)].map(([, industry, words]) => [industry!, words!.split(', ')]),
)

/** The name of a company that sounds like what it does. */
function makeCompany({ faker: { person }, one, weighted }: Source, industry: string | null): string {
  const founders = weighted([4, person.lastName()], [1, `${person.lastName()} & ${person.lastName()}`])
  return `${founders} ${one(WORDS_BY_INDUSTRY.get(industry) ?? PLAIN)}`
}

/** How a name stands in addresses: `O'Keefe & Sons` is `okeefe-sons`. */
const webName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-')

/** The domain of a company. Nobody can own a name that ends so, so no mail ever reaches a stranger. */
const makeDomain = (company: string): string => `${webName(company)}.example`

const CUSTOMERS = ['Customer - Direct', 'Customer - Direct', 'Customer - Channel']

/** Revenue goes with the number of people who earn it. */
function makeScale({ faker, int }: Source) {
  const employees = Math.round(10 ** faker.number.float({ min: 1, max: 4.3 }))
  return { NumberOfEmployees: employees, AnnualRevenue: employees * int(90, 320) * 1000 }
}

export type Account = ReturnType<typeof makeAccount>

/** Those who bought something; others have offers at most. */
export const isCustomer = ({ Type }: Account): boolean => Type.startsWith('Customer')

function makeAccount(source: Source, number: number) {
  const { one, pick, owner } = source
  const industry = pick('Account', 'Industry')
  const name = makeCompany(source, industry)
  const location = one(LOCATIONS)
  const address = makeAddress(source, location)
  return draft('Account', {
    Name: name,
    // Every third one has bought nothing yet.
    Type: number % 3 === 2 ? 'Prospect' : one(CUSTOMERS),
    Industry: industry,
    Rating: pick('Account', 'Rating'),
    Ownership: pick('Account', 'Ownership'),
    AccountNumber: String(10_000 + number),
    AccountSource: pick('Account', 'AccountSource'),
    ...makeScale(source),
    Phone: makePhone(source, location),
    Website: `https://www.${makeDomain(name)}`,
    ...nameParts('Billing', address),
    ...nameParts('Shipping', address),
    OwnerId: owner(),
  })
}

/** Companies, numbered from `first` on. */
export const makeAccounts = (source: Source, first: number, count: number): Account[] =>
  times(count, (at) => makeAccount(source, first + at))

const DEPARTMENTS =
  'Engineering,Finance,Maintenance,Management,Marketing,Operations,Purchasing,Quality,Sales'.split(',')

const RANKS = ['Director', 'Head', 'Manager', 'Vice President', 'Specialist']

/** Who somebody is, whatever object the record is of. */
function makePerson({ faker: { person }, one }: Source) {
  const sex = person.sexType()
  const department = one(DEPARTMENTS)
  const rank = one(RANKS)
  const fields = {
    Salutation: sex === 'female' ? 'Ms.' : 'Mr.',
    FirstName: person.firstName(sex),
    LastName: person.lastName(),
    Title: rank === 'Manager' || rank === 'Specialist' ? `${department} ${rank}` : `${rank} of ${department}`,
  }
  const mailAt = (company: string) =>
    `${webName(fields.FirstName)}.${webName(fields.LastName)}@${makeDomain(company)}`
  return { fields, department, mailAt }
}

export type Contact = ReturnType<typeof makeContact>

function makeContact(source: Source, account: Saved<Account>) {
  const { fields, department, mailAt } = makePerson(source)
  const location = LOCATIONS.find(({ city }) => city === account.BillingCity)!
  return draft('Contact', {
    ...fields,
    AccountId: account.Id,
    Department: department,
    Email: mailAt(account.Name),
    Phone: makePhone(source, location),
    MobilePhone: makePhone(source, location),
    LeadSource: source.pick('Contact', 'LeadSource'),
    Birthdate: dayAfter(source.today, -source.int(8_500, 23_000)),
    ...copyAddress('Mailing', account),
    OwnerId: account.OwnerId,
  })
}

/** The people of companies: everyone has one to five. */
export const makeContacts = (source: Source, accounts: readonly Saved<Account>[]): Contact[] =>
  accounts.flatMap((account) => times(source.int(1, 5), () => makeContact(source, account)))

export type Lead = ReturnType<typeof makeLead>

/** Somebody of a company that is no account yet. */
export function makeLead(source: Source) {
  const { fields, mailAt } = makePerson(source)
  const { one, int, pick, weighted, owner } = source
  const industry = pick('Lead', 'Industry')
  const company = makeCompany(source, industry)
  const location = one(LOCATIONS)
  const address = makeAddress(source, location)
  return draft('Lead', {
    ...fields,
    Company: company,
    Industry: industry,
    // Converted ones would need the records that they became.
    Status: weighted([5, 'Open - Not Contacted'], [4, 'Working - Contacted'], [2, 'Closed - Not Converted']),
    Rating: pick('Lead', 'Rating'),
    LeadSource: pick('Lead', 'LeadSource'),
    Email: mailAt(company),
    Phone: makePhone(source, location),
    Website: `https://www.${makeDomain(company)}`,
    NumberOfEmployees: int(5, 2_000),
    ...nameParts('', address),
    OwnerId: owner(),
  })
}

/** Of those whom a campaign could reach. */
const REACHED = 0.35

/** Each lead and contact is in one campaign at most, and in none that has not begun. */
export function makeCampaignMembers(
  { chance, one, today }: Source,
  campaigns: readonly Saved<Campaign>[],
  leads: readonly Saved<Lead>[],
  contacts: readonly Saved<Contact>[],
) {
  const started = startedBy(today, campaigns)
  const people = [
    ...leads.map(({ Id }) => ({ LeadId: Id })),
    ...contacts.map(({ Id }) => ({ ContactId: Id })),
  ]
  const reached = started.length === 0 ? [] : people.filter(() => chance(REACHED))
  return reached.map((member) =>
    draft('CampaignMember', {
      CampaignId: one(started).Id,
      ...member,
      Status: chance(0.3) ? 'Responded' : 'Sent',
    }),
  )
}
