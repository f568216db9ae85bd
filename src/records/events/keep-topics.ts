import type { Context, Topic } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import type { PlannedWrite, WriteKind } from '../prepare/planned-write.ts'
import { MAX_EVENT_LENGTH, type TopicContent } from './event-content.ts'
import { logEvents } from './log-events.sql.ts'

/*
 * Events of changes for the followers of PushTopics. (docs/reference/api/streaming.md#pushtopics)
 */

const TYPES: Readonly<Record<WriteKind, TopicContent['type']>> = {
  insert: 'created',
  update: 'updated',
  delete: 'deleted',
  undelete: 'undeleted',
}

/** The topics that are told of such a change. */
export const findTopics = ({ topics }: Context, { name }: ObjectType, kind: WriteKind): readonly Topic[] =>
  topics.byObject.get(name)?.filter(({ tells }) => tells.has(kind)) ?? []

function writeContent(content: TopicContent): string {
  const text = JSON.stringify(content)
  return text.length <= MAX_EVENT_LENGTH ? text : JSON.stringify({ ...content, values: undefined })
}

/** The values that the topic selects, but `Id`. */
function pickValues({ selected }: Topic, record: Readonly<Record<string, unknown>>): TopicContent['values'] {
  return Object.fromEntries(selected.filter((name) => name !== 'Id').map((name) => [name, record[name]]))
}

/**
 * Logs an event for each topic and each record that its query finds.
 * @param changed the records by id; of updates with the fields that have another value now
 */
export async function logTopics(
  { ctx, object, kind }: PlannedWrite,
  changed: ReadonlyMap<string, readonly string[] | undefined>,
  audit: AuditFields,
): Promise<void> {
  for (const topic of findTopics(ctx, object, kind)) {
    const { watched } = topic
    const isWatched = (fields: readonly string[] | undefined) =>
      fields === undefined || watched === undefined || fields.some((name) => watched.has(name))
    const ids = [...changed].filter(([, fields]) => isWatched(fields)).map(([id]) => id)
    if (ids.length === 0) continue
    const found = await ctx.topics.match(ctx, topic, ids)
    const events = ids.flatMap((id) => {
      const record = found.get(id)
      if (record === undefined) return []
      const content = { of: object.name, type: TYPES[kind], id, values: pickValues(topic, record) }
      return { content: writeContent(content) }
    })
    if (events.length === 0) continue
    const about = { object: topic.id, kind: 'TOPIC', origin: ctx.source } as const
    await ctx.db.query(logEvents(ctx.org, about, events, audit))
  }
}
