import type { Context } from '../context.ts'
import { momentOf } from '../storage/moment.sql.ts'
import type { Stamp } from './write.sql.ts'

export function stampOf(ctx: Context): Stamp {
  return { userId: ctx.principal.userId, moment: momentOf(ctx.clock()) }
}
