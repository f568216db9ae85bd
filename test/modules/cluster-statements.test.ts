import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusedByCluster } from '../support/cluster-statements.ts'

/** Citus 13.2 refuses these, carries them out otherwise, or only in simple cases. (docs/adr/0049-clusters.md) */
const REFUSED = {
  'it is several commands, which change the schema': `create table "org_1"."a" (id text default ';'); create index on "org_1"."a" (id)`,
  'a table that is made within a block is on no node': `do $$ begin create table "org_1"."a" (id text); end $$`,
  'rows with which a table is made stay on the coordinator too':
    'create table "org_1"."copy" as select * from "org_1"."account"',
  'a default takes numbers, beside something else': `alter table "org_1"."account" add column number text default nextval('"org_1"."n"')`,
  'rows of the platform that are sent to the node of an org need a column':
    'select exists (select from "org_1"."user") or exists (select from objectry.browser_session where token_hash = $1)',
  'a table in which there can be no row has no versions of rows':
    'select id, xmin from "org_1"."contact" where id = $1 and (exists (select from "org_1"."account" m where m.id = accountid and false))',
  'a write names tables of the platform and of an org':
    'update "org_1"."account" set name = (select name from objectry.org where id = $1)',
  'a value is a query':
    'insert into "org_1"."account" (id, name) values ($1, (select name from "org_1"."user" limit 1))',
  'RETURNING depends on the session':
    'update "org_1"."account" set name = $1 where id = $2 returning to_json(createddate)',
  'an update differs by row': `update "org_1"."account" set number = nextval('"org_1"."n"')`,
  'a case of an update depends on the session':
    'update "org_1"."account" set at = case when isdeleted then at else now() end where id = $1',
  'an insert that selects from a table depends on the session':
    'insert into "org_1"."recordtype" as known (id, createddate) select $1, now() from "org_1"."user" on conflict (id) do nothing',
}

const CARRIED = [
  'select exists (select from "org_1"."user") or exists (select 1 from objectry.browser_session where token_hash = $1)',
  'select from "org_1"."a" limit 0; select from "org_1"."b" limit 0',
  'select id from "org_1"."contact" where id = $1 and false',
  `select id, xmin from (select '0'::xid as xmin, id from "org_1"."organization" where false) one where id = $1`,
  `select id, xmin from "org_1"."contact" where id = $1 and not isdeleted and "contact"."id" = any('{}'::text[])`,
  `do $$ begin perform setval('"org_1"."n"', 3); perform 1; end $$`,
  'create table "org_1"."copy" as select * from "org_1"."account" with no data',
  'create table "org_1"."copy" (id text, as_of timestamptz)',
  `alter table "org_1"."account" alter column number set default 'A-' || nextval('"org_1"."n"')`,
  'with given as materialized (select id, case when isdeleted then at else now() end as at from "org_1"."a") update "org_1"."a" target set at = given.at from given where target.id = given.id',
  'delete from objectry.metadata_job where org_id = $1',
  'update "org_1"."file" set body = (select string_agg(piece, $1) from "org_1"."_waiting_bytes") where id = $2',
  'insert into "org_1"."account" (id, createddate) values ($1, now())',
  'insert into "org_1"."h" (id, was) select id, was from "org_1"."a" cross join lateral (values ((select name from "org_1"."b" limit 1))) as one (was)',
  'insert into "org_1"."copy" (id, at) select id, $1::timestamptz from "org_1"."account"',
  'insert into "org_1"."account" (id, createddate) select id, now() from unnest($1::text[]) as written (id)',
  `with author as materialized (select id from "org_1"."user") insert into "org_1"."a" (id, at) select given.id, now() from jsonb_populate_recordset(null::"org_1"."a", '[]') given, author`,
]

describe('on a cluster', () => {
  for (const [reason, text] of Object.entries(REFUSED)) {
    test(`is refused: ${text}`, () => assert.equal(refusedByCluster(text), reason))
  }

  for (const text of CARRIED) {
    test(`is carried out: ${text}`, () => assert.equal(refusedByCluster(text), undefined))
  }
})
