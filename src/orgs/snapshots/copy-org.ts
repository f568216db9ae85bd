import { ValueCipher } from '../../access/value-cipher.ts'
import { type SecretBox, WrongSecretKey } from '../../auth/keys/secret-box.ts'
import { passwordSql } from '../../auth/users/passwords.sql.ts'
import { holdExit } from '../../base/exit-hold.ts'
import { deployInside } from '../../schema/change/deploy.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { loadDefinitions } from '../../schema/snapshot/load-snapshot.ts'
import { makeSnapshot } from '../../schema/snapshot/snapshot.ts'
import { loadUsedObjects } from '../../schema/snapshot/used-objects.ts'
import { openUsedQueue, queuePending, type Requeuing } from '../../scripting/work/queue-pending.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { orgSql } from '../../storage/orgs/orgs.sql.ts'
import { createOrg } from '../../storage/orgs/orgs.ts'
import { createOwnTables } from '../own-tables.ts'
import { findEncryptedTables, rewritePage } from '../stored-values/rewrite-values.ts'
import { snapshotSql } from '../stored-values/snapshot.sql.ts'
import { loadUpgradeMark, upgradeAgain } from '../upgrade-org.ts'
import { noteStepsDone } from '../upgrades/step-store.ts'
import { loadCounters, setCounters } from './counters.ts'

/** Encrypts values again for the copy, because an encrypted value is bound to its org. */
async function reencryptValues(
  tx: Db,
  [source, copy]: readonly [Org, Org],
  objects: readonly ObjectDefinition[],
  secrets: SecretBox,
): Promise<void> {
  const [theirs, own] = [ValueCipher.of(secrets, source), ValueCipher.of(secrets, copy)]
  const rewrite = (stored: string, location: string) => {
    try {
      return own.seal(theirs.open(stored, location), location)
    } catch (error) {
      // The value reads as null in the source and stays so in the copy.
      if (error instanceof WrongSecretKey) return stored
      throw error
    }
  }
  for (const table of findEncryptedTables(objects)) {
    let last: string | undefined = ''
    while (last !== undefined) last = await rewritePage(tx, copy, table, last, false, rewrite)
  }
}

/**
 * Creates an org with the objects, users, passwords and records of another one, without its snapshots. Its pending background
 * work is queued for the copy too.
 * @param secrets with the server's key
 * @param finish what belongs to the copy too: it is there with all of this, or not at all
 */
export async function copyOrg(
  db: Db,
  requeuing: Requeuing,
  source: Org,
  name: string,
  host: string | undefined,
  secrets: SecretBox,
  finish: (tx: Db, org: Org) => Promise<void> = async () => {},
): Promise<Org> {
  const copy = async (tx: Db) => {
    await tx.script(snapshotSql.repeatableRead)
    const org = await createOrg(tx, name, host)
    await createOwnTables(tx, org)
    const objects = await loadDefinitions(tx, source)
    const used = await loadUsedObjects(tx, source, makeSnapshot(0, new Date(0), objects).storedObjects)
    const names = new Set(used.map(({ name }) => name))
    const isOnFirstUse = ({ name }: ObjectType) => !names.has(name)
    const { schema } = await deployInside(tx, org, { objects, mode: 'restore', isOnFirstUse })
    const copied = schema.storedObjects.filter(({ name }) => names.has(name))
    const rows = copied.map((object) => snapshotSql.copyRows(source, org, object))
    await tx.script(rows)
    await reencryptValues(tx, [source, org], objects, secrets)
    await tx.query(passwordSql.copy(source, org))
    await tx.query(snapshotSql.renameOrganization(source, org))
    await tx.query(orgSql.startIdsBehind(org, source))
    await queuePending(tx, requeuing, org)
    await setCounters(tx, org, await loadCounters(tx, source))
    // Copied records need the same upgrade steps as the records of the source.
    await noteStepsDone(tx, org)
    await upgradeAgain(tx, org, await loadUpgradeMark(tx, source))
    await finish(tx, org)
    return org
  }
  return holdExit(async () => {
    await openUsedQueue(requeuing)
    return db.transaction(copy)
  })
}
