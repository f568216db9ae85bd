import type { Org } from '../storage/org.ts'
import type { ListView } from './definition.ts'
import { listViewSql } from './list-views.sql.ts'
import type { PartRecords } from './sync-parts.ts'

/** The `ListView` records. */
export const listViewRecords = (org: Org): PartRecords<ListView> => ({
  of: ({ listViews = [] }) => listViews,
  save: (object, view) => listViewSql.save(org, object, view),
  remove: (ids) => listViewSql.remove(org, ids),
})
