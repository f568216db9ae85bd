import { ApiError } from '../../base/api-error.ts'
import type { Field } from '../../schema/fields/field.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { getText, type ObjectBehaviour } from './behaviour.ts'
import { uniqueTogetherSql } from './unique-together.sql.ts'

/**
 * Refuses a second record with the same two values.
 * @param fields the first is a required reference: of the records of one parent, one is written at a time
 * @param explain the message for the two values
 * @param named the fields that the error names
 */
export const uniqueTogether =
  (
    fields: readonly [string, string],
    explain: (first: string, second: string) => string,
    named: readonly string[] = [],
  ): NonNullable<ObjectBehaviour['refuseInsert']> =>
  async ({ org, db, schema, object }, records) => {
    const [first, second] = fields.map((name) => object.field(name)!) as [Field, Field]
    const refusals = new Map<(typeof records)[number], ApiError>()
    const refuse = (record: (typeof records)[number], pair: readonly [string, string]) =>
      refusals.set(record, new ApiError('DUPLICATE_VALUE', explain(...pair), { fields: named }))
    const seen = new Set<string>()
    const left: { record: (typeof records)[number]; pair: readonly [string, string] }[] = []
    for (const record of records) {
      const pair = [getText(object, record.values, first.name), getText(object, record.values, second.name)]
      if (pair[0] === undefined || pair[1] === undefined) continue
      const known = pair as [string, string]
      const key = JSON.stringify(known)
      if (seen.has(key)) refuse(record, known)
      else left.push({ record, pair: known })
      seen.add(key)
    }
    if (left.length === 0) return refusals
    const parent = requireObject(schema, first.referenceTo[0]!)
    await db.query(uniqueTogetherSql.lockParents(org, parent, [...new Set(left.map(({ pair }) => pair[0]))]))
    const columns = [first.column!, second.column!] as const
    const pairs = left.map(({ pair }) => pair)
    const taken = await db.query<{ position: number }>(
      uniqueTogetherSql.findTaken(org, object, columns, pairs),
    )
    for (const { position } of taken) refuse(left[position - 1]!.record, left[position - 1]!.pair)
    return refusals
  }
