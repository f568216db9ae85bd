import type { Context } from '../../context.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'

export function makeAuditFields(ctx: Context): AuditFields {
  return { userId: ctx.principal.userId, timestamp: makeTimestamp(ctx.clock()) }
}
