import { visibleTo } from '../access/visible-to.ts'
import { ApiError, notFound } from '../base/api-error.ts'
import type { Reply } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import { batch } from '../composite/batch.ts'
import { BATCH_SINCE, composite } from '../composite/composite.ts'
import type { Context } from '../context.ts'
import { requestedFields } from '../records/read/read.ts'
import { describeAll, isQueryable, isReplicateable } from '../schema/describe/describe-object.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { compileQuery } from '../soql/compile/compile.ts'
import { LOCATORS } from '../soql/paging/cursor.ts'
import { explanations } from '../soql/parse/query-error.ts'
import { type QueryResult, runNextPage, runQuery } from '../soql/run-query.ts'
import { isToolingObject, toolingSchema } from '../standard/tooling/tooling-schema.ts'
import { conditional } from './conditional.ts'
import { fullDescribe } from './describe.ts'
import { findObject, parseId } from './find-object.ts'
import { readQuery } from './query.ts'
import { getPageSize } from './requested-count.ts'
import { toolingCodeRoutes } from './tooling-code.ts'

/** The context of a call with the objects of the tooling API, and with its addresses. */
function withTooling(ctx: Context): Context {
  const schema = toolingSchema(ctx.schema)
  const version = { ...ctx.version, path: `${ctx.version.path}/tooling` }
  return { ...ctx, schema, visible: visibleTo(ctx.access, schema), version }
}

const tooling =
  <P>(handler: Handler<P>): Handler<P> =>
  (ctx, call, params, dispatch) =>
    handler(withTooling(ctx), call, params, dispatch)

/** Results have their size a second time. */
const asReply = (result: QueryResult): Reply => ({ status: 200, body: { size: result.totalSize, ...result } })

const query = tooling<object>(async (ctx, call) => {
  const text = readQuery(call)
  const { object } = compileQuery(text, ctx.visible, ctx.version).plan.sources[0]
  if (!isToolingObject(object)) throw new ApiError('INVALID_TYPE', explanations.noSuchObject(object.name))
  const options = { pageSize: getPageSize(ctx, call), deletedToo: false, locators: LOCATORS.tooling }
  return asReply(await runQuery(ctx, text, options))
})

const nextPage = tooling<{ locator: string }>(async (ctx, _call, { locator }) =>
  asReply(await runNextPage(ctx, locator, LOCATORS.tooling)),
)

const describeGlobal = tooling<object>((ctx, call) =>
  conditional(ctx, call, () => {
    const objects = ctx.visible.objects.filter(isToolingObject)
    return describeAll({ objects }, ctx.version)
  }),
)

/** The object that a path names, if the tooling API has it. */
function findToolingObject(ctx: Context, name: string): ObjectType {
  const object = findObject(ctx, name)
  if (!isToolingObject(object)) throw notFound()
  return object
}

const describe = tooling<{ object: string }>((ctx, call, params, dispatch) => {
  findToolingObject(ctx, params.object)
  return fullDescribe(ctx, call, params, dispatch)
})

/** A record as a query finds it: the objects that are only here have no other way to it. */
const read = tooling<{ object: string; id: string }>(async (ctx, call, params) => {
  const object = findToolingObject(ctx, params.object)
  const id = parseId(object, params.id)
  if (!isQueryable(object) || !isReplicateable(object)) throw notFound()
  const requested = call.query.get('fields')
  const fields = requested === null ? object.fields : requestedFields(object, requested.split(','))
  const names = fields.map(({ name }) => name).join(', ')
  const text = `SELECT ${names} FROM ${object.name} WHERE Id = '${id}'`
  const { records } = await runQuery(ctx, text, { pageSize: 1, deletedToo: false })
  if (records.length === 0) throw notFound()
  return { status: 200, body: records[0] }
})

const listResources: Handler<object> = ({ version: { path } }) => ({
  status: 200,
  body: {
    sobjects: `${path}/tooling/sobjects`,
    query: `${path}/tooling/query`,
    composite: `${path}/tooling/composite`,
    executeAnonymous: `${path}/tooling/executeAnonymous`,
    runTestsSynchronous: `${path}/tooling/runTestsSynchronous`,
    runTestsAsynchronous: `${path}/tooling/runTestsAsynchronous`,
  },
})

/** Resources that tools ask for: the definitions of an org as records, and objects that have none here. (docs/reference/api/tooling.md) */
export const toolingRoutes = [
  route('GET', '/tooling', 'platform', listResources),
  route('GET', '/tooling/query', 'query', query),
  route('GET', '/tooling/query/:locator', 'query', nextPage),
  route('GET', '/tooling/sobjects', 'describe', describeGlobal),
  route('GET', '/tooling/sobjects/:object/describe', 'describe', describe),
  route('GET', '/tooling/sobjects/:object/:id', 'sobject', read),
  route('POST', '/tooling/composite', 'composite', composite),
  route('POST', '/tooling/composite/batch', 'composite', batch, BATCH_SINCE),
  ...toolingCodeRoutes,
]
