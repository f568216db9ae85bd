import { systemClock } from '../../base/clock.ts'
import { addUpAgain } from '../../records/steps/parent-effects.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { orderDeriving } from './order-deriving.ts'
import type { Reached, RecordStep } from './upgrade-step.ts'
import { walkRecords } from './walk-records.ts'

/** True if records of the object have values that sum up their details. */
export const sumsUp = ({ fields }: ObjectType): boolean => fields.some(({ rollUp }) => rollUp !== undefined)

/** The objects with roll-ups, details before their masters. */
const listMasters = (schema: SchemaSnapshot): readonly ObjectType[] =>
  orderDeriving(schema, schema.storedObjects.filter(sumsUp))

async function sumUpNext(tx: Db, org: Org, position: string | null): Promise<Reached> {
  const schema = await loadSnapshot(tx, org)
  return walkRecords(tx, org, listMasters(schema), position, (object, ids) => {
    const audit = { userId: '', timestamp: makeTimestamp(systemClock()) }
    return addUpAgain({ db: tx, org, schema }, object, ids, audit)
  })
}

/** Sums up again what records have of their details, after a change of the definitions. Only SystemModstamp moves. */
export const ROLL_UPS: RecordStep = { kind: 'records', name: 'roll-ups', run: sumUpNext }
