import { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Context } from '../../context.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { getSelectionSets } from '../document/collect-fields.ts'
import { getArguments, toList, type Variables } from '../document/variables.ts'
import { type MakePart, makePartialPart } from '../parts/part.ts'
import { RecordStatement } from '../queries/record-statement.ts'
import { ObjectInfo, RelatedListInfo } from '../types/object-info-types.ts'
import { findLocation, makeErrorItem } from '../values/graphql-error.ts'
import { type InfoOptions, makeObjectInfo } from './object-info.ts'
import { makeRelatedListInfo } from './related-list.ts'
import { selectPlain } from './show-plain.ts'

/** Maximum objects in one `objectInfos`, including those of child relationships. (docs/reference/api/graphql.md#limits) */
const MAX_OBJECTS = 2000

const tooManyObjectsError = () =>
  new ApiError('INVALID_INPUT', `objectInfos tells of at most ${MAX_OBJECTS} objects`)

interface ObjectRequest extends InfoOptions {
  readonly apiName: string
}

/** The requested objects: by names, or with options for each. */
function parseObjectRequests(
  { apiNames, objectInfoInputs, locale }: Variables,
  { principal }: Context,
): readonly ObjectRequest[] {
  if ((apiNames === undefined) === (objectInfoInputs === undefined)) {
    throw new ApiError('INVALID_INPUT', 'objectInfos takes either apiNames or objectInfoInputs')
  }
  const inputs = apiNames === undefined ? (toList(objectInfoInputs) as Variables[]) : toList(apiNames)
  if (inputs.length > MAX_OBJECTS) throw tooManyObjectsError()
  const language = typeof locale === 'string' ? locale : principal.locale
  if (apiNames !== undefined) return inputs.map((name) => ({ apiName: String(name), locale: language }))
  return (inputs as Variables[]).map(({ apiName, fieldNames, recordTypeIds }) => ({
    apiName: String(apiName),
    locale: language,
    fieldNames: fieldNames ? toList(fieldNames).map(String) : undefined,
    recordTypeIds: recordTypeIds
      ? toList(recordTypeIds).map((id) => canonicalRecordId(String(id)) ?? '?')
      : [],
  }))
}

/** `objectInfos`: a missing object is null, with an error of its own. (docs/reference/api/graphql.md#descriptions) */
export const makeObjectInfosPart: MakePart = ({ decodeContext, connections }, selected, path) => {
  connections.add()
  const [node] = selected.nodes as [(typeof selected.nodes)[number]]
  return makePartialPart(selected, path, async ({ ctx, variables, errors }) => {
    let count = 0
    const location = {
      schema: ctx.visible,
      version: ctx.version,
      count() {
        if (++count > MAX_OBJECTS) throw tooManyObjectsError()
      },
    }
    const infos = parseObjectRequests(getArguments(node.arguments, variables), ctx).map(
      (requested, index) => {
        const object = ctx.visible.object(requested.apiName)
        if (object === undefined) {
          const message = `Object '${requested.apiName.slice(0, 255)}' does not exist or is not accessible`
          const where = { path: [...path, index], locations: findLocation(node) }
          errors.push(makeErrorItem('DataFetchingException', message, where))
          return null
        }
        return selectPlain(
          decodeContext,
          ObjectInfo,
          getSelectionSets(selected),
          makeObjectInfo(location, object, requested),
        )
      },
    )
    return JSON.stringify(infos)
  })
}

/** `relatedListByName` (docs/reference/api/graphql.md#descriptions) */
export const makeRelatedListPart: MakePart = ({ decodeContext }, selected, path) =>
  makePartialPart(selected, path, async ({ ctx, variables }) => {
    const { parentApiName, relatedListName } = getArguments(selected.nodes[0]!.arguments, variables)
    const info = makeRelatedListInfo(ctx.visible, String(parentApiName), String(relatedListName))
    return JSON.stringify(selectPlain(decodeContext, RelatedListInfo, getSelectionSets(selected), info))
  })

/** `currentUser`: the caller's own record. (docs/reference/api/graphql.md#descriptions) */
export const makeCurrentUserPart: MakePart = ({ decodeContext, connections }, selected, path) => {
  connections.add()
  const user = requireObject(decodeContext.schema.types.schema, 'User')
  const statement = new RecordStatement(decodeContext, user, getSelectionSets(selected))
  return makePartialPart(
    selected,
    path,
    async ({ ctx }) => (await statement.run(ctx, ctx.principal.userId)) ?? 'null',
  )
}
