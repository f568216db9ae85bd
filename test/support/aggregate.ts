import assert from 'node:assert/strict'
import { fetchUiapi, type Sent, sendDocument } from './graphql.ts'
import type { TestOrg } from './org.ts'

/** A group of a result. Its members follow the schema. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
export type Group = any

/** The document that asks for groups: `Account(groupBy: { Industry: { group: true } })` with what each of them shows. */
export const groupsDocument = (connection: string, shown: string, more = '') =>
  `{ uiapi { aggregate { it: ${connection} { ${more} edges { node { aggregate { ${shown} } } } } } } }`

/** The groups that it gives. */
export async function fetchGroups(
  o: TestOrg,
  connection: string,
  shown: string,
  sent?: Sent,
): Promise<readonly Group[]> {
  const { aggregate } = await fetchUiapi(o, groupsDocument(connection, shown), sent)
  return aggregate.it.edges.map((edge: Group) => edge.node.aggregate)
}

/** The only one. */
export async function fetchGroup(o: TestOrg, connection: string, shown: string, sent?: Sent): Promise<Group> {
  const groups = await fetchGroups(o, connection, shown, sent)
  if (groups.length !== 1) throw new Error(`${connection}: ${groups.length} groups`)
  return groups[0]
}

/** Returns the messages of a query that is not carried out, each of one kind. */
export async function fetchRefusals(o: TestOrg, query: string, type: string, sent?: Sent): Promise<string[]> {
  const { errors } = await sendDocument(o, query, sent)
  assert.ok(errors.length > 0, query)
  for (const { extensions } of errors) assert.equal(extensions.ErrorType, type)
  return errors.map(({ message }) => message)
}

/** Why a connection gives nothing. */
export async function fetchRefusal(
  o: TestOrg,
  connection: string,
  shown = 'Id { count { value } }',
  more = '',
): Promise<string> {
  const query = groupsDocument(connection, shown, more)
  const { data, errors } = await sendDocument(o, query)
  assert.equal(data.uiapi?.aggregate.it, null, query)
  assert.equal(errors.length, 1)
  assert.equal(errors[0]!.extensions.ErrorType, 'DataFetchingException')
  assert.deepEqual(errors[0]!.paths, ['uiapi', 'aggregate', 'it'])
  return errors[0]!.message
}

/** Why a document is not even begun. */
export const invalid = async (o: TestOrg, connection: string, shown: string) =>
  (await fetchRefusals(o, groupsDocument(connection, shown), 'ValidationError')).join('\n')
