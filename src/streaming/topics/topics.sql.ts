import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

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

export const topicsSql = {
  active: ({ schemaName }: Org, max: number): Sql =>
    sql`select id, name, query, notifyforfields as "notifyFor", notifyforoperationcreate as "onCreate",
               notifyforoperationupdate as "onUpdate", notifyforoperationdelete as "onDelete", notifyforoperationundelete as "onUndelete"
        from ${sql.id(schemaName, 'pushtopic')} where isactive and not isdeleted order by id limit ${max}`,

  channels: ({ schemaName }: Org, max: number): Sql =>
    sql`select id, name from ${sql.id(schemaName, 'streamingchannel')} where not isdeleted order by id limit ${max}`,
}
