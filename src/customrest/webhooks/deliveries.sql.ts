import { sql } from '../../base/sql.ts'
import { changed, pending, timeAs } from '../../scripting/work/work-log.sql.ts'
import { type Timestamp, timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** A delivery that was accepted, as it is stored. */
export interface AcceptedDelivery {
  readonly id: string
  readonly receiver: string
  readonly body: Buffer
  /** As JSON. */
  readonly headers: string
  readonly userId: string
  readonly timestamp: Timestamp
}

const table = (org: Org) => sql.id(org.schemaName, 'webhookdelivery')

export const deliverySql = {
  insert: (org: Org, deliveries: readonly AcceptedDelivery[]) => {
    const rows = deliveries.map(
      ({ id, receiver, body, headers, userId, timestamp }) =>
        sql`(${id}, ${receiver}, ${body}, ${body.length}, ${headers}, 'Queued', 0, false,
             ${timestampSql(timestamp)}, ${userId}, ${timestampSql(timestamp)}, ${userId}, ${timestampSql(timestamp)})`,
    )
    return sql`insert into ${table(org)} (id, receiver, body, bodylength, headers, status, attempts, isreplay,
                 createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
               values ${sql.join(rows)}`
  },

  find: (org: Org, id: string) =>
    sql`select receiver, encode(body, 'base64') as body, headers, attempts, isreplay as "isReplay",
               ${timeAs(sql`createddate`, 'receivedAt')}, createdbyid as "userId"
        from ${table(org)} where id = ${id} and ${pending} and not isdeleted`,

  /** The event of a delivery that is not processed yet. */
  noteEvent: (org: Org, id: string, eventId: string) =>
    sql`update ${table(org)} set eventid = ${eventId} where id = ${id} and ${pending} and not isdeleted`,

  processed: (
    org: Org,
    id: string,
    eventId: string,
    recordId: string,
    isNew: boolean,
    timestamp: Timestamp,
  ) =>
    sql`update ${table(org)}
        set status = 'Done', attempts = attempts + 1, lastattemptdate = ${timestamp.time}, nextattemptdate = null,
            lasterror = null, eventid = ${eventId}, eventrecordid = ${recordId},
            outcome = ${isNew ? 'Created' : 'Updated'}, ${changed(timestamp)}
        where id = ${id}`,
}
