import { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Context } from '../../context.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { setsOf } from '../document/collect-fields.ts'
import { argumentsOf, listOf, type Variables } from '../document/variables.ts'
import { type MakePart, partial } from '../parts/part.ts'
import { RecordStatement } from '../queries/record-statement.ts'
import { ObjectInfo, RelatedListInfo } from '../types/object-info-types.ts'
import { errorItem, findLocation } from '../values/graphql-error.ts'
import { type InfoOptions, objectInfo } from './object-info.ts'
import { relatedListInfo } from './related-list.ts'
import { showPlain } from './show-plain.ts'

/** Objects in one `objectInfos`, those of child relationships too. (docs/reference/api/graphql.md#limits) */
const MAX_OBJECTS = 2000

const tooMany = () => new ApiError('INVALID_INPUT', `objectInfos tells of at most ${MAX_OBJECTS} objects`)

interface Requested extends InfoOptions {
  readonly apiName: string
}

/** The objects that are asked for: by their names, or with what is asked of each. */
function requestedObjects(
  { apiNames, objectInfoInputs, locale }: Variables,
  { principal }: Context,
): readonly Requested[] {
  if ((apiNames === undefined) === (objectInfoInputs === undefined)) {
    throw new ApiError('INVALID_INPUT', 'objectInfos takes either apiNames or objectInfoInputs')
  }
  const inputs = apiNames === undefined ? (listOf(objectInfoInputs) as Variables[]) : listOf(apiNames)
  if (inputs.length > MAX_OBJECTS) throw tooMany()
  const language = typeof locale === 'string' ? locale : principal.locale
  if (apiNames !== undefined) return inputs.map((name) => ({ apiName: String(name), locale: language }))
  return (inputs as Variables[]).map(({ apiName, fieldNames, recordTypeIds }) => ({
    apiName: String(apiName),
    locale: language,
    fieldNames: fieldNames ? listOf(fieldNames).map(String) : undefined,
    recordTypeIds: recordTypeIds
      ? listOf(recordTypeIds).map((id) => canonicalRecordId(String(id)) ?? '?')
      : [],
  }))
}

/** `objectInfos`: one that is not there is null, with an error of its own. (docs/reference/api/graphql.md#descriptions) */
export const objectInfosPart: MakePart = ({ decodeContext, connections }, selected, path) => {
  connections.add()
  const [node] = selected.nodes as [(typeof selected.nodes)[number]]
  return partial(selected, path, async ({ ctx, variables, errors }) => {
    let count = 0
    const location = {
      schema: ctx.visible,
      version: ctx.version,
      count() {
        if (++count > MAX_OBJECTS) throw tooMany()
      },
    }
    const infos = requestedObjects(argumentsOf(node.arguments, variables), ctx).map((requested, index) => {
      const object = ctx.visible.object(requested.apiName)
      if (object === undefined) {
        const message = `Object '${requested.apiName.slice(0, 255)}' does not exist or is not accessible`
        const where = { path: [...path, index], locations: findLocation(node) }
        errors.push(errorItem('DataFetchingException', message, where))
        return null
      }
      return showPlain(decodeContext, ObjectInfo, setsOf(selected), objectInfo(location, object, requested))
    })
    return JSON.stringify(infos)
  })
}

/** `relatedListByName` (docs/reference/api/graphql.md#descriptions) */
export const relatedListPart: MakePart = ({ decodeContext }, selected, path) =>
  partial(selected, path, async ({ ctx, variables }) => {
    const { parentApiName, relatedListName } = argumentsOf(selected.nodes[0]!.arguments, variables)
    const info = relatedListInfo(ctx.visible, String(parentApiName), String(relatedListName))
    return JSON.stringify(showPlain(decodeContext, RelatedListInfo, setsOf(selected), info))
  })

/** `currentUser`: the caller's own record. (docs/reference/api/graphql.md#descriptions) */
export const currentUserPart: MakePart = ({ decodeContext, connections }, selected, path) => {
  connections.add()
  const user = requireObject(decodeContext.schema.types.schema, 'User')
  const statement = new RecordStatement(decodeContext, user, setsOf(selected))
  return partial(
    selected,
    path,
    async ({ ctx }) => (await statement.run(ctx, ctx.principal.userId)) ?? 'null',
  )
}
