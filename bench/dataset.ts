import { Sessions } from '../src/auth/tokens/sessions.ts'
import { systemClock } from '../src/base/clock.ts'
import { makeRecordId } from '../src/base/record-id.ts'
import { type Sql, sql } from '../src/base/sql.ts'
import { provisionOrg } from '../src/orgs/provision-org.ts'
import { deploySchema } from '../src/schema/change/deploy.ts'
import type { Db, Engine } from '../src/storage/database/db.ts'
import { migrate } from '../src/storage/migrate.ts'
import type { Org } from '../src/storage/orgs/org.ts'

/** An org with many accounts, and what a client needs to know of it. */
export interface Dataset {
  readonly org: Org
  readonly userId: string
  readonly token: string
  /** Ids of all accounts. */
  readonly ids: readonly string[]
}

/** How many contacts an account has that has some. */
const CONTACTS_EACH = 5
/** How many contacts there are at most, unless a number is given. */
const DEFAULT_CONTACTS = 100_000

/** Rows of one statement. */
const CHUNK = 50_000

/** Far above what the server will hand out. */
const FIRST_ID = 1_000_000_000

/** Some rows of a table that has `n` from 1 on. */
export interface Chunk {
  readonly first: number
  readonly ids: readonly string[]
  /** Of contacts: the account of each. */
  readonly accountIds: readonly string[]
}

/** The ids of a table's rows. Contacts belong to the first accounts, five each, or more if there are too few accounts. */
export function* makeChunks(keyPrefix: string, rows: number, accounts: number): Generator<Chunk> {
  const each = Math.max(CONTACTS_EACH, Math.ceil(rows / accounts))
  for (let start = 0; start < rows; start += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, rows - start) }, (_, n) => start + n)
    yield {
      first: start + 1,
      ids: numbers.map((n) => makeRecordId(keyPrefix, FIRST_ID + n)),
      accountIds: numbers.map((n) => makeRecordId('001', FIRST_ID + Math.floor(n / each))),
    }
  }
}

function insertAccounts(org: Org, userId: string, { first, ids }: Chunk): Sql {
  return sql`
    insert into ${sql.id(org.schemaName, 'account')}
      (id, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid, name, industry,
       numberofemployees, annualrevenue, billingcity, billingcountry, phone, website, description, bench_key__c)
    select id, now(), ${userId}, now(), ${userId}, now(), ${userId},
           'Account ' || n, (array['Energy', 'Banking', 'Retail'])[1 + n % 3], n % 5000, n * 10, 'Oslo', 'Norway',
           '+47 22 00 00 00', 'https://example.com/' || n, 'An account of the bench', 'key-' || n
    from (select id, at + ${first - 1}::integer as n
          from unnest(${ids}::text[]) with ordinality as made (id, at)) numbered`
}

/** How many last names the contacts have: each comes again, as in life. */
export const LAST_NAMES = 200

/** Contacts with all that a select list may name. */
function insertContacts(org: Org, userId: string, { first, ids, accountIds }: Chunk): Sql {
  return sql`
    insert into ${sql.id(org.schemaName, 'contact')}
      (id, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid, firstname, lastname,
       email, accountid)
    select id, now(), ${userId}, now(), ${userId}, now(), ${userId}, 'Ada',
           'Contact ' || n % ${LAST_NAMES}::integer,
           'contact' || n || '@example.com', account
    from (select id, account, at + ${first - 1}::integer as n
          from unnest(${ids}::text[], ${accountIds}::text[]) with ordinality as made (id, account, at)) numbered`
}

/** Fills a table without its indexes and makes them again: an index over all rows is cheaper than one row at a time. */
async function fill(db: Db, org: Org, table: string, statements: Iterable<Sql>): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = ${org.schemaName} and tablename = ${table} and indexname <> ${`${table}_pkey`}`)
  await db.transaction(async (tx) => {
    await tx.script([
      sql`set local maintenance_work_mem = '512MB'`,
      ...indexes.map(({ name }) => sql`drop index ${sql.id(org.schemaName, name)}`),
    ])
    for (const statement of statements) await tx.query(statement)
    await tx.script(indexes.map(({ definition }) => sql.raw(definition)))
  })
  await db.script([sql`vacuum analyze ${sql.id(org.schemaName, table)}`])
}

/** Fills an empty database with accounts, and with contacts of the first ones. */
export async function makeDataset(
  { db }: Engine,
  accounts: number,
  contacts = Math.min(DEFAULT_CONTACTS, accounts * CONTACTS_EACH),
): Promise<Dataset> {
  await migrate(db)
  const { org, userId } = await provisionOrg(db, 'Bench', { username: 'bench@objectry.local' }, new Date())
  await deploySchema(db, org, {
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
  const accountChunks = [...makeChunks('001', accounts, accounts)]
  const insert = (make: typeof insertAccounts) => (chunk: Chunk) => make(org, userId, chunk)
  await fill(db, org, 'account', accountChunks.values().map(insert(insertAccounts)))
  await fill(db, org, 'contact', makeChunks('003', contacts, accounts).map(insert(insertContacts)))
  return { org, userId, token, ids: accountChunks.flatMap(({ ids }) => ids) }
}
