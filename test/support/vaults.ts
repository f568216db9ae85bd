import { sql } from '../../src/base/sql.ts'
import { fetchSteps } from './deploying.ts'
import type { TestOrg } from './org.ts'

/** An object with a secret, which may stand in another one of its kind. */
export const VAULT = {
  fields: {
    Secret__c: { type: 'encryptedstring', length: 40 },
    Code__c: { type: 'string', length: 20, unique: true, externalId: true },
    Outer__c: { type: 'reference', to: 'Vault__c', children: 'Vaults__r' },
    What__c: { type: 'reference', to: ['Vault__c', 'Account'] },
  },
  listViews: { All: { columns: ['Name', 'Secret__c'] } },
} as const

export const deployVaults = (o: TestOrg) => fetchSteps(o, { Vault__c: VAULT as never })

const table = ({ org }: Pick<TestOrg, 'org'>) => sql.id(org.schemaName, 'vault__c')

/** Returns the stored form of a secret. */
export async function storedSecret(o: Pick<TestOrg, 'db' | 'org'>, id: string): Promise<string | null> {
  const [row] = await o.db.query<{ value: string | null }>(
    sql`select secret__c as value from ${table(o)} where id = ${id}`,
  )
  return row!.value
}

/** Puts something there past the server, as an older version did. */
export const storeSecret = (o: Pick<TestOrg, 'db' | 'org'>, id: string, value: string) =>
  o.db.query(sql`update ${table(o)} set secret__c = ${value} where id = ${id}`)
