import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'

interface Described {
  readonly fields: readonly {
    readonly name: string
    readonly picklistValues: readonly { readonly value: string; readonly active: boolean }[]
  }[]
}

/** Objects of which sample records take picklist values. */
const OBJECTS = ['Account', 'Campaign', 'Case', 'Contact', 'Lead', 'Opportunity', 'OpportunityContactRole']

/** Enough colleagues to share the work. */
const MAX_OWNERS = 20

/** The lists of records. The place of each here is part of its seed: another one comes last. */
const LISTS = [
  'products',
  'prices',
  'campaigns',
  'accounts',
  'contacts',
  'leads',
  'members',
  'deals',
  'roles',
  'contracts',
  'orders',
  'assets',
  'cases',
  'comments',
  'tasks',
  'events',
] as const

async function fetchIds(org: ReachedOrg, soql: string): Promise<string[]> {
  const path = `/query?${new URLSearchParams({ q: soql })}`
  const { records } = await readBody<{ records: { Id: string }[] }>(org.call('GET', path))
  return records.map(({ Id }) => Id)
}

/** By `Account.Industry` the values that are offered. */
async function loadPicklists(org: ReachedOrg): Promise<ReadonlyMap<string, readonly string[]>> {
  const picklists = new Map<string, readonly string[]>()
  for (const object of OBJECTS) {
    const { fields } = await readBody<Described>(org.call('GET', `/sobjects/${object}/describe`))
    for (const { name, picklistValues } of fields) {
      const offered = picklistValues.filter(({ active }) => active)
      picklists.set(
        `${object}.${name}`,
        offered.map(({ value }) => value),
      )
    }
  }
  return picklists
}

/**
 * Looks at what an org has that sample records need, and loads the faker, with one language.
 * @param today closed things lie before this day, open ones after it: `2026-03-01`
 */
export async function loadSources(org: ReachedOrg, seed: number, today: string) {
  const picklists = await loadPicklists(org)
  const owners = await fetchIds(
    org,
    `SELECT Id FROM User WHERE IsActive = true AND UserType = 'Standard' ORDER BY Id LIMIT ${MAX_OWNERS}`,
  )
  const [pricebook] = await fetchIds(org, 'SELECT Id FROM Pricebook2 WHERE IsStandard = true LIMIT 1')
  if (pricebook === undefined) throw new Error('The org has no standard price book: it was deleted.')
  const { faker } = await import('@faker-js/faker/locale/en')
  const { arrayElement, weightedArrayElement } = faker.helpers
  const source = {
    today,
    /** Id of the standard price book. */
    pricebook,
    faker,
    int: (min: number, max: number) => faker.number.int({ min, max }),
    one: <T>(values: readonly T[]): T => arrayElement(values),
    chance: (probability: number) => faker.datatype.boolean(probability),
    weighted: <T>(...values: readonly (readonly [weight: number, value: T])[]): T =>
      weightedArrayElement(values.map(([weight, value]) => ({ weight, value }))),
    /** One of the values that the org offers in a picklist; null where it offers none. */
    pick: (object: string, field: string): string | null => {
      const values = picklists.get(`${object}.${field}`) ?? []
      return values.length === 0 ? null : arrayElement(values)
    },
    /** One of the users who may own records. */
    owner: () => arrayElement(owners),
  }
  /**
   * The source of one list, made from the seed and the place of the list, so that the list does not depend on what else is
   * written, or in which order. The list must be made at once: there is one source, which is seeded again for the next list.
   */
  return (list: (typeof LISTS)[number], share = 0) => {
    faker.seed([seed, LISTS.indexOf(list), share])
    return source
  }
}

export type Sources = Awaited<ReturnType<typeof loadSources>>

/** Random values for one list of records, and what the org has that they need. */
export type Source = ReturnType<Sources>

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

const DAY = 86_400_000

/** The day that is so many days after another, or before it: `2026-03-01`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** Of two days the one that comes first. */
export const earlier = (one: string, other: string): string => (one < other ? one : other)
