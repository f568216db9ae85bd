import { sql } from '../../src/base/sql.ts'

/** Tables of somebody else's database, with columns of every kind. */
export const sourceTablesSql = [
  sql.raw(`create schema shop`),
  sql.raw(`create type shop.size as enum ('S', 'M', 'Large')`),
  sql.raw(`create domain shop.short as varchar(12)`),
  sql.raw(`create table shop.customers (
    id bigint generated always as identity primary key,
    name text not null,
    email varchar(120) not null unique,
    code shop.short,
    balance numeric(12, 2) not null default 0,
    is_active boolean not null default true,
    born date default '1970-01-01',
    seen_at timestamptz default now(),
    manager_id bigint references shop.customers on delete set null,
    constraint grown_up check (born < '2020-01-01')
  )`),
  sql.raw(`comment on table shop.customers is 'People who buy.'`),
  sql.raw(`comment on column shop.customers.code is 'From the old shop.'`),
  sql.raw(`create table shop.order_items (
    order_no int,
    line smallint,
    customer_id bigint not null references shop.customers on delete cascade,
    payer_id bigint default 1 references shop.customers on delete set default,
    shop_id uuid default gen_random_uuid(),
    size shop.size not null default 'M',
    note text,
    story text,
    label varchar(500) default 'It''s here',
    ratio double precision,
    exact numeric,
    huge numeric(30, 4),
    price money,
    at_time time default '10:00',
    made timestamp,
    tags text[],
    data jsonb not null default '{}',
    picture bytea,
    place point,
    total numeric(10, 2) generated always as (line * 2) stored,
    primary key (order_no, line),
    unique (customer_id, note)
  )`),
  sql.raw(`create unique index loud on shop.order_items (upper(note))`),
  sql.raw(`create unique index one_label on shop.order_items (label)`),
  sql.raw(
    `insert into shop.customers (name, email) overriding system value values ('Ada', 'ada@example.com')`,
  ),
  sql.raw(`insert into shop.order_items (order_no, line, customer_id, story, ratio, exact, label)
    values (1, 1, 1, repeat('x', 300), 1.125, 12.5, 'a'), (1, 2, 1, 'y', 2, 1234.123456, 'b')`),
]
