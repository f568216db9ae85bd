import { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Context } from '../../context.ts'
import { requireObject } from '../../schema/snapshot.ts'
import { setsOf } from '../collect-fields.ts'
import { errorItem, placeOf } from '../graphql-error.ts'
import { type MakePart, partial } from '../part.ts'
import { RecordStatement } from '../record-statement.ts'
import { argumentsOf, listOf, type Variables } from '../variables.ts'
import { type InfoOptions, objectInfo } from './object-info.ts'
import { ObjectInfo, RelatedListInfo } from './object-info-types.ts'
import { relatedListInfo } from './related-list.ts'
import { showPlain } from './show-plain.ts'

/** Objects in one `objectInfos`, those of child relationships too. (docs/reference/api/graphql.md#limits) */
const MOST_OBJECTS = 2000

const tooMany = () => new ApiError('INVALID_INPUT', `objectInfos tells of at most ${MOST_OBJECTS} objects`)

interface Asked extends InfoOptions {
  readonly apiName: string
}

/** The objects that are asked for: by their names, or with what is asked of each. */
function askedObjects(
  { apiNames, objectInfoInputs, locale }: Variables,
  { principal }: Context,
): readonly Asked[] {
  if ((apiNames === undefined) === (objectInfoInputs === undefined)) {
    throw new ApiError('INVALID_INPUT', 'objectInfos takes either apiNames or objectInfoInputs')
  }
  const inputs = apiNames === undefined ? (listOf(objectInfoInputs) as Variables[]) : listOf(apiNames)
  if (inputs.length > MOST_OBJECTS) throw tooMany()
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
export const objectInfosPart: MakePart = ({ reading, connections }, selected, path) => {
  connections.add()
  const [node] = selected.nodes as [(typeof selected.nodes)[number]]
  return partial(selected, path, async ({ ctx, variables, errors }) => {
    let count = 0
    const place = {
      schema: ctx.visible,
      version: ctx.version,
      count() {
        if (++count > MOST_OBJECTS) throw tooMany()
      },
    }
    const infos = askedObjects(argumentsOf(node.arguments, variables), ctx).map((asked, index) => {
      const object = ctx.visible.object(asked.apiName)
      if (object === undefined) {
        const message = `Object '${asked.apiName.slice(0, 255)}' does not exist or is not accessible`
        const where = { path: [...path, index], locations: placeOf(node) }
        errors.push(errorItem('DataFetchingException', message, where))
        return null
      }
      return showPlain(reading, ObjectInfo, setsOf(selected), objectInfo(place, object, asked))
    })
    return JSON.stringify(infos)
  })
}

/** `relatedListByName` (docs/reference/api/graphql.md#descriptions) */
export const relatedListPart: MakePart = ({ reading }, selected, path) =>
  partial(selected, path, async ({ ctx, variables }) => {
    const { parentApiName, relatedListName } = argumentsOf(selected.nodes[0]!.arguments, variables)
    const info = relatedListInfo(ctx.visible, String(parentApiName), String(relatedListName))
    return JSON.stringify(showPlain(reading, RelatedListInfo, setsOf(selected), info))
  })

/** `currentUser`: the caller's own record. (docs/reference/api/graphql.md#descriptions) */
export const currentUserPart: MakePart = ({ reading, connections }, selected, path) => {
  connections.add()
  const user = requireObject(reading.schema.types.schema, 'User')
  const statement = new RecordStatement(reading, user, setsOf(selected))
  return partial(
    selected,
    path,
    async ({ ctx }) => (await statement.run(ctx, ctx.principal.userId)) ?? 'null',
  )
}
