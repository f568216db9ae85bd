import type { Fault } from './fault.ts'
import type { Tenants } from './tenants.ts'

const CALLERS = 3
const RECORDS = 200
const LIMIT_MS = 120_000

/** Text that no record has, looked for in each of them. */
const SLOW_QUERY = `SELECT COUNT(Id) c, MAX(Text__c) m FROM Part__c WHERE Text__c LIKE '%${'%a_b'.repeat(20)}%' OR Key__c LIKE '%z%y%x%'`

/** Callers who write 200 records at a time, and ask for what takes a long time. */
export function heavyCalls({ first }: Tenants): Fault {
  let callers: Promise<unknown> | undefined
  let isOver = false
  let number = 0
  const makeRecords = () =>
    Array.from({ length: RECORDS }, () => ({
      attributes: { type: 'Part__c' },
      Key__c: `heavy-${Date.now()}-${number++}`,
      Text__c: 'ab'.repeat(120),
    }))
  const keepCalling = async () => {
    const client = first.client(LIMIT_MS)
    while (!isOver) {
      await client.call('POST', '/composite/sobjects', { allOrNone: true, records: makeRecords() })
      await client.query(SLOW_QUERY)
    }
  }
  return {
    name: 'heavy-calls',
    async begin() {
      isOver = false
      callers = Promise.all(Array.from({ length: CALLERS }, keepCalling))
    },
    async end() {
      isOver = true
      await callers
    },
  }
}
