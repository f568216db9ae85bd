import type { Org } from '../storage/org.ts'
import type { RecordType } from './definition.ts'
import { recordTypeSql } from './record-types.sql.ts'
import type { PartRecords } from './sync-parts.ts'

/** The `RecordType` records. */
export const recordTypeRecords = (org: Org): PartRecords<RecordType> => ({
  of: ({ recordTypes = [] }) => recordTypes,
  save: (object, type) => recordTypeSql.save(org, object, type),
  remove: (ids) => recordTypeSql.remove(org, ids),
})
