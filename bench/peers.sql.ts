import { LAST_NAMES } from './dataset.ts'

/** Ids that go up and are as long as ours. */
const makeId = (prefix: string) => `'${prefix}' || to_char(nextval('made_ids'), 'FM000000000000000')`

/**
 * What the baseline's tables need for PostGraphile: ids that the database makes, and functions, which it serves as
 * mutations. Each mutation of a document is a transaction of its own, so work that is done whole or not at all is a
 * function, as its documentation says.
 */
export const POSTGRAPHILE_FUNCTIONS: readonly string[] = [
  'create sequence made_ids',
  `alter table account alter id set default ${makeId('001')}`,
  `alter table contact alter id set default ${makeId('003')}`,
  `create function upsert_account(bench_key text, name text, industry text) returns account language sql as $$
     insert into account (bench_key, name, industry) values ($1, $2, $3)
     on conflict (bench_key) do update set name = excluded.name, industry = excluded.industry
     returning * $$`,
  `create function save_accounts(creates json, updates json) returns setof account language sql as $$
     with updated as (
       update account set industry = given.industry, annualrevenue = given.annualrevenue
       from json_to_recordset($2) as given (id text, industry text, annualrevenue numeric)
       where account.id = given.id returning account.*),
     created as (
       insert into account (name, industry, annualrevenue, bench_key)
       select * from json_to_recordset($1) as given (name text, industry text, annualrevenue numeric, bench_key text)
       returning *)
     select * from created union all select * from updated $$`,
  `create function create_account_trees(accounts json) returns text[] language sql as $$
     with given as materialized (
       select ${makeId('001')} as id, name, industry, contacts
       from json_to_recordset($1) as given (name text, industry text, contacts json)),
     created as (insert into account (id, name, industry) select id, name, industry from given returning id),
     children as (
       insert into contact (accountid, firstname, lastname, email)
       select given.id, child.*
       from given, json_to_recordset(contacts) as child (firstname text, lastname text, email text)
       returning id)
     select array(select id from created union all select id from children) $$`,
]

/** The indexes of the baseline, on the tables that Parse Server makes. */
export const PARSE_INDEXES: readonly string[] = [
  'create unique index on "Account" ("benchKey")',
  'create index on "Account" ("annualRevenue")',
  'create index on "Contact" (account)',
  'create index on "Contact" ("lastName", "objectId")',
]

/** The same records as the baseline's. By its own API they would take minutes. */
export const PARSE_ACCOUNTS = `
  insert into "Account" ("objectId", "createdAt", "updatedAt", name, industry, "annualRevenue", "benchKey")
  select id, now(), now(), 'Account ' || n, (array['Energy', 'Banking', 'Retail'])[1 + n % 3], n * 10, 'key-' || n
  from (select id, at + $1::integer as n from unnest($2::text[]) with ordinality as made (id, at)) numbered`

export const PARSE_CONTACTS = `
  insert into "Contact" ("objectId", "createdAt", "updatedAt", account, "firstName", "lastName", email)
  select id, now(), now(), account, 'Ada', 'Contact ' || n % ${LAST_NAMES}, 'contact' || n || '@example.com'
  from (select id, account, at + $1::integer as n
        from unnest($2::text[], $3::text[]) with ordinality as made (id, account, at)) numbered`

export const PARSE_ANALYZE: readonly string[] = ['vacuum analyze "Account"', 'vacuum analyze "Contact"']
