import type { Faker } from '@faker-js/faker'

const PLAIN = ['Group', 'Partners', 'Holdings', 'Company', 'Associates', 'Solutions']

/** Name parts of companies, by industry. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  Agriculture: ['Farms', 'Growers', 'Orchards'],
  Apparel: ['Textiles', 'Clothing', 'Outfitters'],
  Banking: ['Bank', 'Savings Bank', 'Trust'],
  Biotechnology: ['Biotech', 'Genomics', 'Life Sciences'],
  Chemicals: ['Chemicals', 'Coatings', 'Polymers'],
  Communications: ['Communications', 'Public Relations'],
  Construction: ['Construction', 'Builders', 'Contractors'],
  Consulting: ['Consulting', 'Advisors'],
  Education: ['College', 'Academy', 'Learning'],
  Electronics: ['Electronics', 'Circuits', 'Instruments'],
  Energy: ['Energy', 'Power', 'Solar'],
  Engineering: ['Engineering', 'Engineers'],
  Entertainment: ['Theaters', 'Studios', 'Entertainment'],
  Environmental: ['Environmental', 'Recycling'],
  Finance: ['Capital', 'Finance', 'Investments'],
  'Food & Beverage': ['Foods', 'Brewery', 'Bakeries'],
  Government: ['County', 'Water District'],
  Healthcare: ['Clinic', 'Health', 'Medical Center'],
  Hospitality: ['Hotels', 'Resorts', 'Restaurants'],
  Insurance: ['Insurance', 'Mutual'],
  Machinery: ['Machinery', 'Tools', 'Machine Works'],
  Manufacturing: ['Manufacturing', 'Industries', 'Works'],
  Media: ['Media', 'Publishing', 'Broadcasting'],
  'Not For Profit': ['Foundation', 'Trust Fund'],
  Recreation: ['Sports', 'Outdoor'],
  Retail: ['Stores', 'Markets', 'Retail'],
  Shipping: ['Shipping', 'Freight'],
  Technology: ['Software', 'Systems', 'Technologies'],
  Telecommunications: ['Telecom', 'Networks'],
  Transportation: ['Transport', 'Logistics', 'Lines'],
  Utilities: ['Utilities', 'Gas & Electric', 'Water'],
}

/** The name of a company that sounds like what it does. */
export function makeCompany(random: Faker, industry: string | null): string {
  const words = (industry === null ? undefined : WORDS[industry]) ?? PLAIN
  const founders = random.helpers.weightedArrayElement([
    { weight: 4, value: random.person.lastName() },
    { weight: 1, value: `${random.person.lastName()} & ${random.person.lastName()}` },
  ])
  return `${founders} ${random.helpers.arrayElement(words)}`
}
