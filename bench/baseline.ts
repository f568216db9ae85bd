import { PGlite } from '@electric-sql/pglite'
import Fastify from 'fastify'
import pg from 'pg'
import {
  accountNodes,
  accountsFrom,
  accountsWithContacts,
  address,
  contactNodes,
  contacts,
  makeResult,
  PAGE_COLUMNS,
  pageRecord,
  type Row,
  type Rows,
  timestamp,
} from './handwritten.ts'

/**
 * The hand-written baseline: what a good engineer writes for one object and nothing else. Fastify and pg, prepared
 * statements, the same tables, columns, indexes and record shape as ours, no rules, no permissions, no metadata. Run as
 * its own process: BASELINE_DATABASE_URL or BASELINE_DATA, BASELINE_SCHEMA, BASELINE_FIELDS (JSON), BASELINE_USER.
 */
const schema = process.env.BASELINE_SCHEMA!
const user = process.env.BASELINE_USER!
const fields = JSON.parse(process.env.BASELINE_FIELDS!) as {
  name: string
  datetime: boolean
  address?: string[]
}[]
const text = (value: string) => value
const NUMBERS = [20, 21, 23, 700, 701, 1700]

type Run = (name: string, text: string, values?: unknown[]) => Promise<{ rows: Row[]; rowCount: number }>

interface Hand {
  readonly run: Run
  readonly inTransaction: <T>(work: (run: Run) => Promise<T>) => Promise<T>
}

async function openPostgres(url: string): Promise<Hand> {
  const types = {
    getTypeParser: (oid: number) =>
      oid === 16 ? (v: string) => v === 't' : NUMBERS.includes(oid) ? Number : text,
  } as unknown as pg.CustomTypesConfig
  const pool = new pg.Pool({ connectionString: url, max: 16, types, options: '-c timezone=UTC' })
  const runOn =
    (target: Pick<pg.Pool, 'query'>): Run =>
    async (name, statement, values = []) => {
      const { rows, rowCount } = await target.query({ name, text: statement, values })
      return { rows, rowCount: rowCount ?? 0 }
    }
  return {
    run: runOn(pool),
    async inTransaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(runOn(client as unknown as pg.Pool))
        await client.query('commit')
        return result
      } finally {
        client.release()
      }
    },
  }
}

async function openPglite(folder: string): Promise<Hand> {
  const parsers = { 20: Number, 1700: Number, 1184: text }
  const pglite = await PGlite.create({ dataDir: folder, parsers })
  const runOn =
    (target: Pick<PGlite, 'query'>): Run =>
    async (_name, statement, values) => {
      const { rows, affectedRows } = await target.query<Row>(statement, values)
      return { rows, rowCount: affectedRows ?? 0 }
    }
  return {
    run: runOn(pglite),
    inTransaction: (work) => pglite.transaction((tx) => work(runOn(tx as unknown as PGlite))),
  }
}

const url = process.env.BASELINE_DATABASE_URL
const { run, inTransaction } =
  url === undefined ? await openPglite(process.env.BASELINE_DATA!) : await openPostgres(url)

const table = `"${schema}"."account"`
const stored = fields.filter((field) => field.address === undefined)
const columns = stored.map((field) => `"${field.name.toLowerCase()}"`).join(', ')

/** The same record as ours: attributes, fields in order, compound addresses. */
function shape(row: Row): Row {
  const record: Row = {
    attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${row.id}` },
  }
  for (const field of fields) {
    if (field.address !== undefined) {
      const values = field.address.map((name) => row[name.toLowerCase()])
      const [street, city, state, postalCode, country, latitude, longitude, geocodeAccuracy] = values
      record[field.name] = values.every((value) => value === null)
        ? null
        : { city, country, geocodeAccuracy, latitude, longitude, postalCode, state, street }
      continue
    }
    const value = row[field.name.toLowerCase()]
    record[field.name] = field.datetime && value !== null ? timestamp(value) : value
  }
  return record
}

let next = Number(process.env.BASELINE_FIRST_ID ?? 0)
const newId = () => `001FLOOR${String(next++).padStart(10, '0')}`
const now = () => `${new Date().toISOString().slice(0, 19)}Z`

const server = Fastify()

server.post('/sobjects/Account', async (request, reply) => {
  const body = request.body as Row
  const id = newId()
  await run(
    'create',
    `insert into ${table} (id, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, name, industry, numberofemployees, annualrevenue, billingcity, bench_key__c, ownerid)
           values ($1, $2, $3, $2, $3, $2, $4, $5, $6, $7, $8, $9, $3)`,
    [
      id,
      now(),
      user,
      body.Name,
      body.Industry,
      body.NumberOfEmployees,
      body.AnnualRevenue,
      body.BillingCity,
      body.Bench_Key__c,
    ],
  )
  return reply.code(201).send({ id, success: true, errors: [] })
})

server.get('/sobjects/Account/:id', async (request, reply) => {
  const { id } = request.params as { id: string }
  const { rows } = await run('read', `select ${columns} from ${table} where id = $1 and not isdeleted`, [id])
  if (rows.length === 0) return reply.code(404).send([])
  return shape(rows[0]!)
})

server.patch('/sobjects/Account/:id', async (request, reply) => {
  const { id } = request.params as { id: string }
  const body = request.body as Row
  const { rowCount } = await run(
    'update',
    `update ${table} set industry = $2, numberofemployees = $3, lastmodifieddate = $4, lastmodifiedbyid = $5, systemmodstamp = $4
           where id = $1 and not isdeleted`,
    [id, body.Industry, body.NumberOfEmployees, now(), user],
  )
  return reply.code(rowCount === 1 ? 204 : 404).send()
})

server.patch('/sobjects/Account/Bench_Key__c/:key', async (request, reply) => {
  const { key } = request.params as { key: string }
  const body = request.body as Row
  const { rows } = await run(
    'upsert',
    `insert into ${table} (id, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid, name, industry, numberofemployees, bench_key__c)
           values ($1, $2, $3, $2, $3, $2, $3, $4, $5, $6, $7)
           on conflict (upper(bench_key__c) collate "C") where not isdeleted
           do update set name = excluded.name, industry = excluded.industry, numberofemployees = excluded.numberofemployees,
             lastmodifieddate = excluded.lastmodifieddate, lastmodifiedbyid = excluded.lastmodifiedbyid, systemmodstamp = excluded.systemmodstamp
           returning id, (xmax = 0) as created`,
    [newId(), now(), user, body.Name, body.Industry, body.NumberOfEmployees, key],
  )
  const { id, created } = rows[0]!
  return reply.code(created ? 201 : 200).send({ id, success: true, errors: [], created })
})

/** Keyset pages: the first one counts, as the interface's `totalSize` asks. */
server.get('/query', async (request) => {
  const { after, limit } = request.query as { after?: string; limit?: string }
  const { rows } = await run(
    'page',
    `select ${PAGE_COLUMNS} from ${table} where id > $1 and not isdeleted order by id limit 2001`,
    [after ?? ''],
  )
  const more = rows.length > 2000 && limit === undefined
  const total =
    after === undefined && more
      ? (await run('count', `select count(*) as total from ${table} where not isdeleted`)).rows[0]!.total
      : rows.length
  const records = rows.slice(0, 2000).map(pageRecord)
  return {
    totalSize: total,
    done: !more,
    ...(more ? { nextRecordsUrl: `/query?after=${records[1999]!.Id}` } : {}),
    records,
  }
})

const rowsOnly: Rows = async (...statement) => (await run(...statement)).rows
const tableOf = (name: string) => `"${schema}"."${name}"`

server.get('/contacts', async () => makeResult(await contacts(rowsOnly, tableOf)))

server.get('/accounts-with-contacts', async () => makeResult(await accountsWithContacts(rowsOnly, tableOf)))

server.get('/accounts-from/:key', async (request) => {
  const { key } = request.params as { key: string }
  return makeResult(await accountsFrom(rowsOnly, tableOf, key))
})

/** What a document would be answered, the document left unread. */
server.post('/graphql/contacts', async (request) => {
  const { name } = request.body as { name?: string }
  return contactNodes(rowsOnly, tableOf, name)
})

server.post('/graphql/accounts', async () => accountNodes(rowsOnly, tableOf))

/** New rows by one statement: an array for each column. */
function insertStatement(name: string, columns: readonly string[]): string {
  const arrays = columns.map((_, n) => `$${n + 4}::text[]`)
  return `insert into "${schema}"."${name}" (id, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid, ${columns.join(', ')})
          select r.id, $1::timestamptz, $2, $1::timestamptz, $2, $1::timestamptz, $2, ${columns.map((column) => (column === 'numberofemployees' ? `r.${column}::integer` : `r.${column}`)).join(', ')}
          from unnest($3::text[], ${arrays.join(', ')}) as r (id, ${columns.join(', ')})`
}

const ACCOUNT_COLUMNS = ['name', 'industry', 'numberofemployees', 'billingcity', 'phone']
const insertAccounts = insertStatement('account', ACCOUNT_COLUMNS)
const insertContacts = insertStatement('contact', ['accountid', 'firstname', 'lastname', 'email'])

/** The arguments of such a statement. */
function makeArrays(ids: readonly string[], records: readonly Row[], names: readonly string[]): unknown[] {
  return [now(), user, ids, ...names.map((name) => records.map((record) => record[name]))]
}

const ACCOUNT_NAMES = ['Name', 'Industry', 'NumberOfEmployees', 'BillingCity', 'Phone']

server.post('/composite/sobjects', async (request) => {
  const { records } = request.body as { records: Row[] }
  const ids = records.map(newId)
  await run('collection', insertAccounts, makeArrays(ids, records, ACCOUNT_NAMES))
  return ids.map((id) => ({ id, success: true, errors: [] }))
})

server.post('/composite/tree/Account', async (request, reply) => {
  const { records } = request.body as { records: Row[] }
  const ids = records.map(newId)
  const contacts = records.flatMap((record, n) =>
    (record.Contacts as { records: Row[] }).records.map(
      (contact): Row => ({ ...contact, AccountId: ids[n] }),
    ),
  )
  const contactIds = contacts.map(newId)
  await inTransaction(async (tx) => {
    await tx('collection', insertAccounts, makeArrays(ids, records, ACCOUNT_NAMES))
    await tx(
      'contacts',
      insertContacts,
      makeArrays(contactIds, contacts, ['AccountId', 'FirstName', 'LastName', 'Email']),
    )
  })
  const reference = (record: Row) => (record.attributes as { referenceId: string }).referenceId
  const results = [
    ...records.map((record, n) => ({ referenceId: reference(record), id: ids[n] })),
    ...contacts.map((contact, n) => ({ referenceId: reference(contact), id: contactIds[n] })),
  ]
  return reply.code(201).send({ hasErrors: false, results })
})

interface Step {
  readonly referenceId: string
  readonly body: Row
}

/** Steps that create an account each, one statement after the other. */
function createSteps(steps: readonly Step[]): Promise<object[]> {
  return inTransaction(async (tx) => {
    const results: object[] = []
    for (const { referenceId, body } of steps) {
      const id = newId()
      await tx('collection', insertAccounts, makeArrays([id], [body], ACCOUNT_NAMES))
      results.push({
        body: { id, success: true, errors: [] },
        httpHeaders: { Location: address('Account', id) },
        httpStatusCode: 201,
        referenceId,
      })
    }
    return results
  })
}

server.post('/composite', async (request) => {
  const { compositeRequest } = request.body as { compositeRequest: Step[] }
  return { compositeResponse: await createSteps(compositeRequest) }
})

server.post('/composite/graph', async (request) => {
  const { graphs } = request.body as { graphs: { graphId: string; compositeRequest: Step[] }[] }
  const answers: object[] = []
  for (const { graphId, compositeRequest } of graphs) {
    const compositeResponse = await createSteps(compositeRequest)
    answers.push({ graphId, graphResponse: { compositeResponse }, isSuccessful: true })
  }
  return { graphs: answers }
})

server.get('/healthz', async () => ({ status: 'ok' }))

await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
