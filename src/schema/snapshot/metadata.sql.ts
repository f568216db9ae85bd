import { quoteText, sql } from '../../base/sql.ts'
import { toSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** An org keeps its own metadata: one row per object, and one row with the version of the whole. */
const objects = (org: Org) => sql.id(org.schemaName, '_object')
const version = (org: Org) => sql.id(org.schemaName, '_schema_version')
/** One row with the version of the access data: users, roles, groups, permissions. */
const access = (org: Org) => sql.id(org.schemaName, '_access_version')

/** The same for the same definitions, in whatever org. */
const fingerprint = (org: Org) =>
  sql`(select encode(sha256(string_agg(sha256(convert_to(definition::text, 'UTF8')), ''::bytea order by name)), 'hex') from ${objects(org)})`

export const metadataSql = {
  createTables: (org: Org) => [
    sql`create table ${objects(org)} (
          name text collate "C" primary key,
          definition jsonb not null,
          -- True if a search has requested an index of the object. It is not part of the definition: a deployment keeps it.
          search_index_requested boolean not null default false)`,
    sql`create table ${version(org)} (version integer primary key, changed_at timestamptz not null)`,
    sql`insert into ${version(org)} values (0, now())`,
    sql`create table ${access(org)} (version integer primary key, changed_at timestamptz not null)`,
    sql`insert into ${access(org)} values (0, now())`,
  ],
  requestIndex: (org: Org, name: string) =>
    sql`update ${objects(org)} set search_index_requested = true where name = ${name} and not search_index_requested`,
  requestedIndexes: (org: Org) => sql`select name from ${objects(org)} where search_index_requested`,
  /** Files of a deployment may say what was changed, so the next start gives the org its definitions again. */
  bumpAccess: (org: Org) => [
    sql`update objectry.org set deployed = null
        where schema_name = ${sql.raw(quoteText(org.schemaName))} and deployed is not null`,
    sql`update ${access(org)} set version = version + 1, changed_at = now()`,
  ],
  /** Versions that tell whether this process's knowledge of an org is outdated. */
  loadVersions: (org: Org) =>
    sql`select v.version, ${toSeconds(sql`v.changed_at`)} as "changedAt",
               a.version as "accessVersion", ${toSeconds(sql`a.changed_at`)} as "accessChangedAt"
        from ${version(org)} v cross join ${access(org)} a`,
  loadVersion: (org: Org) =>
    sql`select version, ${toSeconds(sql`changed_at`)} as "changedAt" from ${version(org)}`,
  /** Changes of one org's schema take turns on this row. */
  lock: (org: Org) => sql`select version from ${version(org)} for update`,
  /** Holds the schema as it is until the transaction ends. */
  hold: (org: Org) => sql`select version from ${version(org)} for share`,
  bumpVersion: (org: Org) =>
    sql`update ${version(org)} set version = version + 1, changed_at = now()
        returning version, ${toSeconds(sql`changed_at`)} as "changedAt"`,
  touch: (org: Org) => sql`update ${version(org)} set changed_at = now()`,
  loadNames: (org: Org) => sql`select name from ${objects(org)}`,
  loadDefinitions: (org: Org) => sql`select definition from ${objects(org)}`,
  loadFingerprint: (org: Org) => sql`select ${fingerprint(org)} as fingerprint`,
  loadWithFingerprint: (org: Org) =>
    sql`select definition, ${fingerprint(org)} as fingerprint from ${objects(org)}`,
  remove: (org: Org, name: string) => sql`delete from ${objects(org)} where name = ${name}`,
  /**
   * A change waits for a table less long than PostgreSQL looks for deadlocks, so that it is never a call of a client
   * that is given up; what it does itself may take its time.
   */
  patience: [sql`set local lock_timeout = '300ms'`, sql`set local statement_timeout = 0`],
  /** @param definitions as JSON, by name */
  save: (org: Org, definitions: readonly (readonly [name: string, definition: string])[]) =>
    sql`insert into ${objects(org)} (name, definition)
        select name, definition::jsonb
        from unnest(${definitions.map(([name]) => name)}::text[], ${definitions.map(([, definition]) => definition)}::text[]) as given (name, definition)
        on conflict (name) do update set definition = excluded.definition`,
}
