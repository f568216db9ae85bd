import { type Sql, sql } from '../base/sql.ts'

interface Migration {
  readonly name: string
  readonly statements: readonly Sql[]
}

/**
 * The Latin letters of a text without accents; other letters stay as they are. Texts of ASCII characters, which most are, are
 * not looked at. Only databases in UTF8 can tell letters from accents.
 */
const FOLD_LATIN = `case when octet_length($1) = char_length($1) then $1 else
  normalize(regexp_replace(translate(
    replace(replace(replace(replace(replace(replace(normalize($1, nfd),
      U&'\\00DF', 'ss'), U&'\\1E9E', 'SS'), U&'\\00E6', 'ae'), U&'\\00C6', 'AE'), U&'\\0153', 'oe'), U&'\\0152', 'OE'),
    U&'\\00F8\\00D8\\0111\\0110\\00F0\\00D0\\0142\\0141\\0131\\0127\\0126\\0167\\0166', 'oOdDdDlLihHtT'),
    '([A-Za-z])[\\u0300-\\u036f]+', '\\1', 'g'), nfc) end`

const declareFold = (body: string) =>
  `create function objectry.fold_latin(text) returns text language sql immutable parallel safe return ${body}`

/** Characters that PostgreSQL would keep inside a word (of an address, a path, a number). Here they separate words. */
const WORD_ENDINGS = '@.-/+_&~'
/** Separators in plain text, which has no tags. In rich text, tags are not words. */
const TAG_ENDS = '<>'

/**
 * The words of texts for full-text search, without accents, else unchanged: no stems, no stop words. Words after the first 100,000
 * characters are left out, because PostgreSQL limits the size of a vector. It is called with every write of a record that has an
 * index of its words, mostly for texts that are empty or ASCII.
 * @param text of all `texts`, as SQL
 */
const declareWords = (name: string, text: string, endings: string): Sql =>
  sql`create function objectry.${sql.raw(name)}(texts text[]) returns tsvector
      language plpgsql immutable parallel safe as ${sql.raw(`$words$
        declare split text;
        begin
          if array_to_string(texts, '') = '' then return ''; end if;
          split := translate(left(${text}, 100000), '${endings}', '${' '.repeat(endings.length)}');
          if octet_length(split) <> char_length(split) then split := objectry.fold_latin(split); end if;
          return to_tsvector('simple'::regconfig, split);
        end $words$`)}`

/** The platform's own tables and functions in release 0.1.0. */
const RELEASE_0_1_0: readonly Sql[] = [
  sql`create sequence objectry.org_number`,
  sql`create table objectry.org (
        id text collate "C" primary key,
        schema_name text not null unique,
        name text not null,
        host text collate "C" unique,
        created_at timestamptz not null default now(),
        up_to_date_with text,
        -- How often the org was put back to a snapshot.
        epoch integer not null default 0,
        -- Milliseconds.
        clock_ahead bigint not null default 0,
        -- By the clock of the org, so that a clock that was moved ahead makes it due at once.
        bin_emptied_at timestamptz,
        allowed_origins text[] not null default '{}')`,
  // What identifies and authenticates a client; the settings of an app are a record of its org.
  sql`create table objectry.client (
        id bigint generated always as identity primary key,
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        client_id text collate "C" not null unique,
        secret text,
        old_secret text,
        old_secret_until timestamptz,
        created_at timestamptz not null default now())`,
  sql`create table objectry.session (
        token_hash text collate "C" primary key,
        client_id text collate "C" not null,
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        user_id text collate "C" not null,
        scopes text[] not null,
        grant_type text not null,
        family text collate "C",
        issued_at timestamptz not null,
        last_used_at timestamptz not null,
        idle_seconds integer not null,
        -- Null: the user has logged in, or an app has.
        parent_token_hash text collate "C" references objectry.session (token_hash) on delete cascade)`,
  sql`create index session_last_used_at on objectry.session (last_used_at)`,
  sql`create index session_family on objectry.session (family) where family is not null`,
  sql`create index session_org on objectry.session (org_id, user_id)`,
  sql`create index session_parent on objectry.session (parent_token_hash) where parent_token_hash is not null`,
  // Every process reads new rows here, so that a revoked token stops working everywhere. The time of a row says nothing of
  // when its transaction ends, and others see it.
  sql`create table objectry.revocation (
        number bigint generated always as identity primary key,
        token_hash text collate "C" not null,
        revoked_at timestamptz not null default clock_timestamp(),
        transaction xid8 not null default pg_current_xact_id())`,
  sql`create index revocation_revoked_at on objectry.revocation (revoked_at)`,
  sql`create index revocation_transaction on objectry.revocation (transaction)`,
  // No statement of ours sees the rows that a cascade deletes.
  sql`create function objectry.record_revocation() returns trigger language plpgsql as
        ${sql.raw(`$record$ begin
          insert into objectry.revocation (token_hash) values (old.token_hash);
          return null;
        end $record$`)}`,
  sql`create trigger session_revoked after delete on objectry.session for each row
        when (old.parent_token_hash is not null) execute function objectry.record_revocation()`,
  sql`create table objectry.refresh_token (
        token_hash text collate "C" primary key,
        family text collate "C" not null,
        client_id text collate "C" not null,
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        user_id text collate "C" not null,
        scopes text[] not null,
        issued_at timestamptz not null,
        last_used_at timestamptz not null,
        retired_at timestamptz)`,
  sql`create index refresh_token_family on objectry.refresh_token (family)`,
  sql`create index refresh_token_org on objectry.refresh_token (org_id, user_id, client_id)`,
  sql`create table objectry.authorization_code (
        code_hash text collate "C" primary key,
        family text collate "C" not null,
        client_id text collate "C" not null,
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        user_id text collate "C" not null,
        scopes text[] not null,
        redirect_uri text not null,
        challenge text,
        nonce text,
        issued_at timestamptz not null,
        used_at timestamptz,
        access_token_hash text collate "C" references objectry.session (token_hash) on delete cascade)`,
  sql`create index authorization_code_org on objectry.authorization_code (org_id)`,
  sql`create index authorization_code_access_token on objectry.authorization_code (access_token_hash)
        where access_token_hash is not null`,
  sql`create table objectry.device_code (
        code_hash text collate "C" primary key,
        user_code text collate "C" not null unique,
        client_id text collate "C" not null,
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        scopes text[] not null,
        issued_at timestamptz not null,
        polled_at timestamptz,
        user_id text collate "C",
        denied_at timestamptz)`,
  sql`create index device_code_org on objectry.device_code (org_id)`,
  // The approvals of users for apps.
  sql`create table objectry.approval (
        id bigint generated always as identity primary key,
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        client_id text collate "C" not null,
        user_id text collate "C" not null,
        scopes text[] not null,
        approved_at timestamptz not null)`,
  sql`create index approval_user on objectry.approval (org_id, user_id, client_id)`,
  sql`create table objectry.browser_session (
        token_hash text collate "C" primary key,
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        user_id text collate "C" not null,
        began_at timestamptz not null,
        last_used_at timestamptz not null,
        -- All tokens that the console gets in the session; null: none yet.
        family text collate "C",
        -- The token that opened the session; null: the user has logged in.
        access_token_hash text collate "C" references objectry.session (token_hash) on delete cascade)`,
  sql`create index browser_session_org on objectry.browser_session (org_id, user_id)`,
  sql`create index browser_session_access_token on objectry.browser_session (access_token_hash)
        where access_token_hash is not null`,
  sql`create table objectry.single_access (
        code_hash text collate "C" primary key,
        access_token_hash text collate "C" not null references objectry.session (token_hash) on delete cascade,
        start_path text not null,
        expires_at timestamptz not null)`,
  sql`create index single_access_token on objectry.single_access (access_token_hash)`,
  sql`create index single_access_end on objectry.single_access (expires_at)`,
  // The key that secrets are encrypted with is not in the database; a known encrypted text shows whether a key is right.
  sql`create table objectry.secret_check (
        one boolean primary key default true check (one),
        encrypted text not null)`,
  sql`create table objectry.signing_key (
        key_id text collate "C" primary key,
        private_key text not null,
        made_at timestamptz not null)`,
  // Unlogged, so that guessing costs the server little; a crash of the database loses the counts.
  sql`create unlogged table objectry.attempt (
        scope text collate "C" not null,
        address text collate "C" not null,
        count integer not null,
        max_count integer not null,
        ends_at timestamptz not null,
        primary key (scope, address))`,
  sql`create table objectry.known_address (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        user_id text collate "C" not null,
        address text collate "C" not null,
        seen_at timestamptz not null,
        primary key (org_id, user_id, address))`,
  sql`create table objectry.used_assertion (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        client_id text collate "C" not null,
        id_hash text collate "C" not null,
        expires_at timestamptz not null,
        primary key (org_id, client_id, id_hash))`,
  sql`create index used_assertion_end on objectry.used_assertion (org_id, expires_at)`,
  sql`create table objectry.call_ledger (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        scope text collate "C" not null,
        primary key (org_id, scope))`,
  sql`create table objectry.call_count (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        scope text collate "C" not null,
        minute integer not null,
        calls integer not null,
        primary key (org_id, scope, minute))`,
  sql`create table objectry.call_lease (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        scope text collate "C" not null,
        process text collate "C" not null,
        calls integer not null,
        long_calls integer not null,
        expires_at timestamptz not null,
        primary key (org_id, scope, process))`,
  // Use of API versions by app, for planning the retirement of a version.
  sql`create table objectry.version_use (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        day date not null,
        version integer not null,
        client_id text collate "C" not null,
        calls integer not null,
        primary key (org_id, day, version, client_id))`,
  sql`create table objectry.fault (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        name text collate "C" not null,
        plan jsonb not null,
        matched bigint not null default 0,
        struck bigint not null default 0,
        set_at timestamptz not null,
        primary key (org_id, name))`,
  sql`create table objectry.call_journal (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        number bigint generated always as identity primary key,
        kind text not null,
        is_counted boolean not null,
        began_at float8 not null,
        milliseconds float8 not null,
        client_id text collate "C",
        method text not null,
        route text not null,
        version text not null,
        status integer not null,
        code text not null,
        fault text not null,
        sameness text not null,
        sameness_in_any_version text not null)`,
  sql`create index call_journal_time on objectry.call_journal (org_id, began_at)`,
  sql`create table objectry.call (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        number bigint generated always as identity,
        time timestamptz not null,
        request_id text not null,
        method text not null,
        path text not null,
        route text not null,
        status integer not null,
        error_code text not null,
        duration_ms float8 not null,
        statements integer not null,
        database_ms float8 not null,
        username text,
        client_id text,
        client_address text,
        bytes_in bigint not null,
        bytes_out bigint,
        statement_list text not null,
        request text,
        response text,
        primary key (org_id, number))`,
  sql`create table objectry.call_settings (
        org_id text collate "C" primary key references objectry.org (id) on delete cascade,
        keeps_bodies boolean not null)`,
  sql`create table objectry.version_hour (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        hour integer not null,
        version integer not null,
        calls integer not null,
        primary key (org_id, hour, version))`,
  sql`create table objectry.slow_query (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        key text collate "C" not null,
        query text not null,
        version integer not null,
        times bigint not null,
        total_ms float8 not null,
        max_ms float8 not null,
        first_at timestamptz not null default now(),
        last_at timestamptz not null default now(),
        primary key (org_id, key))`,
  sql`create table objectry.upgrade_step (
        org_id text collate "C" not null references objectry.org (id) on delete cascade,
        step text collate "C" not null,
        version text collate "C" not null,
        round integer not null default 1,
        state text collate "C" not null,
        position text,
        progress float8 not null default 0,
        error text,
        tries integer not null default 0,
        due_at timestamptz not null default now(),
        began_at timestamptz,
        ended_at timestamptz,
        primary key (org_id, step))`,
  sql`create index upgrade_step_open on objectry.upgrade_step (org_id) where state <> 'done'`,
  sql`do ${sql.raw(`$do$ begin
        if getdatabaseencoding() = 'UTF8' then execute $fold$${declareFold(FOLD_LATIN)}$fold$;
        else execute $fold$${declareFold('$1')}$fold$;
        end if;
      end $do$`)}`,
  declareWords('words', "array_to_string(texts, ' ')", WORD_ENDINGS + TAG_ENDS),
  declareWords('rich_words', "array_to_string(texts, ' ')", WORD_ENDINGS),
  // Phone numbers once more, without what separates their digits.
  declareWords(
    'phone_words',
    `array_to_string(texts, ' ') || ' '
      || translate(regexp_replace(array_to_string(texts, e'\\x1f'), e'[^0-9\\x1f]+', '', 'g'), e'\\x1f', ' ')`,
    WORD_ENDINGS + TAG_ENDS,
  ),
  // A row may be ten thousand times as long as the one before it.
  sql`create function objectry.fetch_texts(cursor_name text, most_rows integer, enough_bytes integer) returns setof text
      language plpgsql as ${sql.raw(`$fetch$
        declare
          source refcursor := cursor_name;
          line text;
          bytes bigint := 0;
        begin
          for number in 1..most_rows loop
            fetch source into line;
            exit when not found;
            return next line;
            bytes := bytes + octet_length(line);
            exit when bytes >= enough_bytes;
          end loop;
        end $fetch$`)}`,
  // Each of its statements sees what others committed while it waited for the lock. A lease is a sixty-fourth of what is free, at
  // most 2,000, and at least what is wanted. Minutes that have not begun here are counted too: server clocks differ a little.
  sql`create function objectry.exchange_calls(
        the_org text, the_scope text, the_process text, this_minute integer, call_limit integer,
        kept integer, wanted integer, running_long integer, lease_seconds integer, silent_seconds integer,
        made_minutes integer[], made_calls integer[])
      returns table (used integer, leased integer, long_calls integer, held integer, free integer)
      language plpgsql as ${sql.raw(`$exchange$
        #variable_conflict use_column
        declare
          other_calls integer;
          available integer;
        begin
          insert into objectry.call_ledger (org_id, scope) values (the_org, the_scope)
          on conflict (org_id, scope) do update set scope = excluded.scope;

          insert into objectry.call_count (org_id, scope, minute, calls)
          select the_org, the_scope, minute, calls from unnest(made_minutes, made_calls) as made (minute, calls)
          on conflict (org_id, scope, minute) do update set calls = call_count.calls + excluded.calls;

          select coalesce(sum(calls), 0) into exchange_calls.used from objectry.call_count
          where org_id = the_org and scope = the_scope and minute > this_minute - 1440 and minute <= this_minute + 5;

          select coalesce(sum(calls), 0),
                 coalesce(sum(calls) filter (where expires_at > clock_timestamp()), 0),
                 coalesce(sum(call_lease.long_calls) filter (where expires_at > clock_timestamp()), 0)
          into other_calls, exchange_calls.leased, exchange_calls.long_calls
          from objectry.call_lease
          where org_id = the_org and scope = the_scope and process <> the_process
            and expires_at > clock_timestamp() - silent_seconds * interval '1 second';

          available := greatest(0, call_limit - exchange_calls.used - other_calls - kept);
          exchange_calls.held := kept;
          if wanted > 0 and call_limit is not null then
            exchange_calls.held := kept
              + least(available, greatest(wanted, least(available / 64, 2000) - kept));
          end if;
          exchange_calls.free := coalesce(available + kept - exchange_calls.held, 0);

          insert into objectry.call_lease (org_id, scope, process, calls, long_calls, expires_at)
          values (the_org, the_scope, the_process, exchange_calls.held, running_long,
                  clock_timestamp() + lease_seconds * interval '1 second')
          on conflict (org_id, scope, process) do update
          set calls = excluded.calls, long_calls = excluded.long_calls, expires_at = excluded.expires_at;
          return next;
        end $exchange$`)}`,
]

/**
 * The platform's own tables, in the schema `objectry`. Numbered by position from `FIRST_MIGRATION`; never changed once released. An
 * org's tables are not here: they are created from its object definitions.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: 'release 0.1.0', statements: RELEASE_0_1_0 },
  {
    name: 'definitions of all orgs',
    statements: [
      // At most one row: the definitions that every org shall have.
      sql`create table objectry.deployment (
            one boolean primary key default true check (one),
            fingerprint text not null,
            -- JSON of the files, how they are deployed, and by whom: null: a server's start.
            content text not null,
            set_at timestamptz not null default now())`,
      // The fingerprint of those that the org has; null: its schema has changed since, or it never had any.
      sql`alter table objectry.org add column deployed text`,
    ],
  },
  {
    name: 'when recycle bins are due',
    // By the clock of the org. Null: look at once.
    statements: [sql`alter table objectry.org add column bin_due_at timestamptz`],
  },
  {
    name: 'event log',
    statements: [
      // One row for each org that anybody has followed.
      sql`create table objectry.event_stream (
            org_id text collate "C" primary key references objectry.org (id) on delete cascade,
            -- Positions that were given; they only grow.
            last_position bigint not null default 0,
            -- Events up to here are gone: they were too old, or the org was put back to a snapshot.
            gone_position bigint not null default 0)`,
      sql`create table objectry.event (
            -- The order of writing, which is that of the locks of the records.
            number bigint generated always as identity primary key,
            org_id text collate "C" not null references objectry.org (id) on delete cascade,
            -- The order of reading, given once its transaction is committed.
            position bigint,
            transaction xid8 not null default pg_current_xact_id(),
            -- Its place among the events of its transaction, from 1 on; given with the position.
            place integer,
            object text not null,
            kind text not null,
            -- JSON: ids of records, names of changed fields, values.
            content text not null,
            user_id text not null,
            -- By the clock of the org.
            at timestamptz not null,
            origin text not null)`,
      sql`create index event_waiting on objectry.event (org_id, number) where position is null`,
      sql`create unique index event_position on objectry.event (org_id, position)`,
    ],
  },
  {
    name: 'stream clients',
    statements: [
      // Clients that follow events by CometD, through whichever process.
      sql`create table objectry.stream_client (
            id text collate "C" primary key,
            org_id text collate "C" not null references objectry.org (id) on delete cascade,
            user_id text collate "C" not null,
            -- Another one with each change of the row.
            version text collate "C" not null,
            -- The latest connect: those before it are held no longer.
            connect text collate "C",
            -- JSON: channels, up to where each was received, and up to where it was sent.
            subscriptions text not null,
            -- JSON: id of the message by whose answer they were sent.
            sent_by text,
            -- Unless it comes again.
            expires_at timestamptz not null)`,
      sql`create index stream_client_org on objectry.stream_client (org_id, expires_at)`,
    ],
  },
  {
    name: 'bounds of event logs',
    statements: [
      // The records of an event stand beside its content, so that alike ones of a transaction can be joined.
      sql`alter table objectry.event
            add column ids text[] not null default '{}',
            -- Fields that were changed, once for each record; 0 of what is published.
            add column changes integer not null default 0`,
      sql`update objectry.event
          set ids = array(select jsonb_array_elements_text(content::jsonb -> 'ids')), content = (content::jsonb - 'ids')::text
          where kind <> 'PUBLISH'`,
      // Size of the events with a position, in bytes.
      sql`alter table objectry.event_stream add column length bigint not null default 0`,
      sql`update objectry.event_stream stream set length = kept.length
          from (select org_id, sum(octet_length(content) + 20 * cardinality(ids)) as length from objectry.event
                where position is not null group by 1) kept
          where kept.org_id = stream.org_id`,
    ],
  },
  {
    name: 'triggers of events',
    statements: [
      // Platform events that triggers run for, and the last event before the first server that had one.
      sql`create table objectry.event_listener (object text collate "C" primary key, since bigint not null)`,
      // Up to where the triggers of an org have run.
      sql`create table objectry.event_trigger (
            org_id text collate "C" not null references objectry.org (id) on delete cascade,
            object text collate "C" not null,
            position bigint not null,
            -- Tries of the next events that failed, and when the next one is.
            attempts integer not null default 0,
            retry_at timestamptz,
            primary key (org_id, object))`,
      sql`create index event_published on objectry.event (org_id, lower(object), position) where kind = 'PUBLISH'`,
    ],
  },
  {
    name: 'copies of events',
    statements: [
      // Of an event that is there for a second time: the first position of its transaction. Null: it is no copy.
      sql`alter table objectry.event add column first_position bigint`,
      // An event has one copy, however many followers are to get it twice.
      sql`create unique index event_copy on objectry.event (org_id, first_position, place) where first_position is not null`,
    ],
  },
  {
    name: 'cheaper events',
    statements: [
      // Looking up and locking its org took as long as writing an event. Who deletes an org deletes its events.
      sql`alter table objectry.event drop constraint event_org_id_fkey`,
      sql`drop index objectry.event_position`,
      sql`create unique index event_position on objectry.event (org_id, position) where position is not null`,
    ],
  },
  {
    name: 'batches of bulk jobs',
    statements: [
      // Of the orgs that have the tables of jobs; others get them with these columns.
      sql.raw(`do $batches$
        declare org_schema text;
        begin
          for org_schema in select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where c.relname = '_bulk_job' and c.relkind = 'r' loop
            execute format('alter table %I._bulk_job add column if not exists parent_id text collate "C",
              add column if not exists content_type text not null default ''CSV'',
              add column if not exists is_serial boolean not null default false', org_schema);
            execute format('create index if not exists _bulk_job_parent on %I._bulk_job (parent_id, id)
              where parent_id is not null', org_schema);
          end loop;
        end $batches$`),
    ],
  },
  {
    name: 'jobs of metadata',
    statements: [
      sql`create table objectry.metadata_job (
            id text collate "C" not null,
            org_id text collate "C" not null references objectry.org (id) on delete cascade,
            user_id text collate "C" not null,
            user_name text not null,
            -- deploy or retrieve.
            kind text not null,
            status text not null default 'Pending',
            -- JSON.
            options text not null,
            -- The checked deployment that it repeats.
            validated_id text collate "C",
            -- Null: it is not needed any more.
            archive bytea,
            -- Components, as soon as they are known.
            total integer not null default 0,
            -- JSON: what became of each component, or which files were retrieved; null until then.
            outcome text,
            canceled_by_id text collate "C",
            canceled_by_name text,
            -- By the clock of the org.
            created_at timestamptz not null,
            started_at timestamptz,
            modified_at timestamptz not null,
            completed_at timestamptz,
            primary key (org_id, id))`,
      sql`create index metadata_job_org on objectry.metadata_job (org_id, created_at)`,
    ],
  },
  {
    name: 'APIs of log-ins',
    statements: [
      sql.raw(`do $logins$
        declare org_schema text;
        begin
          for org_schema in select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where c.relname = '_login' and c.relkind = 'r' loop
            execute format('alter table %I._login add column if not exists client_name text,
              add column if not exists api_type text,
              add column if not exists api_version text', org_schema);
          end loop;
        end $logins$`),
    ],
  },
  {
    name: 'tables on first use',
    statements: [
      sql`create table objectry.table_statements (
            hash text collate "C" primary key,
            statements jsonb not null)`,
      sql`create table objectry.absent_table (
            schema_name text not null references objectry.org (schema_name) on delete cascade,
            name text collate "C" not null,
            hash text collate "C" not null,
            primary key (schema_name, name))`,
    ],
  },
]

/** The number of the first migration. Databases from before the first release have lower ones, and are not upgraded. */
export const FIRST_MIGRATION = 25

export const migrationSql = {
  isThere: sql`select to_regclass('objectry.migration') is not null as "isThere"`,
  // Servers that start at the same time migrate one after the other; the lock ends with the transaction.
  /** A starting server waits for one that migrates, without a time limit. */
  waitForOthers: [sql`set local lock_timeout = 0`],
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
