/*
 * Answers as one would write them by hand over the tables of ours: SQL for pg, one literal for each record. The benches of the
 * query language and of GraphQL compare themselves with them.
 */

export type Row = Record<string, unknown>
export type Rows = (name: string, text: string, values?: unknown[]) => Promise<Row[]>
/** The qualified name of a table. */
export type Table = (name: string) => string

/** A datetime of the database as the wire shows it. */
const timestamp = (value: unknown) => `${String(value).slice(0, 10)}T${String(value).slice(11, 19)}.000+0000`

const address = (object: string, id: unknown) => `/services/data/v64.0/sobjects/${object}/${id}`

const attributes = (type: string, id: unknown) => ({ type, url: address(type, id) })

export const PAGE_COLUMNS =
  'id, name, industry, numberofemployees, annualrevenue, billingcity, bench_key__c, ownerid, createddate, systemmodstamp'

export const pageRecord = (row: Row) => ({
  attributes: attributes('Account', row.id),
  Id: row.id,
  Name: row.name,
  Industry: row.industry,
  NumberOfEmployees: row.numberofemployees,
  AnnualRevenue: row.annualrevenue,
  BillingCity: row.billingcity,
  Bench_Key__c: row.bench_key__c,
  OwnerId: row.ownerid,
  CreatedDate: timestamp(row.createddate),
  SystemModstamp: timestamp(row.systemmodstamp),
})

/** 2,000 contacts with their parents. */
export async function contacts(run: Rows, table: Table): Promise<object[]> {
  const rows = await run(
    'contacts',
    `select c.id, c.lastname, c.email, a.id as account, a.name, a.industry, u.id as owner, u.name as owner_name
     from ${table('contact')} c
     left join ${table('account')} a on a.id = c.accountid
     left join ${table('user')} u on u.id = a.ownerid
     where not c.isdeleted order by c.id limit 2000`,
  )
  return rows.map((row) => ({
    attributes: attributes('Contact', row.id),
    Id: row.id,
    LastName: row.lastname,
    Email: row.email,
    Account:
      row.account === null
        ? null
        : {
            attributes: attributes('Account', row.account),
            Name: row.name,
            Industry: row.industry,
            Owner:
              row.owner === null ? null : { attributes: attributes('User', row.owner), Name: row.owner_name },
          },
  }))
}

type Contact = readonly [id: string, lastName: string, email: string]

/** 200 accounts with their contacts, by the lateral join that one would write. */
export async function accountsWithContacts(run: Rows, table: Table): Promise<object[]> {
  const rows = await run(
    'children',
    `select a.id, a.name, c.contacts
     from ${table('account')} a
     left join lateral (
       select json_agg(json_build_array(id, lastname, email) order by id) as contacts
       from ${table('contact')} where accountid = a.id and not isdeleted
     ) c on true
     where not a.isdeleted order by a.id limit 200`,
  )
  return rows.map((row) => {
    const given = typeof row.contacts === 'string' ? JSON.parse(row.contacts) : row.contacts
    const found = given as readonly Contact[] | null
    return {
      attributes: attributes('Account', row.id),
      Id: row.id,
      Name: row.name,
      Contacts: found && {
        totalSize: found.length,
        done: true,
        records: found.map(([id, lastName, email]) => ({
          attributes: attributes('Contact', id),
          Id: id,
          LastName: lastName,
          Email: email,
        })),
      },
    }
  })
}

/** Fifty accounts in the order of an index, from a key on. */
export async function accountsFrom(run: Rows, table: Table, key: string): Promise<object[]> {
  const rows = await run(
    'ordered',
    `select id, name, bench_key__c from ${table('account')}
     where upper(bench_key__c) collate "C" >= upper($1) collate "C" and not isdeleted
     order by upper(bench_key__c) collate "C" nulls first limit 50`,
    [key],
  )
  return rows.map((row) => ({
    attributes: attributes('Account', row.id),
    Id: row.id,
    Name: row.name,
    Bench_Key__c: row.bench_key__c,
  }))
}

/** The envelope of a result of one page. */
export const makeResult = (records: readonly object[]) => ({ totalSize: records.length, done: true, records })

const instant = (value: unknown) => `${String(value).slice(0, 10)}T${String(value).slice(11, 19)}.000Z`

/** A GraphQL answer with one connection. */
const makeConnection = (object: string, nodes: readonly object[]) => ({
  data: { uiapi: { query: { [object]: { edges: nodes.map((node) => ({ node })) } } } },
  errors: [],
})

/** Fifty contacts with the names of their accounts, as GraphQL shows them; of those behind a name, if one is given. */
export async function contactNodes(run: Rows, table: Table, name?: string): Promise<object> {
  const behind = name === undefined ? '' : 'and upper(c.lastname) collate "C" > upper($1) collate "C"'
  const rows = await run(
    name === undefined ? 'nodes' : 'named nodes',
    `select c.id, c.lastname, c.email, c.title, c.phone, c.createddate, a.id as account, a.name
     from ${table('contact')} c left join ${table('account')} a on a.id = c.accountid
     where not c.isdeleted ${behind} order by c.id limit 51`,
    name === undefined ? [] : [name],
  )
  return makeConnection(
    'Contact',
    rows.slice(0, 50).map((row) => ({
      Id: row.id,
      LastName: { value: row.lastname },
      Email: { value: row.email },
      Title: { value: row.title },
      Phone: { value: row.phone },
      CreatedDate: { value: instant(row.createddate) },
      Account: row.account === null ? null : { Name: { value: row.name } },
    })),
  )
}

/** Fifty accounts with five contacts each, as GraphQL shows them. */
export async function accountNodes(run: Rows, table: Table): Promise<object> {
  const rows = await run(
    'parent nodes',
    `select a.id, a.name, array_to_json(array(
       select json_build_array(c.id, c.lastname, c.email) from ${table('contact')} c
       where c.accountid = a.id and not c.isdeleted order by c.id limit 6)) as contacts
     from ${table('account')} a where not a.isdeleted order by a.id limit 51`,
  )
  return makeConnection(
    'Account',
    rows.slice(0, 50).map((row) => {
      const found: Contact[] = typeof row.contacts === 'string' ? JSON.parse(row.contacts) : row.contacts
      const nodes = found.slice(0, 5).map(([id, lastName, email]) => ({
        node: { Id: id, LastName: { value: lastName }, Email: { value: email } },
      }))
      return { Id: row.id, Name: { value: row.name }, Contacts: { edges: nodes } }
    }),
  )
}
