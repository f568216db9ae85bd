import type { Faker } from '@faker-js/faker'

/** Numbers of the faker for each list. They are put in the seed, so none may change or be given twice. */
const LISTS = {
  products: 0,
  prices: 1,
  campaigns: 2,
  accounts: 3,
  contacts: 4,
  leads: 5,
  members: 6,
  deals: 7,
  roles: 8,
  contracts: 9,
  orders: 10,
  assets: 11,
  cases: 12,
  comments: 13,
  tasks: 14,
  events: 15,
} as const

/**
 * A random source for one list, made from the seed and the place of the list, so that the list does not
 * depend on what else is written, or in which order. It must be made at once: there is one source, which is seeded again for
 * the next list.
 */
export type Sow = (list: keyof typeof LISTS, share?: number) => Faker

/** The faker is loaded here, with one language, and by nothing else. */
export async function loadSow(seed: number): Promise<Sow> {
  const { faker } = await import('@faker-js/faker/locale/en')
  return (list, share = 0) => {
    faker.seed([seed, LISTS[list], share])
    return faker
  }
}
