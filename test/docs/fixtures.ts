import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { createUser } from '../support/create-user.ts'
import type { openOrg, TestOrg } from '../support/org.ts'
import { MILESTONE, PROJECT } from '../support/project-schema.ts'
import { SIGN_IN } from './sign-in.ts'

/** The preparation that a page needs before its first example, by the name in `<!-- fixture: name -->`. */
export interface Fixture {
  readonly options?: Parameters<typeof openOrg>[0]
  /** The org is the first one of a database of its own. */
  readonly isFirstOrg?: boolean
  /** Sent with each request of the page. */
  readonly headers?: Readonly<Record<string, string>>
  /** Gives what texts of the page stand for: `{'<code>': 'aPrx...'}`. */
  prepare?(org: TestOrg): Promise<Readonly<Record<string, string>> | undefined>
}

/** Creates leads by calls of 200. */
async function createLeads(org: TestOrg, count: number): Promise<void> {
  for (let start = 0; start < count; start += 200) {
    const records = Array.from({ length: Math.min(200, count - start) }, (_, index) => ({
      attributes: { type: 'Lead' },
      LastName: `Lead ${start + index + 1}`,
      Company: 'Acme',
    }))
    const answer = await org.call('POST', '/composite/sobjects', { body: { allOrNone: true, records } })
    if (answer.body[0]?.success !== true) throw new Error(`create leads: ${answer.text}`)
  }
}

const THEME: ObjectDefinition = {
  name: 'Theme__c',
  label: 'Theme',
  labelPlural: 'Themes',
  keyPrefix: '',
  fields: [
    { name: 'Name', label: 'Theme Name', type: 'string', length: 80, nameField: true },
    { name: 'Settings__c', label: 'Settings', type: 'json', length: 131_072 },
  ],
}

/** A log-in by SOAP names no org: it is the one of the host. */
const SOAP_HOST = 'soap.example.com'

export const FIXTURES: Readonly<Record<string, Fixture>> = {
  /** It is half a minute past ten on 22 November 2026. */
  clock: { options: { clock: () => new Date('2026-11-22T10:00:30Z') } },
  /** Project__c and its detail Milestone__c, and Theme__c with a document. */
  projects: {
    async prepare(org) {
      await org.deploy([PROJECT, MILESTONE, THEME])
      return undefined
    },
  },
  /** Three pages of 200 leads. */
  leads: {
    async prepare(org) {
      await createLeads(org, 450)
      return undefined
    },
  },
  /** Failures may be injected, and the clock may be moved. */
  faults: { options: { settings: { allowFaults: 'true' } } },
  /** Administrators of the org manage all orgs. */
  'first-org': { isFirstOrg: true },
  /** The versions 31.0 to 35.0 are in their last year, and 36.0 has retired. */
  'old-versions': {
    options: {
      clock: () => new Date('2027-06-15T12:00:00Z'),
      settings: { retirements: '31-35=2028-06-01;36=2027-06-01' },
    },
  },
  /** Users may log in by SOAP, and loader@objectry.test has a password. */
  soap: {
    options: { host: SOAP_HOST, settings: { allowSoapLogin: 'true' } },
    headers: { host: SOAP_HOST },
    async prepare(org) {
      const userId = await createUser(org, 'loader')
      await setPassword(org.db, org.org, userId, 'a password of the page', systemClock)
      return { '<token>': org.token }
    },
  },
  'sign-in': SIGN_IN,
}
