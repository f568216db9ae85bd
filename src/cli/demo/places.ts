import type { Faker } from '@faker-js/faker'

/** A town with what addresses and phone numbers in it begin with. */
export interface Location {
  readonly city: string
  readonly state: string
  /** First three digits of its postal codes. */
  readonly postal: string
  readonly areaCode: string
}

const location = (city: string, state: string, postal: string, areaCode: string): Location => ({
  city,
  state,
  postal,
  areaCode,
})

export const LOCATIONS: readonly Location[] = [
  location('Albany', 'NY', '122', '518'),
  location('Atlanta', 'GA', '303', '404'),
  location('Austin', 'TX', '787', '512'),
  location('Boise', 'ID', '837', '208'),
  location('Boston', 'MA', '021', '617'),
  location('Charlotte', 'NC', '282', '704'),
  location('Chicago', 'IL', '606', '312'),
  location('Cleveland', 'OH', '441', '216'),
  location('Columbus', 'OH', '432', '614'),
  location('Dallas', 'TX', '752', '214'),
  location('Denver', 'CO', '802', '303'),
  location('Detroit', 'MI', '482', '313'),
  location('Hartford', 'CT', '061', '860'),
  location('Indianapolis', 'IN', '462', '317'),
  location('Kansas City', 'MO', '641', '816'),
  location('Madison', 'WI', '537', '608'),
  location('Milwaukee', 'WI', '532', '414'),
  location('Minneapolis', 'MN', '554', '612'),
  location('Nashville', 'TN', '372', '615'),
  location('Omaha', 'NE', '681', '402'),
  location('Philadelphia', 'PA', '191', '215'),
  location('Phoenix', 'AZ', '850', '602'),
  location('Pittsburgh', 'PA', '152', '412'),
  location('Portland', 'OR', '972', '503'),
  location('Raleigh', 'NC', '276', '919'),
  location('Sacramento', 'CA', '958', '916'),
  location('Salt Lake City', 'UT', '841', '801'),
  location('San Diego', 'CA', '921', '619'),
  location('Seattle', 'WA', '981', '206'),
  location('Tucson', 'AZ', '857', '520'),
]

/** The parts of an address in a town. */
export const makeAddress = (random: Faker, { city, state, postal }: Location) => ({
  street: random.location.streetAddress(),
  city,
  state,
  postalCode: postal + random.string.numeric(2),
  country: 'United States',
})

/** A number that nobody has: those with 555-01 are kept for stories. */
export const makePhone = (random: Faker, { areaCode }: Location): string =>
  `(${areaCode}) 555-01${random.string.numeric(2)}`
