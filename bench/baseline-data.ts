import { type Chunk, LAST_NAMES, makeChunks } from './dataset.ts'

export type Run = (name: string, text: string, values?: unknown[]) => Promise<BaselineRow[]>
/** Every value is PostgreSQL's text. */
export type BaselineRow = Readonly<Record<string, string | null>>

/** Tables with the columns that the baseline serves and nothing else. */
const TABLES = [
  `create table account (
     id text collate "C" primary key, name text not null, industry text, annualrevenue numeric, bench_key text unique,
     createddate timestamptz not null default now())`,
  'create index on account (annualrevenue)',
  `create table contact (
     id text collate "C" primary key, accountid text collate "C" references account, firstname text,
     lastname text collate "C" not null, email text, createddate timestamptz not null default now())`,
  'create index on contact (accountid)',
  'create index on contact (lastname, id)',
]

const ACCOUNTS = `
  insert into account (id, name, industry, annualrevenue, bench_key)
  select id, 'Account ' || n, (array['Energy', 'Banking', 'Retail'])[1 + n % 3], n * 10, 'key-' || n
  from (select id, at + $1::integer as n from unnest($2::text[]) with ordinality as made (id, at)) numbered`

const CONTACTS = `
  insert into contact (id, accountid, firstname, lastname, email)
  select id, account, 'Ada', 'Contact ' || n % ${LAST_NAMES}, 'contact' || n || '@example.com'
  from (select id, account, at + $1::integer as n
        from unnest($2::text[], $3::text[]) with ordinality as made (id, account, at)) numbered`

/** Makes the tables and fills them with the same records as ours. */
export async function seedBaseline(run: Run, accounts: number, contacts: number): Promise<void> {
  for (const statement of TABLES) await run('', statement)
  for (const { first, ids } of makeChunks('001', accounts, accounts))
    await run('', ACCOUNTS, [first - 1, ids])
  const insertContacts = ({ first, ids, accountIds }: Chunk) =>
    run('', CONTACTS, [first - 1, ids, accountIds])
  for (const chunk of makeChunks('003', contacts, accounts)) await insertContacts(chunk)
  for (const table of ['account', 'contact']) await run('', `vacuum analyze ${table}`)
}
