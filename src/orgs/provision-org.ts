import { addConsoleApp } from '../auth/apps/add-console-app.ts'
import { secondsText } from '../base/clock.ts'
import { holdExit } from '../base/exit-hold.ts'
import { deployInside } from '../schema/change/deploy.ts'
import { loadSnapshot } from '../schema/snapshot/load-snapshot.ts'
import { metadataSql } from '../schema/snapshot/metadata.sql.ts'
import { requireObject, type SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import { businessHoursSql } from '../standard/service/business-hours.sql.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { PREPARED_ORG } from '../storage/orgs/orgs.sql.ts'
import { createOrg, takePreparedSchema } from '../storage/orgs/orgs.ts'
import { RecordIds } from '../storage/orgs/record-ids.ts'
import { firstProfiles } from './first-profiles.ts'
import { type FirstRecord, insertFirstRecords } from './first-records.sql.ts'
import { guestUser, guestUsername } from './guest-user.ts'
import { createOwnTables, createPreparedTables } from './own-tables.ts'
import { markUpToDate } from './upgrade-org.ts'

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

/** Creates the tables of an org for an image of the database. The first org that is created has them. */
export function prepareOrg(db: Db): Promise<void> {
  return db.transaction(async (tx) => {
    await createPreparedTables(tx)
    await deployInside(tx, PREPARED_ORG, { objects: STANDARD_OBJECTS })
  })
}

/** Creates the tables of an org, or takes those of an image. */
async function provisionTables(tx: Db, org: Org): Promise<SchemaSnapshot> {
  if (await takePreparedSchema(tx, org)) {
    // The prepared objects exist as of now.
    await tx.script([metadataSql.touch(org), ...metadataSql.bumpAccess(org)])
    return loadSnapshot(tx, org)
  }
  await createOwnTables(tx, org)
  return (await deployInside(tx, org, { objects: STANDARD_OBJECTS, isOnFirstUse: () => true })).schema
}

/**
 * Creates an org with the standard objects, its organization record, profiles, a first user and the guest user, in
 * one transaction.
 */
export function provisionOrg(
  db: Db,
  name: string,
  user: FirstUser,
  now: Date,
  host?: string,
): Promise<ProvisionedOrg> {
  const provision = async (tx: Db) => {
    const org = await createOrg(tx, name, host)
    const schema = await provisionTables(tx, org)
    const ids = new RecordIds(org, tx)
    const idFor = (object: string) => ids.make(requireObject(schema, object).keyPrefix)
    const userId = await idFor('User')
    const profiles = await firstProfiles(idFor)
    const { emailencodingkey, ...organizationLocale } = LOCALE
    const { localesidkey, languagelocalekey, timezonesidkey } = organizationLocale
    const records: FirstRecord[] = [
      ...profiles.records,
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
          profileid: profiles.administratorId,
          ...LOCALE,
        },
      },
      guestUser(await idFor('User'), guestUsername(org), profiles.guestId, LOCALE),
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
    for (const statement of insertFirstRecords(org, records, userId, secondsText(now))) {
      await tx.query(statement)
    }
    await tx.query(businessHoursSql.addFirst(org))
    await addConsoleApp(tx, org, userId, now)
    await markUpToDate(tx, org)
    return { org, userId }
  }
  return holdExit(() => db.transaction(provision))
}
