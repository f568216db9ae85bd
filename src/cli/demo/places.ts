import type { Faker } from '@faker-js/faker'

/** A town with what addresses and phone numbers in it begin with. */
export interface Place {
  readonly city: string
  readonly state: string
  /** First three digits of its postal codes. */
  readonly postal: string
  readonly areaCode: string
}

const place = (city: string, state: string, postal: string, areaCode: string): Place => ({
  city,
  state,
  postal,
  areaCode,
})

export const PLACES: readonly Place[] = [
  place('Albany', 'NY', '122', '518'),
  place('Atlanta', 'GA', '303', '404'),
  place('Austin', 'TX', '787', '512'),
  place('Boise', 'ID', '837', '208'),
  place('Boston', 'MA', '021', '617'),
  place('Charlotte', 'NC', '282', '704'),
  place('Chicago', 'IL', '606', '312'),
  place('Cleveland', 'OH', '441', '216'),
  place('Columbus', 'OH', '432', '614'),
  place('Dallas', 'TX', '752', '214'),
  place('Denver', 'CO', '802', '303'),
  place('Detroit', 'MI', '482', '313'),
  place('Hartford', 'CT', '061', '860'),
  place('Indianapolis', 'IN', '462', '317'),
  place('Kansas City', 'MO', '641', '816'),
  place('Madison', 'WI', '537', '608'),
  place('Milwaukee', 'WI', '532', '414'),
  place('Minneapolis', 'MN', '554', '612'),
  place('Nashville', 'TN', '372', '615'),
  place('Omaha', 'NE', '681', '402'),
  place('Philadelphia', 'PA', '191', '215'),
  place('Phoenix', 'AZ', '850', '602'),
  place('Pittsburgh', 'PA', '152', '412'),
  place('Portland', 'OR', '972', '503'),
  place('Raleigh', 'NC', '276', '919'),
  place('Sacramento', 'CA', '958', '916'),
  place('Salt Lake City', 'UT', '841', '801'),
  place('San Diego', 'CA', '921', '619'),
  place('Seattle', 'WA', '981', '206'),
  place('Tucson', 'AZ', '857', '520'),
]

/** The parts of an address in a town. */
export const makeAddress = (random: Faker, { city, state, postal }: Place) => ({
  street: random.location.streetAddress(),
  city,
  state,
  postalCode: postal + random.string.numeric(2),
  country: 'United States',
})

/** A number that nobody has: those with 555-01 are kept for stories. */
export const makePhone = (random: Faker, { areaCode }: Place): string =>
  `(${areaCode}) 555-01${random.string.numeric(2)}`
