import { Sessions } from '../src/auth/tokens/sessions.ts'
import { systemClock } from '../src/base/clock.ts'
import { makeRecordId } from '../src/base/record-id.ts'
import { type Sql, sql } from '../src/base/sql.ts'
import { provisionOrg } from '../src/deployment/orgs/provision-org.ts'
import { deploySchema } from '../src/schema/change/deploy.ts'
import type { Engine } from '../src/storage/database/db.ts'
import { migrate } from '../src/storage/migrate.ts'
import type { Org } from '../src/storage/orgs/org.ts'

/** An org with many accounts, and what a client and the baseline need to know of it. */
export interface Dataset {
  readonly org: Org
  readonly userId: string
  readonly token: string
  /** Ids of all accounts. */
  readonly ids: readonly string[]
  /** Fields of the account as the baseline writes them by hand. */
  readonly fields: readonly {
    readonly name: string
    readonly datetime: boolean
    readonly address?: readonly string[] | undefined
  }[]
}

/** How many of the accounts have contacts, and how many each. */
const WITH_CONTACTS = 20_000
const CONTACTS_EACH = 5

/** Contacts of the first accounts, with all that a select list may name. */
function insertContacts(org: Org, userId: string, accountIds: readonly string[]): Sql {
  const ids = Array.from({ length: accountIds.length * CONTACTS_EACH }, (_, n) =>
    makeRecordId('003', 1_000_000_000 + n),
  )
  return sql`
    insert into ${sql.id(org.schemaName, 'contact')}
      (id, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid, firstname, lastname,
       email, accountid)
    select id, now(), ${userId}, now(), ${userId}, now(), ${userId}, 'Ada', 'Contact ' || n,
           'contact' || n || '@example.com', (${accountIds}::text[])[1 + (n - 1) / ${CONTACTS_EACH}::integer]
    from unnest(${ids}::text[]) with ordinality as made (id, n)`
}

/** Fills an empty database with `accounts` accounts. */
export async function makeDataset({ db }: Engine, accounts: number): Promise<Dataset> {
  await migrate(db)
  const { org, userId } = await provisionOrg(db, 'Bench', { username: 'bench@objectry.local' }, new Date())
  const { schema } = await deploySchema(db, org, {
    objects: [
      {
        name: 'Account',
        label: 'Account',
        labelPlural: 'Accounts',
        keyPrefix: '001',
        fields: [
          {
            name: 'Bench_Key__c',
            label: 'Bench Key',
            type: 'string',
            length: 80,
            unique: true,
            externalId: true,
          },
        ],
      },
    ],
  })
  const sessions = new Sessions(db, () => systemClock, 7200)
  const token = await sessions.issue({ org, clientId: 'bench', userId, scopes: ['api'], grantType: 'bench' })
  // Far above what the server will hand out.
  const ids = Array.from({ length: accounts }, (_, n) => makeRecordId('001', 1_000_000_000 + n))
  await db.query(sql`
    insert into ${sql.id(org.schemaName, 'account')}
      (id, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid, name, industry,
       numberofemployees, annualrevenue, billingcity, billingcountry, phone, website, description, bench_key__c)
    select id, now(), ${userId}, now(), ${userId}, now(), ${userId},
           'Account ' || n, (array['Energy', 'Banking', 'Retail'])[1 + n % 3], n % 5000, n * 10, 'Oslo', 'Norway',
           '+47 22 00 00 00', 'https://example.com/' || n, 'An account of the bench', 'key-' || n
    from unnest(${ids}::text[]) with ordinality as made (id, n)`)
  await db.query(insertContacts(org, userId, ids.slice(0, WITH_CONTACTS)))
  for (const table of ['account', 'contact']) {
    await db.script([sql`vacuum analyze ${sql.id(org.schemaName, table)}`])
  }
  const fields = schema.object('Account')!.fields.map((field) => ({
    name: field.name,
    datetime: field.type.name === 'datetime',
    address: field.parts.length > 0 ? field.parts.map((part) => part.name) : undefined,
  }))
  return { org, userId, token, ids, fields }
}
