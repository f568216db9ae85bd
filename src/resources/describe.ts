import { type Handler, route } from '../calls/route.ts'
import { describeAll, describeBriefly, describeFully } from '../schema/describe/describe-object.ts'
import { describeTabs, describeTheme } from '../schema/describe/describe-tab.ts'
import { conditional, once } from './conditional.ts'
import { findObject } from './find-object.ts'
import { loadRecent } from './recent.ts'

const describeGlobal: Handler<object> = (ctx, call) =>
  conditional(ctx, call, () =>
    once(ctx.visible, ctx.version.path, () => describeAll(ctx.visible, ctx.version)),
  )

/**
 * The describe body and the public "basic information" at once: the members of the full describe beside
 * `objectDescribe` and `recentItems`. (docs/reference/api/metadata.md#basic-information)
 */
const basicInformation: Handler<{ object: string }> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const recentItems = await loadRecent(ctx, object)
  return conditional(ctx, call, () => ({
    objectDescribe: describeBriefly(object, ctx.version),
    recentItems,
    ...describeFully(ctx.visible, object, ctx.version, ctx.origin),
  }))
}

export const fullDescribe: Handler<{ object: string }> = (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  return conditional(ctx, call, () =>
    once(object, ctx.version.path + ctx.origin, () =>
      describeFully(ctx.visible, object, ctx.version, ctx.origin),
    ),
  )
}

/** Lists and describes objects. (docs/reference/api/metadata.md#basic-information) */
export const describeRoutes = [
  route('GET', '/sobjects', 'describe', describeGlobal),
  route('GET', '/sobjects/:object', 'describe', basicInformation),
  route('GET', '/sobjects/:object/describe', 'describe', fullDescribe),
]

/** Names and icons of the tabs of the caller's objects. */
export const tabRoutes = [
  route('GET', '/tabs', 'describe', (ctx, call) =>
    conditional(ctx, call, () => describeTabs(ctx.visible, ctx.origin)),
  ),
  route('GET', '/theme', 'describe', (ctx, call) => conditional(ctx, call, () => describeTheme(ctx.visible))),
]
