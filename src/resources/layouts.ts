import { ApiError, notFound } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { namedObject } from '../records/write/named-object.ts'
import { compactLayout, compactLayouts } from '../schema/describe/compact-layout.ts'
import { describeLayout, describeLayouts, GLOBAL_LAYOUTS } from '../schema/describe/describe-layout.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { getRecordTypes } from '../schema/record-types/get-record-types.ts'
import { conditional, once } from './conditional.ts'
import { findObject } from './find-object.ts'

const describeUrl = (ctx: Context, object: ObjectType, what: string) =>
  `${ctx.version.path}/sobjects/${object.name}/describe/${what}`

/** Layout descriptions are made once per schema and live as long as it. */
const described =
  (what: string, make: (ctx: Context, object: ObjectType) => unknown): Handler<{ object: string }> =>
  (ctx, call, params) => {
    const object = findObject(ctx, params.object)
    return conditional(ctx, call, () => once(object, `${what} ${ctx.version.text}`, () => make(ctx, object)))
  }

const globalLayouts: Handler<object> = (ctx, call) => conditional(ctx, call, () => GLOBAL_LAYOUTS)

const objectLayouts = described('layouts', (ctx, object) =>
  describeLayouts(ctx.visible, object, describeUrl(ctx, object, 'layouts')),
)

/** The layout of an object's records of one type: the types of an object have one layout. */
const layoutOfType: Handler<{ object: string; recordTypeId: string }> = (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const id = canonicalRecordId(params.recordTypeId)
  if (id === undefined || !getRecordTypes(object).some((type) => type.id === id)) {
    throw notFound()
  }
  return conditional(ctx, call, () =>
    once(object, `layout ${ctx.version.text}`, () => describeLayout(ctx.visible, object)),
  )
}

const namedLayouts: Handler<{ object: string; name: string }> = (ctx, call, params, dispatch) => {
  const { definition } = findObject(ctx, params.object)
  if (definition.namedLayouts?.includes(params.name) !== true) {
    throw notFound()
  }
  return objectLayouts(ctx, call, params, dispatch)
}

/** As many objects as one call asks about. */
const MAX_OBJECTS = 100

/** `?q=Account,Contact`: by name the compact layout of each. */
const layoutsOfMany: Handler<object> = (ctx, call) => {
  const requested = (call.query.get('q') ?? '').split(',').flatMap((name) => name.trim() || [])
  if (requested.length === 0) throw new ApiError('MISSING_ARGUMENT', 'The parameter q has to name objects')
  if (requested.length > MAX_OBJECTS) {
    const message = `The parameter q names ${requested.length} objects; ${MAX_OBJECTS} are the most`
    throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', message)
  }
  const objects = requested.map((name) => namedObject(ctx, name))
  return conditional(ctx, call, () =>
    Object.fromEntries(objects.map((object) => [object.name, compactLayout(ctx.visible, object)])),
  )
}

/** Answers an empty description for a known object. */
const none =
  (body: unknown): Handler<{ object: string }> =>
  (ctx, call, params) => {
    findObject(ctx, params.object)
    return conditional(ctx, call, () => body)
  }

/** How pages show the records of an object, for clients that draw such pages. */
export const layoutRoutes = [
  route('GET', '/describe/layouts', 'describe', globalLayouts),
  route('GET', '/sobjects/Global/describe/layouts', 'describe', globalLayouts),
  route('GET', '/sobjects/:object/describe/layouts', 'describe', objectLayouts),
  route('GET', '/sobjects/:object/describe/layouts/:recordTypeId', 'describe', layoutOfType),
  route('GET', '/sobjects/:object/describe/namedLayouts/:name', 'describe', namedLayouts),
  route(
    'GET',
    '/sobjects/:object/describe/compactLayouts',
    'describe',
    described('compactLayouts', (ctx, object) =>
      compactLayouts(ctx.visible, object, describeUrl(ctx, object, 'compactLayouts')),
    ),
  ),
  route(
    'GET',
    '/sobjects/:object/describe/compactLayouts/primary',
    'describe',
    described('compactLayout', (ctx, object) => compactLayout(ctx.visible, object)),
  ),
  route('GET', '/compactLayouts', 'describe', layoutsOfMany),
  route('GET', '/sobjects/:object/describe/approvalLayouts', 'describe', none({ approvalLayouts: [] })),
  route('GET', '/sobjects/:object/quickActions', 'describe', none([])),
  route('GET', '/quickActions', 'describe', (ctx, call) => conditional(ctx, call, () => [])),
]
