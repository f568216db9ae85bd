import type { Context } from '../../context.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { AuditFields } from './write.sql.ts'

export function makeAuditFields(ctx: Context): AuditFields {
  return { userId: ctx.principal.userId, timestamp: makeTimestamp(ctx.clock()) }
}
