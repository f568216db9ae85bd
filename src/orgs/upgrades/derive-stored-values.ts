import { systemClock } from '../../base/clock.ts'
import { deriveAgain } from '../../records/steps/derive-values.ts'
import { addUpAgain, listReceived } from '../../records/steps/parent-effects.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import { loadFiscalYear } from '../../standard/setup/load-fiscal-year.ts'
import type { Db } from '../../storage/database/db.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { derivedValuesSql } from './derived-values.sql.ts'
import { orderDeriving } from './order-deriving.ts'
import type { Reached, RecordStep } from './upgrade-step.ts'
import { walkRecords } from './walk-records.ts'

/** Objects whose records derive something or have something of others. */
const listObjects = (schema: SchemaSnapshot): readonly ObjectType[] =>
  orderDeriving(
    schema,
    schema.storedObjects.filter((object) => {
      const { derivation } = findBehaviour(object) ?? {}
      return derivation !== undefined || listReceived(schema, object).length > 0
    }),
  )

async function deriveNext(tx: Db, org: Org, position: string | null): Promise<Reached> {
  const schema = await loadSnapshot(tx, org)
  return walkRecords(tx, org, listObjects(schema), position, async (object, ids) => {
    const fiscalYear = await loadFiscalYear(tx, org)
    const where = { db: tx, org, schema }
    const audit = { userId: '', timestamp: makeTimestamp(systemClock()) }
    // First what derivations follow from.
    await addUpAgain(where, object, ids, audit, 'filled')
    for (const { id, values } of await deriveAgain(where, object, ids, fiscalYear)) {
      if (values.size > 0) await tx.query(derivedValuesSql.set(org, object, id, values))
    }
  })
}

/**
 * Sets what versions before this one did not derive. What clients may write is set only where it is empty, and records that
 * contradict themselves stay as they are.
 */
export const DERIVED_VALUES: RecordStep = {
  kind: 'records',
  name: 'derived values',
  version: '3',
  run: deriveNext,
}
