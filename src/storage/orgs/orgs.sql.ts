import { type Sql, sql } from '../../base/sql.ts'
import { fromSeconds } from '../database/timestamp.sql.ts'
import type { Org } from './org.ts'

/** The tables of an org without an org: an image of the embedded database has them. */
const PREPARED_SCHEMA = 'org_prepared'

/** Stands for the org while these tables are made. */
export const PREPARED_ORG: Org = { id: '', schemaName: PREPARED_SCHEMA, name: '' }

const columns = sql`id, schema_name as "schemaName", name`

/** The next block of record ids. */
export const nextBlock = (org: Org): Sql =>
  sql`nextval(${`"${org.schemaName}"."_record_id_block"`}::text::regclass)`

export const orgSql = {
  nextNumber: sql`select nextval('objectry.org_number') as number`,
  insert: (org: Org, host: string | undefined) =>
    sql`insert into objectry.org (id, schema_name, name, host)
        values (${org.id}, ${org.schemaName}, ${org.name}, ${host ?? null})`,
  createSchema: (org: Org) => sql`create schema ${sql.id(org.schemaName)}`,
  isPrepared: sql`select to_regnamespace(${PREPARED_SCHEMA}) is not null as "isPrepared"`,
  takePrepared: (org: Org) =>
    sql`alter schema ${sql.id(PREPARED_SCHEMA)} rename to ${sql.id(org.schemaName)}`,
  /** Ids are allocated in blocks, so that making one needs no round trip. */
  createIdSequence: (org: Org) => sql`create sequence ${sql.id(org.schemaName, '_record_id_block')}`,
  /** Skips the ids that another org has used: for a copy of that org. */
  startIdsBehind: (org: Org, other: Org) =>
    sql`select setval(${`"${org.schemaName}"."_record_id_block"`}::text::regclass,
                      (select last_value from ${sql.id(other.schemaName, '_record_id_block')}) + 1)`,
  nextIdBlock: (org: Org) => sql`select ${nextBlock(org)} as block`,
  find: (id: string) => sql`select ${columns} from objectry.org where id = ${id}`,
  withHosts: sql`select ${columns}, host, allowed_origins as origins from objectry.org order by created_at, id`,
  findByName: (name: string) =>
    sql`select ${columns} from objectry.org where lower(name) = lower(${name}) order by created_at, id limit 1`,
  all: sql`select ${columns} from objectry.org order by created_at, id`,
  epoch: (org: Org) => sql`select epoch from objectry.org where id = ${org.id}`,
  beginEpoch: (org: Org) =>
    sql`update objectry.org set epoch = epoch + 1, deployed = null, bin_due_at = null where id = ${org.id}`,
  /** @param fingerprint of the definitions that all orgs shall have; null: the org may differ from them */
  setDeployed: (org: Org, fingerprint: string | null) =>
    sql`update objectry.org set deployed = ${fingerprint} where id = ${org.id}`,
  upToDateWith: (org: Org) => sql`select up_to_date_with as mark from objectry.org where id = ${org.id}`,
  /** Servers that start at the same time upgrade an org in turn; references to its row do not wait. */
  lockMark: (org: Org) =>
    sql`select up_to_date_with as mark from objectry.org where id = ${org.id} for no key update`,
  markUpToDate: (org: Org, mark: string | null) =>
    sql`update objectry.org set up_to_date_with = ${mark} where id = ${org.id}`,
  movedClocks: sql`select id, clock_ahead as ahead from objectry.org where clock_ahead <> 0`,
  /** @param ahead milliseconds */
  moveClock: (orgId: string, ahead: number) =>
    sql`update objectry.org set clock_ahead = ${ahead}::bigint where id = ${orgId}`,
  /** Seconds since 1970, by the org's clock. */
  bins: sql`select ${columns}, extract(epoch from bin_emptied_at)::float8 as "emptiedAt",
                   extract(epoch from bin_due_at)::float8 as "dueAt"
            from objectry.org order by created_at, id`,
  /** @param known when it was last emptied, to detect that another server was faster */
  claimBin: (orgId: string, known: number | null, now: number) =>
    sql`update objectry.org set bin_emptied_at = ${fromSeconds(now)}
        where id = ${orgId} and bin_emptied_at is not distinct from ${fromSeconds(known)} returning id`,
  /** @param epoch of the org when its bin was emptied: a restore since then makes it due */
  setBinDue: (orgId: string, epoch: number, dueAt: number) =>
    sql`update objectry.org set bin_due_at = ${fromSeconds(dueAt)} where id = ${orgId} and epoch = ${epoch}`,
  first: sql`select ${columns} from objectry.org order by created_at, id limit 1`,
  allowedOrigins: (org: Org) => sql`select allowed_origins as origins from objectry.org where id = ${org.id}`,
  /** Returns nothing if there would be too many. */
  allowOrigin: (org: Org, origin: string, max: number) =>
    sql`update objectry.org set allowed_origins = array_append(array_remove(allowed_origins, ${origin}::text), ${origin}::text)
        where id = ${org.id} and cardinality(array_remove(allowed_origins, ${origin}::text)) < ${max}::integer returning id`,
  disallowOrigin: (org: Org, origin: string) =>
    sql`update objectry.org set allowed_origins = array_remove(allowed_origins, ${origin}::text)
        where id = ${org.id} and ${origin}::text = any(allowed_origins) returning id`,
  dropSchema: (org: Org) => sql`drop schema ${sql.id(org.schemaName)} cascade`,
  delete: (org: Org) => sql`delete from objectry.org where id = ${org.id}`,
  /** Ids begin from the start after a reset and a restore: what has one of before must not be found by a new one. */
  forgetMetadataJobs: (org: Org) => sql`delete from objectry.metadata_job where org_id = ${org.id}`,
  deleteEvents: (org: Org) => sql`delete from objectry.event where org_id = ${org.id}`,
}
