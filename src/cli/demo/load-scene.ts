import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import type { Scene } from './scene.ts'

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
      const allowedValues = picklistValues.filter(({ active }) => active)
      picklists.set(
        `${object}.${name}`,
        allowedValues.map(({ value }) => value),
      )
    }
  }
  return picklists
}

/** Looks at what an org has that sample records need. */
export async function loadScene(org: ReachedOrg, today: string): Promise<Scene> {
  const picklists = await loadPicklists(org)
  const owners = await fetchIds(
    org,
    `SELECT Id FROM User WHERE IsActive = true AND UserType = 'Standard' ORDER BY Id LIMIT ${MAX_OWNERS}`,
  )
  const [pricebook] = await fetchIds(org, 'SELECT Id FROM Pricebook2 WHERE IsStandard = true LIMIT 1')
  if (pricebook === undefined) throw new Error('The org has no standard price book: it was deleted.')
  return {
    today,
    owners,
    pricebook,
    pick(random, object, field) {
      const values = picklists.get(`${object}.${field}`) ?? []
      return values.length === 0 ? null : random.helpers.arrayElement(values)
    },
  }
}
