import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { storeUncompressed } from '../../storage/uncompressed.sql.ts'

/** Identifies a batch of an import. */
export interface BatchName {
  readonly job: string
  readonly number: number
}

/** The results of a batch in a compact form: a million rows make five thousand of these. */
export interface PackedResults {
  /** The id of each record; null for a failed one. */
  readonly ids: readonly (string | null)[]
  /** For an upsert, a character for each record: 1 created, 0 updated, - unknown. */
  readonly created: string | null
  /** Other properties of results as JSON, by position; null when there are none. */
  readonly details: string | null
}

/** The table of written batches. */
const batches = (org: Org) => sql.id(org.schemaName, '_import_batch')

/** How long the results of an unfinished import are kept. */
const RETENTION = sql`interval '2 days'`

export const importJournalSql = {
  createTable: (org: Org): Sql[] => [
    sql`create table ${batches(org)} (
          job text collate "C" not null,
          number integer not null,
          written_at timestamptz not null,
          ids text[],
          created text,
          details text,
          primary key (job, number))`,
    storeUncompressed(batches(org), 'ids'),
  ],

  /** Returns no row when the batch was already written. Waits while another transaction writes it. */
  claim: (org: Org, { job, number }: BatchName, time: string): Sql =>
    sql`insert into ${batches(org)} (job, number, written_at)
        values (${job}, ${number}::integer, ${time}::text::timestamptz) on conflict do nothing returning number`,

  keep: (org: Org, { job, number }: BatchName, { ids, created, details }: PackedResults): Sql =>
    sql`update ${batches(org)} set ids = ${ids}::text[], created = ${created}::text, details = ${details}::text
        where job = ${job} and number = ${number}::integer`,

  find: (org: Org, { job, number }: BatchName): Sql =>
    sql`select ids, created, details from ${batches(org)} where job = ${job} and number = ${number}::integer`,

  forget: (org: Org, job: string): Sql => sql`delete from ${batches(org)} where job = ${job}`,

  forgetOld: (org: Org, time: string): Sql =>
    sql`delete from ${batches(org)} where written_at < ${time}::text::timestamptz - ${RETENTION}`,
}
