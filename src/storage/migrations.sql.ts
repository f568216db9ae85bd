import { type Sql, sql } from '../base/sql.ts'

interface Migration {
  readonly name: string
  readonly statements: readonly Sql[]
}

/**
 * The platform's own tables, in the schema `objectry`. Numbered by position; never changed once released. An org's
 * tables are not here: they come from its object definitions.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'orgs, connected apps, sessions',
    statements: [
      sql`create sequence objectry.org_number`,
      sql`create table objectry.org (
            id text collate "C" primary key,
            schema_name text not null unique,
            name text not null,
            created_at timestamptz not null default now())`,
      sql`create table objectry.connected_app (
            id bigint generated always as identity primary key,
            org_id text collate "C" not null references objectry.org (id) on delete cascade,
            name text not null,
            client_id text collate "C" not null unique,
            client_secret_hash text not null,
            scopes text[] not null,
            run_as_user_id text collate "C",
            created_at timestamptz not null default now())`,
      sql`create table objectry.session (
            token_hash text collate "C" primary key,
            app_id bigint not null references objectry.connected_app (id) on delete cascade,
            org_id text collate "C" not null references objectry.org (id) on delete cascade,
            user_id text collate "C" not null,
            scopes text[] not null,
            issued_at timestamptz not null,
            last_used_at timestamptz not null,
            idle_seconds integer not null)`,
      sql`create index session_last_used_at on objectry.session (last_used_at)`,
    ],
  },
  {
    name: 'hosts of orgs',
    statements: [sql`alter table objectry.org add column host text collate "C" unique`],
  },
  {
    name: 'what an org is up to date with',
    statements: [sql`alter table objectry.org add column up_to_date_with text`],
  },
  {
    name: 'how often an org was put back',
    statements: [sql`alter table objectry.org add column epoch integer not null default 0`],
  },
]

export const migrationSql = {
  isThere: sql`select to_regclass('objectry.migration') is not null as "isThere"`,
  // Two servers that start at once take turns here; the lock goes with the transaction.
  lock: sql`select pg_advisory_xact_lock(720260101)`,
  ensureTable: [
    sql`create schema if not exists objectry`,
    sql`create table if not exists objectry.migration (
          number integer primary key,
          name text not null,
          applied_at timestamptz not null default now())`,
  ],
  applied: sql`select coalesce(max(number), 0) as number from objectry.migration`,
  record: (number: number, name: string) =>
    sql`insert into objectry.migration (number, name) values (${number}, ${name})`,
}
