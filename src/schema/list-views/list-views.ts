import type { Org } from '../../storage/orgs/org.ts'
import type { ListView } from '../definitions/definition.ts'
import type { PartRecords } from '../definitions/sync-parts.ts'
import { listViewSql } from './list-views.sql.ts'

/** The `ListView` records. */
export const listViewRecords = (org: Org): PartRecords<ListView> => ({
  of: ({ listViews = [] }) => listViews,
  save: (object, view) => listViewSql.save(org, object, view),
  remove: (ids) => listViewSql.remove(org, ids),
})
