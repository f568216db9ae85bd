import { secondsText } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Stamp } from './write.sql.ts'

export function stampOf(ctx: Context): Stamp {
  return { userId: ctx.principal.userId, time: secondsText(ctx.clock()) }
}
