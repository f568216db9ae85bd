import type { QueryClient } from '@tanstack/react-query'
import { data, get } from './client.ts'
import { describeQuery, nameFieldOf } from './describe.ts'

/** Standard objects that most references lead to. As of every custom object, their name is the field Name. */
const NAMED = new Set([
  'Account',
  'Campaign',
  'Contact',
  'Group',
  'Lead',
  'Opportunity',
  'Product2',
  'Profile',
  'RecordType',
  'User',
])

/** The field by which people know the records of an object; described only where it may be another one than Name. */
export const findNameField = async (queries: QueryClient, object: string): Promise<string | undefined> =>
  NAMED.has(object) || object.endsWith('__c')
    ? 'Name'
    : nameFieldOf(await queries.ensureQueryData(describeQuery(object)))

/** The names of records of one object, by id: of a case its number, of a task its subject. */
export async function readNames(
  queries: QueryClient,
  object: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const field = await findNameField(queries, object)
  if (field === undefined) return new Map()
  const parameters = new URLSearchParams({ ids: ids.join(), fields: `Id,${field}` })
  const found = await get<readonly (Readonly<Record<string, unknown>> | null)[]>(
    data(`/composite/sobjects/${object}?${parameters}`),
  )
  return new Map(
    found.flatMap((one) => {
      const name = one?.[field]
      return typeof name === 'string' && name !== '' ? [[String(one!.Id), name] as const] : []
    }),
  )
}
