import { route } from '../calls/route.ts'
import { describeTabs, describeTheme } from '../schema/describe/describe-tab.ts'
import { conditional } from './conditional.ts'

/** Names and icons of the tabs of the caller's objects. */
export const tabRoutes = [
  route('GET', '/tabs', 'describe', (ctx, call) =>
    conditional(ctx, call, () => describeTabs(ctx.visible, ctx.origin)),
  ),
  route('GET', '/theme', 'describe', (ctx, call) => conditional(ctx, call, () => describeTheme(ctx.visible))),
]
