import { rowRule } from '../../access/row-rules.sql.ts'
import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import { uniqueIndexName } from '../../schema/change/ddl.sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import { isNamed } from '../../storage/orgs/cluster.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import { writeSql } from '../steps/write.sql.ts'

/**
 * The unique fields one of which has a value that a failed write duplicated, usually one; empty when it failed otherwise. A cluster cuts long
 * names, so that some are alike.
 */
function findDuplicatedFields(object: ObjectType, failure: unknown): Field[] {
  const fault = databaseFault(failure)
  if (fault?.kind !== 'duplicate') return []
  return object.fields.filter(
    (field) => field.definition.unique === true && isNamed(fault.constraint, uniqueIndexName(object, field)),
  )
}

/** The error, with the id of the record that has the value if the caller can see it. (docs/reference/api/records.md#error-codes) */
const duplicateValue = (object: ObjectType, field: Field, holder: string | null) =>
  findBehaviour(object)?.duplicates?.[field.name]?.() ??
  new ApiError(
    'DUPLICATE_VALUE',
    `duplicate value found: ${field.name} duplicates value on record with id: ${holder?.slice(0, 15) ?? '<unknown>'}`,
    { fields: [] },
  )

/**
 * Finds the records whose unique value another record, or an earlier one in the list, already has. Empty when the
 * failure had another cause.
 */
export async function findDuplicates(
  ctx: Context,
  object: ObjectType,
  failure: unknown,
  records: readonly PlannedRecord[],
): Promise<Refusals<PlannedRecord>> {
  const fields = findDuplicatedFields(object, failure)
  for (const field of fields) {
    const refusals = await findHolders(ctx, object, field, records)
    if (refusals.size > 0) return refusals
  }
  // The record with the value may have been deleted meanwhile.
  return fields.length > 0 && records.length === 1
    ? new Map([[records[0]!, duplicateValue(object, fields[0]!, null)]])
    : new Map()
}

/** The records whose value of the field another record, or an earlier one in the list, already has. */
async function findHolders(
  ctx: Context,
  object: ObjectType,
  field: Field,
  records: readonly PlannedRecord[],
): Promise<Refusals<PlannedRecord>> {
  const refusals: Refusals<PlannedRecord> = new Map()
  const holding = records.filter(({ values }) => (values.get(field) ?? null) !== null)
  type Holder = { position: number; holder: string | null; seen: boolean; value: string }
  const rule = rowRule(ctx, object, 'holder', 'read')
  const rows = await ctx.db.query<Holder>(writeSql.holders(ctx.org, object, field, holding, rule))
  const firsts = new Map<string, PlannedRecord>()
  for (const { position, holder, seen, value } of rows) {
    const record = holding[position]!
    const first = getOrInsert(firsts, value, () => record)
    if (holder !== null || first !== record)
      refusals.set(record, duplicateValue(object, field, seen ? holder : null))
  }
  return refusals
}
