import { ValueCipher } from '../../access/value-cipher.ts'
import type { SecretBox } from '../../auth/keys/secret-box.ts'
import { isEncrypted } from '../../schema/fields/encrypted-value.sql.ts'
import { encryptedstring } from '../../schema/fields/encryptedstring.ts'
import { loadDefinitions } from '../../schema/snapshot/load-snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type EncryptedTable, encryptedValuesSql } from '../stored-values/encrypted-values.sql.ts'
import { encryptedTables, rewritePage } from '../stored-values/rewrite-values.ts'
import { snapshotSql } from '../stored-values/snapshot.sql.ts'
import type { Reached, RecordStep } from './upgrade-step.ts'

/** Between the name of a table and the id of a record, in a position. */
const BETWEEN = '/'

/** Where an org has encrypted values, in one order: the records first, then what its snapshots keep of them. */
async function loadTables(tx: Db, org: Org): Promise<EncryptedTable[]> {
  const kept = await tx.query<EncryptedTable>(snapshotSql.tablesWith(org, encryptedstring.name))
  return [...encryptedTables(await loadDefinitions(tx, org)), ...kept]
}

async function encryptNext(tx: Db, org: Org, position: string | null, secrets: SecretBox): Promise<Reached> {
  const tables = await loadTables(tx, org)
  const [name, lastId = ''] = position?.split(BETWEEN) ?? []
  const found = tables.findIndex((table) => table.name === name)
  // A snapshot may have gone meanwhile: then all is looked at again, which finds nothing to do.
  const [index, after] = found < 0 ? [0, ''] : [found, lastId]
  const table = tables[index]
  if (table === undefined) return { isDone: true, progress: 1 }
  if (after === '' && table.name !== table.object) await tx.script([encryptedValuesSql.indexIds(org, table)])
  const cipher = new ValueCipher(secrets, org)
  const last = await rewritePage(tx, org, table, after, true, (stored, location) =>
    isEncrypted(stored) ? stored : cipher.seal(stored, location),
  )
  const [next, nextIndex] = last === undefined ? [tables[index + 1], index + 1] : [table, index]
  if (next === undefined) return { isDone: true, progress: 1 }
  const reached = `${next.name}${BETWEEN}${last ?? ''}`
  return { isDone: false, position: reached, progress: nextIndex / tables.length }
}

/**
 * Encrypts what was stored before values were: by older versions, or before a field became an encrypted one. Until then
 * such values read as they are.
 */
export const ENCRYPTED_VALUES: RecordStep = { kind: 'records', name: 'encrypted values', run: encryptNext }
