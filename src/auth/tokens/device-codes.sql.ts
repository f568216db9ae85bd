import { sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

interface NewDeviceCode {
  readonly codeHash: string
  readonly userCode: string
  readonly clientId: string
  readonly orgId: string
  readonly scopes: readonly string[]
  /** Seconds since 1970. */
  readonly issuedAt: number
}

const columns = sql`device.code_hash as "codeHash", device.user_code as "userCode", device.client_id as "clientId",
               device.scopes, extract(epoch from device.issued_at)::float8 as "issuedAt",
               device.user_id as "userId", device.denied_at is not null as "isDenied",
               extract(epoch from device.polled_at)::float8 as "polledAt",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"`

const devices = sql`objectry.device_code device join objectry.org org on org.id = device.org_id`

export const deviceCodeSql = {
  /** Inserts nothing if the user code is already in use. */
  insert: (code: NewDeviceCode) =>
    sql`insert into objectry.device_code (code_hash, user_code, client_id, org_id, scopes, issued_at)
        values (${code.codeHash}, ${code.userCode}, ${code.clientId}, ${code.orgId}, ${code.scopes}::text[],
                ${fromSeconds(code.issuedAt)})
        on conflict (user_code) do nothing returning user_code`,

  find: (codeHash: string) => sql`select ${columns} from ${devices} where device.code_hash = ${codeHash}`,

  findByUserCode: (userCode: string) =>
    sql`select ${columns} from ${devices} where device.user_code = ${userCode}`,

  poll: (codeHash: string, now: number) =>
    sql`update objectry.device_code set polled_at = ${fromSeconds(now)} where code_hash = ${codeHash}`,

  /** Only if the device still waits: an answer is final. */
  approve: (userCode: string, orgId: string, userId: string, after: number) =>
    sql`update objectry.device_code set user_id = ${userId}
        where user_code = ${userCode} and org_id = ${orgId} and user_id is null and denied_at is null
          and issued_at > ${fromSeconds(after)}
        returning user_code`,

  deny: (userCode: string, orgId: string, now: number) =>
    sql`update objectry.device_code set denied_at = ${fromSeconds(now)}
        where user_code = ${userCode} and org_id = ${orgId} and user_id is null and denied_at is null
        returning user_code`,

  /** Succeeds for one caller only. */
  take: (codeHash: string) =>
    sql`delete from objectry.device_code where code_hash = ${codeHash} returning code_hash`,

  deleteOld: (org: Org, before: number) =>
    sql`delete from objectry.device_code where org_id = ${org.id} and issued_at < ${fromSeconds(before)}`,
}
