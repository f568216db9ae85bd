import type { Faker } from '@faker-js/faker'

const DEPARTMENTS = [
  'Engineering',
  'Finance',
  'Maintenance',
  'Management',
  'Marketing',
  'Operations',
  'Purchasing',
  'Quality',
  'Sales',
] as const

const RANKS = ['Director', 'Head', 'Manager', 'Vice President', 'Specialist'] as const

/** Who somebody is, whatever object the record is of. */
export function makePerson(random: Faker) {
  const sex = random.person.sexType()
  const department = random.helpers.arrayElement(DEPARTMENTS)
  const rank = random.helpers.arrayElement(RANKS)
  return {
    Salutation: sex === 'female' ? 'Ms.' : 'Mr.',
    FirstName: random.person.firstName(sex),
    LastName: random.person.lastName(),
    department,
    Title: rank === 'Manager' || rank === 'Specialist' ? `${department} ${rank}` : `${rank} of ${department}`,
  }
}
