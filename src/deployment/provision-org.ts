import { ADMINISTRATOR_PROFILE } from '../auth/users.ts'
import { secondsText } from '../base/clock.ts'
import { ddl } from '../schema/ddl.sql.ts'
import { deploySchema } from '../schema/deploy.ts'
import { metadataSql } from '../schema/metadata.sql.ts'
import { syncSearchIndexes } from '../schema/search-indexes.ts'
import { requireObject } from '../schema/snapshot.ts'
import { pageSql } from '../soql/page.sql.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'
import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { createOrg } from '../storage/orgs.ts'
import { RecordIds } from '../storage/record-ids.ts'
import { type FirstRecord, insertFirstRecord } from './first-records.sql.ts'
import { importJournalSql } from './imports/import-journal.sql.ts'

interface FirstUser {
  readonly username: string
}

interface ProvisionedOrg {
  readonly org: Org
  readonly userId: string
}

const LOCALE = {
  localesidkey: 'en_US',
  languagelocalekey: 'en_US',
  timezonesidkey: 'GMT',
  emailencodingkey: 'UTF-8',
}

/** Makes an org with the standard objects, its organization record, a profile and a first user. One transaction. */
export function provisionOrg(db: Db, name: string, user: FirstUser, now: Date): Promise<ProvisionedOrg> {
  return db.transaction(async (tx) => {
    const org = await createOrg(tx, name)
    await tx.script([
      ...metadataSql.createTables(org),
      ...pageSql.createTables(org),
      ...importJournalSql.createTable(org),
    ])
    const schema = await deploySchema(tx, org, { objects: STANDARD_OBJECTS })
    const ids = new RecordIds(org, tx)
    const idFor = (object: string) => ids.make(requireObject(schema, object).keyPrefix)
    const [userId, profileId] = [await idFor('User'), await idFor('Profile')]
    const { emailencodingkey, ...organizationLocale } = LOCALE
    const { localesidkey, languagelocalekey, timezonesidkey } = organizationLocale
    const records: FirstRecord[] = [
      { table: 'profile', values: { id: profileId, name: ADMINISTRATOR_PROFILE } },
      {
        table: 'user',
        values: {
          id: userId,
          username: user.username,
          lastname: 'Administrator',
          email: user.username,
          alias: 'admin',
          communitynickname: 'admin',
          isactive: true,
          usertype: 'Standard',
          profileid: profileId,
          ...LOCALE,
        },
      },
      {
        table: 'organization',
        values: {
          id: org.id,
          name,
          organizationtype: 'Developer Edition',
          instancename: 'OBJ1',
          issandbox: false,
          defaultlocalesidkey: localesidkey,
          languagelocalekey,
          timezonesidkey,
          fiscalyearstartmonth: 1,
        },
      },
      {
        table: 'pricebook2',
        values: {
          id: await idFor('Pricebook2'),
          name: 'Standard Price Book',
          isstandard: true,
          isactive: true,
        },
      },
    ]
    for (const record of records) {
      await tx.query(insertFirstRecord(org, record, userId, secondsText(now)))
    }
    return { org, userId }
  })
}

/** Adds what a newer version of the standard objects, of the search or of imports has and the org lacks. */
export async function upgradeOrg(db: Db, org: Org): Promise<void> {
  const schema = await deploySchema(db, org, { objects: STANDARD_OBJECTS })
  await syncSearchIndexes(db, org, schema)
  await db.script(importJournalSql.createTable(org))
  const tables = await db.query<{ name: string }>(ddl.withoutDeletion(org, schema.objects))
  if (tables.length > 0) await db.script(tables.map(({ name }) => ddl.addDeletion(org, name)))
}
