import type { Org } from '../../storage/orgs/org.ts'
import type { RecordType } from '../definitions/definition.ts'
import type { PartRecords } from '../definitions/sync-parts.ts'
import { recordTypeSql } from './record-types.sql.ts'

/** The `RecordType` records. */
export const recordTypeRecords = (org: Org): PartRecords<RecordType> => ({
  of: ({ recordTypes = [] }) => recordTypes,
  save: (object, type) => recordTypeSql.save(org, object, type),
  remove: (ids) => recordTypeSql.remove(org, ids),
})
