import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Which batch of which import. */
export interface BatchName {
  readonly job: string
  readonly number: number
}

/** The results of a batch, packed: a million rows make five thousand of these. */
export interface PackedResults {
  /** The id of each record, null where there is none. */
  readonly ids: readonly (string | null)[]
  /** Of an upsert: 1 for a record that it made, 0 for one that it found, - where nothing is known. */
  readonly created: string | null
  /** What else there is to say, as JSON, by position; null: nothing. */
  readonly details: string | null
}

/** The batches that were written, by import. */
const batches = (org: Org) => sql.id(org.schemaName, '_import_batch')

/** How long an import is remembered that nobody brought to its end. */
const LIFE = sql`interval '2 days'`

export const importJournalSql = {
  createTable: (org: Org): Sql[] => [
    sql`create table if not exists ${batches(org)} (
          job text collate "C" not null,
          number integer not null,
          written_at timestamptz not null,
          ids text[],
          created text,
          details text,
          primary key (job, number))`,
    // Ids are not worth packing: it costs more time than the bytes.
    sql`alter table ${batches(org)} alter column ids set storage external`,
  ],

  /** Comes back empty when the batch is there. While another transaction writes it this waits for its end. */
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
    sql`delete from ${batches(org)} where written_at < ${time}::text::timestamptz - ${LIFE}`,
}
