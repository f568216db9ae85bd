import { type Sql, sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { storeUncompressed } from '../../storage/uncompressed.sql.ts'
import type { Job } from './job.ts'

const jobs = (org: Org) => sql.id(org.schemaName, '_bulk_job')
/** The table of pieces. */
export const pieces = (org: Org) => sql.id(org.schemaName, '_bulk_piece')

/** How long a job is kept, and how long it may stay open. */
const RETENTION = sql`interval '7 days'`
const OPEN_SECONDS = 24 * 60 * 60
/** The period of the limits on batches and queries. */
const LIMIT_PERIOD = sql`interval '24 hours'`

/** A time, some seconds before it. A cast of its text would depend on the session, which Citus refuses in what a write returns. */
const at = (time: string, before = 0) => fromSeconds(Date.parse(time) / 1000 - before)

/** A job that has been open for too long is aborted, whether or not it has been swept. */
const stateAt = (time: string) =>
  sql`case when state = 'Open' and created_at < ${at(time, OPEN_SECONDS)} then 'Aborted' else state end`

const columns = (time: string) => sql`id, kind, object, operation, external_id_field as "externalIdField",
  assignment_rule_id as "assignmentRuleId", column_delimiter as "columnDelimiter", line_ending as "lineEnding",
  api_version as "apiVersion", query, ${stateAt(time)} as state, user_id as "userId", created_at as "createdAt",
  modified_at as "modifiedAt", error_message as "errorMessage", upload_id as "uploadId",
  upload_bytes as "uploadBytes", read_bytes as "readBytes", processed, failed, pieces, retries,
  processing_ms as "processingMs", run, parent_id as "parentId", content_type as "contentType",
  is_serial as "isSerial"`

/** Jobs that exist at a time, by the clock of the org. */
const isKept = (time: string) => sql`not is_deleted and created_at >= ${at(time)} - ${RETENTION}`

/** Selects the next job of a chunk. */
export interface ChunkProgress {
  readonly readBytes: number
  readonly processed: number
  readonly failed: number
  readonly resultBytes: number
  readonly milliseconds: number
  readonly isLast: boolean
}

export type NewJob = Pick<
  Job,
  | 'id'
  | 'kind'
  | 'object'
  | 'operation'
  | 'externalIdField'
  | 'assignmentRuleId'
  | 'columnDelimiter'
  | 'lineEnding'
  | 'apiVersion'
  | 'query'
  | 'state'
  | 'userId'
  | 'parentId'
  | 'contentType'
  | 'isSerial'
>

export const jobSql = {
  /** The orgs that have the tables. */
  orgs: sql`select o.id, o.schema_name as "schemaName", o.name from objectry.org o
            join pg_namespace n on n.nspname = o.schema_name
            join pg_class c on c.relnamespace = n.oid and c.relname = '_bulk_piece'`,

  areThere: (org: Org) =>
    sql`select to_regclass(${`${org.schemaName}._bulk_piece`}) is not null as "areThere"`,

  /** The tables of an org that uses bulk jobs. */
  createTables: (org: Org): Sql[] => [
    sql`create table if not exists ${jobs(org)} (
          id text collate "C" primary key,
          kind text not null,
          object text not null,
          operation text not null,
          external_id_field text,
          assignment_rule_id text,
          column_delimiter text not null,
          line_ending text not null,
          api_version integer not null,
          query text,
          state text not null,
          user_id text collate "C" not null,
          created_at timestamptz not null,
          modified_at timestamptz not null,
          error_message text,
          upload_id text collate "C",
          upload_bytes bigint not null default 0,
          read_bytes bigint not null default 0,
          processed bigint not null default 0,
          failed bigint not null default 0,
          pieces integer not null default 0,
          result_bytes bigint not null default 0,
          retries integer not null default 0,
          processing_ms float8 not null default 0,
          run integer not null default 0,
          is_deleted boolean not null default false,
          parent_id text collate "C",
          content_type text not null default 'CSV',
          is_serial boolean not null default false)`,
    sql`create index if not exists _bulk_job_created on ${jobs(org)} (created_at)`,
    sql`create index if not exists _bulk_job_running on ${jobs(org)} (created_at)
        where state in ('UploadComplete', 'InProgress')`,
    sql`create index if not exists _bulk_job_parent on ${jobs(org)} (parent_id, id) where parent_id is not null`,
    sql`create table if not exists ${pieces(org)} (
          owner text collate "C" not null,
          part text not null,
          number integer not null,
          first_record bigint not null default 0,
          records integer not null default 0,
          bytes bytea not null,
          primary key (owner, part, number))`,
    storeUncompressed(pieces(org), 'bytes'),
  ],

  /** After a reset a job may have the id of an earlier one, whose runs must not take it for theirs: runs begin anywhere. */
  insert: (org: Org, job: NewJob, time: string) =>
    sql`insert into ${jobs(org)} (run, id, kind, object, operation, external_id_field, assignment_rule_id,
          column_delimiter, line_ending, api_version, query, state, user_id, created_at, modified_at,
          parent_id, content_type, is_serial)
        values ((random() * 1000000000)::integer, ${job.id}, ${job.kind}, ${job.object}, ${job.operation}, ${job.externalIdField},
          ${job.assignmentRuleId}, ${job.columnDelimiter}, ${job.lineEnding}, ${job.apiVersion}::integer,
          ${job.query}, ${job.state}, ${job.userId}, ${at(time)}, ${at(time)},
          ${job.parentId}, ${job.contentType}, ${job.isSerial}::boolean)
        returning ${columns(time)}`,

  find: (org: Org, id: string, time: string, isLocked = false) =>
    sql`select ${columns(time)} from ${jobs(org)} where id = ${id} and ${isKept(time)}${sql.raw(isLocked ? ' for update' : '')}`,

  /** @param userId undefined: the jobs of all users */
  list: (
    org: Org,
    kinds: readonly string[],
    userId: string | undefined,
    after: string,
    max: number,
    time: string,
  ) =>
    sql`select ${columns(time)} from ${jobs(org)}
        where kind = any(${[...kinds]}::text[]) and parent_id is null and id > ${after} and ${isKept(time)}
          and (${userId ?? null}::text is null or user_id = ${userId ?? null}::text)
        order by id limit ${max}::integer`,

  /** Selects the batches of a job, in the order in which they came. */
  batches: (org: Org, parentId: string, time: string) =>
    sql`select ${columns(time)} from ${jobs(org)} where parent_id = ${parentId} and not is_deleted order by id`,

  /** Counts the batches of a job by their states. */
  countBatches: (org: Org, parentId: string) =>
    sql`select count(*) filter (where state = 'UploadComplete')::integer as queued,
          count(*) filter (where state = 'InProgress')::integer as "inProgress",
          count(*) filter (where state = 'JobComplete')::integer as completed,
          count(*) filter (where state = 'Failed' or (state = 'Aborted' and kind = 'ingest' and processed > 0))::integer as failed,
          count(*)::integer as total,
          coalesce(sum(processed), 0)::float8 as processed, coalesce(sum(failed), 0)::float8 as refused,
          coalesce(sum(retries), 0)::float8 as retries, coalesce(sum(processing_ms), 0)::float8 as milliseconds
        from ${jobs(org)} where parent_id = ${parentId} and not is_deleted`,

  /** Aborts the batches of a job that are not over. */
  abortBatches: (org: Org, parentId: string, time: string) =>
    sql`update ${jobs(org)} set state = 'Aborted', modified_at = ${at(time)}
        where parent_id = ${parentId} and state in ('UploadComplete', 'InProgress') returning id`,

  /** Notes bytes that are stored beside an upload. */
  addStored: (org: Org, id: string, bytes: number) =>
    sql`update ${jobs(org)} set result_bytes = result_bytes + ${bytes}::bigint where id = ${id}`,

  /** Attaches an upload; returns nothing when another one was faster. */
  attachUpload: (org: Org, id: string, uploadId: string, bytes: number, time: string) =>
    sql`update ${jobs(org)} set upload_id = ${uploadId}, upload_bytes = ${bytes}::bigint, modified_at = ${at(time)}
        where id = ${id} and state = 'Open' and upload_id is null and not is_deleted returning id`,

  setState: (org: Org, id: string, state: string, errorMessage: string | null, time: string) =>
    sql`update ${jobs(org)} set state = ${state}, error_message = ${errorMessage}, modified_at = ${at(time)}
        where id = ${id} returning ${columns(time)}`,

  /** Serializes the decisions of which jobs of the org run; ends with the transaction. */
  lockOrg: (org: Org) => sql`select pg_advisory_xact_lock(hashtextextended(${`bulk ${org.schemaName}`}, 0))`,

  countRunning: (org: Org, except: string) =>
    sql`select count(*)::integer as running from ${jobs(org)}
        where state = 'InProgress' and id <> ${except} and not is_deleted`,

  /** Selects whether another batch of the same serial job is being processed. */
  mustFollow: (org: Org, { id, parentId }: Pick<Job, 'id' | 'parentId'>) =>
    sql`select exists (select from ${jobs(org)}
          where parent_id = ${parentId} and state = 'InProgress' and id <> ${id} and not is_deleted) as "mustFollow"`,

  begin: (org: Org, id: string, time: string) =>
    sql`update ${jobs(org)} set state = 'InProgress', run = run + 1, modified_at = ${at(time)},
          processed = case when kind = 'query' then 0 else processed end
        where id = ${id} returning ${columns(time)}`,

  /** The next jobs that wait: small ones first. A batch of a serial job waits for the one before it. */
  findWaiting: (org: Org, smallBytes: number, max: number) =>
    sql`select id from ${jobs(org)} waiting where state = 'UploadComplete' and not is_deleted
          and not (is_serial and exists (select from ${jobs(org)} other
            where other.parent_id = waiting.parent_id and other.state = 'InProgress' and not other.is_deleted))
        order by (kind = 'ingest' and upload_bytes <= ${smallBytes}::bigint) desc, created_at, id limit ${max}::integer`,

  /** Locks a job for a chunk; returns nothing when this process works on it no longer. */
  lockForChunk: (org: Org, { id, run, readBytes }: Pick<Job, 'id' | 'run' | 'readBytes'>) =>
    sql`select id from ${jobs(org)} where id = ${id} and run = ${run}::integer and state = 'InProgress'
          and read_bytes = ${readBytes}::bigint and not is_deleted for update`,

  noteChunk: (org: Org, id: string, chunk: ChunkProgress, time: string) =>
    sql`update ${jobs(org)} set read_bytes = ${chunk.readBytes}::bigint,
          processed = processed + ${chunk.processed}::integer, failed = failed + ${chunk.failed}::integer,
          pieces = pieces + 1, result_bytes = result_bytes + ${chunk.resultBytes}::bigint,
          processing_ms = processing_ms + ${chunk.milliseconds}::float8, modified_at = ${at(time)},
          state = case when ${chunk.isLast}::boolean then 'JobComplete' else state end
        where id = ${id}`,

  noteRetry: (org: Org, id: string) =>
    sql`update ${jobs(org)} set retries = retries + 1 where id = ${id} returning retries`,

  /** Ends a query with its results; returns nothing when this process works on it no longer. */
  completeQuery: (org: Org, { id, run }: Pick<Job, 'id' | 'run'>, done: QueryOutcome, time: string) =>
    sql`update ${jobs(org)} set state = 'JobComplete', processed = ${done.records}::bigint,
          pieces = ${done.pieces}::integer, result_bytes = ${done.bytes}::bigint,
          processing_ms = processing_ms + ${done.milliseconds}::float8, modified_at = ${at(time)}
        where id = ${id} and run = ${run}::integer and state = 'InProgress' and not is_deleted returning id`,

  /** Notes how many records a query has read; returns nothing when this process works on it no longer. */
  noteRead: (org: Org, { id, run }: Pick<Job, 'id' | 'run'>, records: number, time: string) =>
    sql`update ${jobs(org)} set processed = ${records}::bigint, modified_at = ${at(time)}
        where id = ${id} and run = ${run}::integer and state = 'InProgress' and not is_deleted returning id`,

  /** Hides a job; it still counts toward the limits until it is swept. */
  hide: (org: Org, id: string) =>
    sql`update ${jobs(org)} set is_deleted = true, upload_bytes = 0, result_bytes = 0 where id = ${id}`,

  /** Bytes that the jobs of the org store. */
  storedBytes: (org: Org) =>
    sql`select coalesce(sum(upload_bytes + result_bytes), 0)::float8 as bytes from ${jobs(org)}`,

  /** Selects the usage that counts toward the limits of 24 hours. */
  usage: (org: Org, time: string) =>
    sql`select
          (coalesce(sum(ceil(processed / 10000.0)) filter (where kind = 'ingest' and parent_id is null), 0)
            + count(*) filter (where parent_id is not null))::integer as batches,
          count(*) filter (where kind = 'query' and parent_id is null)::integer as queries,
          coalesce(ceil(sum(result_bytes) filter (where kind = 'query' and parent_id is null) / 1048576.0), 0)::integer as megabytes
        from ${jobs(org)} where created_at >= ${at(time)} - ${LIMIT_PERIOD}`,

  abortOld: (org: Org, time: string) =>
    sql`update ${jobs(org)} set state = 'Aborted', modified_at = ${at(time)}
        where state = 'Open' and created_at < ${at(time, OPEN_SECONDS)}`,

  /** Some jobs that are old enough to be removed. */
  findOld: (org: Org, time: string) =>
    sql`select id from ${jobs(org)} where created_at < ${at(time)} - ${RETENTION} order by created_at limit 100`,

  remove: (org: Org, id: string) => sql`delete from ${jobs(org)} where id = ${id}`,

  removeAll: (org: Org) => sql`delete from ${jobs(org)}`,
}

/** Stored results of a query. */
export interface QueryOutcome {
  readonly records: number
  readonly pieces: number
  readonly bytes: number
  readonly milliseconds: number
}

/** One piece of an upload or of results. */
export interface Piece {
  readonly number: number
  /** Number of the first record in it, from 0. */
  readonly firstRecord: number
  readonly records: number
  readonly bytes: Uint8Array
}

/** Where bytes of an upload begin: the number of the piece, and how many stand before them in it. */
interface UploadPlace {
  readonly number: number
  readonly start: number
  readonly length: number
}

/** `request` is a batch as it came, `outcomes` what became of its records; batches of version 1 have them. */
export type PiecePart = 'upload' | 'successful' | 'failed' | 'query' | 'request' | 'outcomes'

export const pieceSql = {
  store: (org: Org, owner: string, part: PiecePart, { number, firstRecord, records, bytes }: Piece) =>
    sql`insert into ${pieces(org)} (owner, part, number, first_record, records, bytes)
        values (${owner}, ${part}, ${number}::integer, ${firstRecord}::bigint, ${records}::integer, ${bytes})`,

  /** Some bytes of a piece of an upload. */
  readUpload: (org: Org, owner: string, { number, start, length }: UploadPlace) =>
    sql`select substring(bytes from ${start + 1}::integer for ${length}::integer) from ${pieces(org)}
        where owner = ${owner} and part = 'upload' and number = ${number}::integer`,

  /** A piece of results as text, which reaches this process in half of the bytes. */
  readText: (org: Org, owner: string, part: PiecePart, number: number) =>
    sql`select convert_from(bytes, 'UTF8') from ${pieces(org)}
        where owner = ${owner} and part = ${part} and number = ${number}::integer`,

  readBytes: (org: Org, owner: string, part: PiecePart, number: number) =>
    sql`select bytes from ${pieces(org)} where owner = ${owner} and part = ${part} and number = ${number}::integer`,

  /** Number and size of each piece, in order. */
  list: (org: Org, owner: string, part: PiecePart) =>
    sql`select number, first_record as "firstRecord", records, octet_length(bytes) as length
        from ${pieces(org)} where owner = ${owner} and part = ${part} order by number`,

  /** All pieces of a job, uploads that broke off among them. */
  removeOf: (org: Org, jobId: string) =>
    sql`delete from ${pieces(org)} where owner >= ${jobId} and owner < ${`${jobId}0`}`,

  removeAll: (org: Org) => sql`delete from ${pieces(org)}`,

  removeOwned: (org: Org, owner: string) => sql`delete from ${pieces(org)} where owner = ${owner}`,
}
