import { makeRecordId } from '../../src/base/record-id.ts'
import { sql } from '../../src/base/sql.ts'
import type { TestOrg } from './org.ts'

/** Deliveries that are dead, many at once. */
export async function writeDeadDeliveries({ db, org, userId }: TestOrg, count: number): Promise<void> {
  const time = '2026-01-01T00:00:00Z'
  const ids = Array.from({ length: count }, (_, n) => makeRecordId('0Wd', 1_000_000 + n))
  await db.query(
    sql`insert into ${sql.id(org.schemaName, 'webhookdelivery')}
          (id, receiver, body, bodylength, headers, status, attempts, isreplay,
           createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
        select id, 'many', ''::bytea, 0, '{}', 'Dead', 1, false, ${time}, ${userId}, ${time}, ${userId}, ${time}
        from unnest(${ids}::text[]) id`,
  )
}
