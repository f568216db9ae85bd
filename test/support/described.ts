import type { TestOrg } from './org.ts'

type Json = Record<string, unknown>

/** Ids of record types are of their org, and so are the addresses that they stand in. */
function withoutIds(type: Json): Json {
  const { recordTypeId: _id, urls: _urls, ...rest } = type
  return type.master === true ? type : rest
}

/** The describes of objects as the API gives them, all but the ids of record types. */
export async function describeObjects(org: TestOrg, names?: readonly string[]): Promise<Json[]> {
  const { body } = await org.call('GET', '/sobjects')
  const wanted = names ?? (body.sobjects as { name: string }[]).map(({ name }) => name)
  return Promise.all(
    wanted.map(async (name) => {
      const described = (await org.call('GET', `/sobjects/${name}/describe`)).body
      return { ...described, recordTypeInfos: described.recordTypeInfos.map(withoutIds) }
    }),
  )
}
