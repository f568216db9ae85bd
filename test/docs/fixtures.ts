import type { openOrg, TestOrg } from '../support/org.ts'
import { MILESTONE, PROJECT } from '../support/project-schema.ts'

/** What a page needs before its first example, by the name in `<!-- fixture: name -->`. */
export interface Fixture {
  readonly options?: Parameters<typeof openOrg>[0]
  prepare?(org: TestOrg): Promise<void>
}

/** Creates many accounts by calls of 200. */
async function createAccounts(org: TestOrg, count: number): Promise<void> {
  for (let start = 0; start < count; start += 200) {
    const records = Array.from({ length: Math.min(200, count - start) }, (_, index) => ({
      attributes: { type: 'Account' },
      Name: `Account ${String(start + index + 1).padStart(4, '0')}`,
    }))
    const answer = await org.call('POST', '/composite/sobjects', { body: { allOrNone: true, records } })
    if (answer.body[0]?.success !== true) throw new Error(`create accounts: ${answer.text}`)
  }
}

export const FIXTURES: Readonly<Record<string, Fixture>> = {
  /** It is half a minute past ten on 22 November 2026. */
  clock: { options: { clock: () => new Date('2026-11-22T10:00:30Z') } },
  /** Project__c and its detail Milestone__c. */
  projects: { prepare: (org) => org.deploy([PROJECT, MILESTONE]) },
  /** More accounts than one page of 200 records. */
  'many-accounts': { prepare: (org) => createAccounts(org, 450) },
}
