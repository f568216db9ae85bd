import { ApiError } from '../../base/api-error.ts'
import { makeApiVersion } from '../../base/api-version.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Topic, Topics } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { matchRecords } from '../../soql/match-records.ts'
import { MAX_TOPICS } from '../../standard/setup/push-topic.ts'
import { MAX_CHANNELS } from '../../standard/setup/streaming-channel.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { readTopicQuery } from './read-topic-query.ts'
import { type FollowedRow, type TopicRow, topicsSql } from './topics.sql.ts'

/** Queries of topics are read in one version, whichever created them. */
const VERSION = makeApiVersion(64)

/** The fields whose change is one of the named fields: a name changes with its parts. */
const withParts = (object: ObjectType, names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => [name, ...object.field(name)!.parts.map((part) => part.name)]))

function findWatched(
  object: ObjectType,
  { selected, filtered }: Pick<Topic, 'selected' | 'filtered'>,
  notifyFor: string,
): Topic['watched'] {
  switch (notifyFor) {
    case 'All':
      return undefined
    case 'Select':
      return withParts(object, selected)
    case 'Where':
      return withParts(object, filtered)
    default:
      return withParts(object, [...selected, ...filtered])
  }
}

/** Undefined for a topic whose query does not fit the schema by now. */
function makeTopic(schema: SchemaSnapshot, row: TopicRow): Topic | undefined {
  try {
    const query = readTopicQuery(row.query, schema, VERSION)
    const tells = [
      row.onCreate && 'insert',
      row.onUpdate && 'update',
      row.onDelete && 'delete',
      row.onUndelete && 'undelete',
    ] as const
    return {
      ...query,
      id: row.id,
      name: row.name,
      query: row.query,
      watched: findWatched(requireObject(schema, query.object), query, row.notifyFor),
      tells: new Set(tells.filter((kind) => kind !== false)),
    }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

const match: Topics['match'] = async (ctx, { query }, ids) => {
  try {
    return await matchRecords(ctx, query, ids)
  } catch (error) {
    // The schema has changed since the topics were loaded.
    if (error instanceof ApiError && error.status < 500) return new Map()
    throw error
  }
}

const checkQuery: Topics['checkQuery'] = ({ schema, version }, query) => {
  try {
    readTopicQuery(query, schema, version)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function makeTopics(found: readonly Topic[], channels: Topics['channels']): Topics {
  const byObject = new Map<string, Topic[]>()
  for (const topic of found) getOrInsert(byObject, topic.object, () => []).push(topic)
  return { byObject, byName: new Map(found.map((topic) => [topic.name, topic])), channels, match, checkQuery }
}

const NO_TOPICS: Topics = makeTopics([], new Map())

/** Loads the topics and channels of an org. */
async function loadTopics(db: Db, org: Org, schema: SchemaSnapshot): Promise<Topics> {
  if (schema.object('PushTopic') === undefined || schema.object('StreamingChannel') === undefined)
    return NO_TOPICS
  const max = { topics: MAX_TOPICS, channels: MAX_CHANNELS }
  const rows = await db.query<FollowedRow>(topicsSql.all(org, max))
  if (rows.length === 0) return NO_TOPICS
  const found = rows.flatMap((row) => (row.query === null ? [] : (makeTopic(schema, row) ?? [])))
  const channels = rows.filter(({ query }) => query === null)
  return makeTopics(found, new Map(channels.map(({ id, name }) => [name, id])))
}

/** Where the topics of orgs come from. */
export const TOPICS = { none: NO_TOPICS, load: loadTopics }
