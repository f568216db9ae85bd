import { ValueCipher } from '../../access/value-cipher.ts'
import type { SecretBox } from '../../auth/keys/secret-box.ts'
import { isEncrypted } from '../../schema/fields/encrypted-value.sql.ts'
import { encryptedstring } from '../../schema/fields/encryptedstring.ts'
import { loadDefinitions } from '../../schema/snapshot/load-snapshot.ts'
import { loadAbsentTables } from '../../schema/snapshot/used-objects.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type EncryptedTable, encryptedValuesSql } from '../stored-values/encrypted-values.sql.ts'
import { findEncryptedTables, rewritePage } from '../stored-values/rewrite-values.ts'
import { SNAPSHOT_TABLE, snapshotSql } from '../stored-values/snapshot.sql.ts'
import type { Reached, RecordStep } from './upgrade-step.ts'

/** Separates the table name and the record id in a position. */
const SEPARATOR = '/'

/** The tables with encrypted values in a fixed order: objects first, then snapshot copies. */
async function loadTables(tx: Db, org: Org): Promise<EncryptedTable[]> {
  const absent = await loadAbsentTables(tx, org)
  const ofObjects = findEncryptedTables(await loadDefinitions(tx, org))
  const kept = absent.has(SNAPSHOT_TABLE)
    ? []
    : await tx.query<EncryptedTable>(snapshotSql.tablesWith(org, encryptedstring.name))
  return [...ofObjects.filter(({ name }) => !absent.has(name)), ...kept]
}

async function encryptNext(tx: Db, org: Org, position: string | null, secrets: SecretBox): Promise<Reached> {
  const tables = await loadTables(tx, org)
  const [name, lastId = ''] = position?.split(SEPARATOR) ?? []
  const found = tables.findIndex((table) => table.name === name)
  // If the snapshot was deleted meanwhile, start from the beginning. Encrypted values are skipped.
  const [index, after] = found < 0 ? [0, ''] : [found, lastId]
  const table = tables[index]
  if (table === undefined) return { isDone: true, progress: 1 }
  if (after === '' && table.name !== table.object) await tx.script([encryptedValuesSql.indexIds(org, table)])
  const cipher = ValueCipher.of(secrets, org)
  const last = await rewritePage(tx, org, table, after, true, (stored, location) =>
    isEncrypted(stored) ? stored : cipher.seal(stored, location),
  )
  const [next, nextIndex] = last === undefined ? [tables[index + 1], index + 1] : [table, index]
  if (next === undefined) return { isDone: true, progress: 1 }
  const reached = `${next.name}${SEPARATOR}${last ?? ''}`
  return { isDone: false, position: reached, progress: nextIndex / tables.length }
}

/**
 * Encrypts values that older versions stored, or that were stored before a field became an encrypted one. Until then
 * they are read as plain values.
 */
export const ENCRYPTED_VALUES: RecordStep = { kind: 'records', name: 'encrypted values', run: encryptNext }
