import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** A generic channel as it is stored. */
interface ChannelRow {
  readonly id: string
  readonly name: string
  readonly query: null
}

/** A PushTopic as it is stored. */
export interface TopicRow {
  readonly id: string
  readonly name: string
  readonly query: string
  readonly notifyFor: string
  readonly onCreate: boolean
  readonly onUpdate: boolean
  readonly onDelete: boolean
  readonly onUndelete: boolean
}

export type FollowedRow = TopicRow | ChannelRow

export const topicsSql = {
  /** The active topics of an org, and its generic channels. */
  all: ({ schemaName }: Org, max: { readonly topics: number; readonly channels: number }): Sql =>
    sql`(select id, name, query, notifyforfields as "notifyFor", notifyforoperationcreate as "onCreate",
                notifyforoperationupdate as "onUpdate", notifyforoperationdelete as "onDelete", notifyforoperationundelete as "onUndelete"
         from ${sql.id(schemaName, 'pushtopic')} where isactive and not isdeleted order by id limit ${max.topics})
        union all
        (select id, name, null, null, null, null, null, null
         from ${sql.id(schemaName, 'streamingchannel')} where not isdeleted order by id limit ${max.channels})`,
}
