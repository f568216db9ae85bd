import { PGlite } from '@electric-sql/pglite'
import Fastify, { type FastifyReply } from 'fastify'
import pg from 'pg'
import { makeRecordId } from '../src/base/record-id.ts'
import { type BaselineRow, type Run, seedBaseline } from './baseline-data.ts'

/*
 * The independent baseline: what a good engineer writes for two objects and nothing else. Fastify and pg, a pool of 10,
 * prepared statements, JSON built as text, over narrow tables of its own. No rules, no permissions, no metadata, no
 * query language: what a query asks for stands in a path of its own. It answers the same bytes as ours.
 * Run as its own process, which fills its tables first: BASELINE_DATABASE_URL or BASELINE_DATA (empty), BASELINE_ACCOUNTS,
 * BASELINE_CONTACTS.
 */
interface Database {
  readonly run: Run
  readonly transaction: <T>(work: (run: Run) => Promise<T>) => Promise<T>
}

const POOL_SIZE = 10
const asText = (value: string) => value

function openPostgres(url: string): Database {
  const types = { getTypeParser: () => asText } as unknown as pg.CustomTypesConfig
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE, types, options: '-c timezone=UTC' })
  const runOn =
    (target: Pick<pg.Pool, 'query'>): Run =>
    async (name, text, values = []) =>
      (await target.query({ name, text, values })).rows
  return {
    run: runOn(pool),
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(runOn(client as unknown as pg.Pool))
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
  }
}

async function openPglite(folder: string): Promise<Database> {
  const { NUMERIC, INT8, TIMESTAMPTZ } = { NUMERIC: 1700, INT8: 20, TIMESTAMPTZ: 1184 }
  const parsers = { [NUMERIC]: asText, [INT8]: asText, [TIMESTAMPTZ]: asText }
  const pglite = await PGlite.create({ dataDir: folder, parsers })
  await pglite.exec(`set timezone = 'UTC'`)
  const runOn =
    (target: Pick<PGlite, 'query'>): Run =>
    async (_name, text, values) =>
      (await target.query<BaselineRow>(text, values)).rows
  return {
    run: runOn(pglite),
    transaction: (work) => pglite.transaction((tx) => work(runOn(tx as unknown as PGlite))),
  }
}

const url = process.env.BASELINE_DATABASE_URL
const { run, transaction } =
  url === undefined ? await openPglite(process.env.BASELINE_DATA!) : openPostgres(url)
await seedBaseline(run, Number(process.env.BASELINE_ACCOUNTS), Number(process.env.BASELINE_CONTACTS))

const DATA = '/services/data/v64.0'
const PAGE_SIZE = 2000

const json = JSON.stringify
const attributes = (id: string | null) =>
  `"attributes":{"type":"Account","url":"${DATA}/sobjects/Account/${id}"},"Id":"${id}"`
const seconds = (value: string | null) => `${value!.slice(0, 10)}T${value!.slice(11, 19)}`

let serial = 1
const newId = (keyPrefix: string) => makeRecordId(keyPrefix, serial++)

const server = Fastify()

const send = (reply: FastifyReply, body: string, status = 200) =>
  reply.code(status).header('content-type', 'application/json;charset=UTF-8').send(body)

type Body = Readonly<Record<string, string | number>>

server.get<{ Params: { id: string } }>(`${DATA}/sobjects/Account/:id`, async ({ params }, reply) => {
  const [row] = await run(
    'read',
    'select id, name, industry, annualrevenue, bench_key from account where id = $1',
    [params.id],
  )
  if (row === undefined) return send(reply, '[]', 404)
  return send(reply, `{${fiveFields(row)}}`)
})

const fourFields = (row: BaselineRow) =>
  `${attributes(row.id!)},"Name":${json(row.name)},"Industry":${json(row.industry)},"AnnualRevenue":${row.annualrevenue}`
const fiveFields = (row: BaselineRow) => `${fourFields(row)},"Bench_Key__c":${json(row.bench_key)}`

const INSERT =
  'insert into account (id, name, industry, annualrevenue, bench_key) values ($1, $2, $3, $4, $5)'
const insert = (on: Run, id: string, body: Body) =>
  on('create', INSERT, [id, body.Name, body.Industry, body.AnnualRevenue, body.Bench_Key__c])

const update = (on: Run, id: string, { Industry, AnnualRevenue }: Body) =>
  on('update', 'update account set industry = $2, annualrevenue = $3 where id = $1 returning id', [
    id,
    Industry,
    AnnualRevenue,
  ])

server.post<{ Body: Body }>(`${DATA}/sobjects/Account`, async ({ body }, reply) => {
  const id = newId('001')
  await insert(run, id, body)
  return send(reply, `{"id":"${id}","success":true,"errors":[]}`, 201)
})

server.patch<{ Params: { id: string }; Body: Body }>(
  `${DATA}/sobjects/Account/:id`,
  async ({ params, body }, reply) => {
    const rows = await update(run, params.id, body)
    return reply.code(rows.length === 1 ? 204 : 404).send()
  },
)

server.patch<{ Params: { key: string }; Body: Body }>(
  `${DATA}/sobjects/Account/Bench_Key__c/:key`,
  async ({ params, body }, reply) => {
    const [row] = await run(
      'upsert',
      `insert into account (id, name, industry, bench_key) values ($1, $2, $3, $4)
       on conflict (bench_key) do update set name = excluded.name, industry = excluded.industry
       returning id, (xmax = 0)::text as created`,
      [newId('001'), body.Name, body.Industry, params.key],
    )
    const answer = `{"id":"${row!.id}","success":true,"errors":[],"created":${row!.created}}`
    return send(reply, answer, row!.created === 'true' ? 201 : 200)
  },
)

server.get<{ Params: { revenue: string } }>(`${DATA}/accounts-above/:revenue`, async ({ params }, reply) => {
  const rows = await run(
    'filter',
    `select id, name, industry, annualrevenue from account
       where industry = 'Energy' and annualrevenue > $1 order by annualrevenue desc limit 50`,
    [params.revenue],
  )
  const records = rows.map((row) => `{${fourFields(row)}}`)
  return send(reply, `{"totalSize":${rows.length},"done":true,"records":[${records.join()}]}`)
})

/** The accounts after an id. The place in the list is a part of the address of the next page. */
async function makePage(after: string, start: number, total: string): Promise<string> {
  const rows = await run(
    'page',
    `select id, name, industry, annualrevenue, bench_key, createddate from account where id > $1 order by id limit ${PAGE_SIZE}`,
    [after],
  )
  const records = rows.map(
    (row) => `{${fiveFields(row)},"CreatedDate":"${seconds(row.createddate!)}.000+0000"}`,
  )
  const end = start + rows.length
  const next = `"nextRecordsUrl":"${DATA}/query/${rows.at(-1)?.id}_${total}-${end}",`
  const done = end >= Number(total)
  return `{"totalSize":${total},"done":${done},${done ? '' : next}"records":[${records.join()}]}`
}

server.get(`${DATA}/accounts`, async (_request, reply) => {
  const [row] = await run('count', 'select count(*) as total from account')
  return send(reply, await makePage('', 0, row!.total!))
})

server.get<{ Params: { cursor: string } }>(`${DATA}/query/:cursor`, async ({ params }, reply) => {
  const [after, total, start] = params.cursor.split(/[_-]/) as [string, string, string]
  return send(reply, await makePage(after, Number(start), total))
})

/** Answers one document, which it does not read. */
server.post<{ Body: { variables: { name: string } } }>(`${DATA}/graphql`, async ({ body }, reply) => {
  const rows = await run(
    'graphql',
    `select c.id, c.lastname, c.email, c.createddate, a.id as account, a.name
     from contact c left join account a on a.id = c.accountid
     where c.lastname = $1 order by c.id limit 50`,
    [body.variables.name],
  )
  const edges = rows.map(
    (row) =>
      `{"node":{"Id":"${row.id}","LastName":{"value":${json(row.lastname)}},"Email":{"value":${json(row.email)}},"CreatedDate":{"value":"${seconds(row.createddate!)}.000Z"},"Account":${row.account === null ? 'null' : `{"Name":{"value":${json(row.name)}}}`}}}`,
  )
  return send(reply, `{"data":{"uiapi":{"query":{"Contact":{"edges":[${edges.join()}]}}}},"errors":[]}`)
})

interface Step {
  readonly method: 'POST' | 'PATCH'
  readonly url: string
  readonly referenceId: string
  readonly body: Body
}

/** One transaction with a statement for each step. */
server.post<{ Body: { compositeRequest: Step[] } }>(`${DATA}/composite`, async ({ body }, reply) => {
  const results: string[] = []
  await transaction(async (tx) => {
    for (const step of body.compositeRequest) {
      if (step.method === 'PATCH') {
        await update(tx, step.url.slice(step.url.lastIndexOf('/') + 1), step.body)
        results.push(
          `{"body":null,"httpHeaders":{},"httpStatusCode":204,"referenceId":${json(step.referenceId)}}`,
        )
        continue
      }
      const id = newId('001')
      await insert(tx, id, step.body)
      results.push(
        `{"body":{"id":"${id}","success":true,"errors":[]},"httpHeaders":{"Location":"${DATA}/sobjects/Account/${id}"},"httpStatusCode":201,"referenceId":${json(step.referenceId)}}`,
      )
    }
  })
  return send(reply, `{"compositeResponse":[${results.join()}]}`)
})

interface TreeRecord extends Readonly<Record<string, unknown>> {
  readonly attributes: { readonly referenceId: string }
}
interface AccountTree extends TreeRecord {
  readonly Contacts: { readonly records: readonly TreeRecord[] }
}

/** One transaction with an INSERT for each level. */
server.post<{ Body: { records: AccountTree[] } }>(
  `${DATA}/composite/tree/Account`,
  async ({ body: { records } }, reply) => {
    const accounts = records.map((record) => ({ id: newId('001'), record }))
    const contacts = accounts.flatMap(({ id, record }) =>
      record.Contacts.records.map((contact) => ({ id: newId('003'), accountId: id, record: contact })),
    )
    const column = (rows: readonly { record: TreeRecord }[], name: string) =>
      rows.map(({ record }) => record[name])
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
    await transaction(async (tx) => {
      await tx(
        'accounts',
        'insert into account (id, name, industry) select * from unnest($1::text[], $2::text[], $3::text[])',
        [ids(accounts), column(accounts, 'Name'), column(accounts, 'Industry')],
      )
      await tx(
        'contacts',
        `insert into contact (id, accountid, firstname, lastname, email)
         select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])`,
        [
          ids(contacts),
          contacts.map(({ accountId }) => accountId),
          ...['FirstName', 'LastName', 'Email'].map((name) => column(contacts, name)),
        ],
      )
    })
    const results = [...accounts, ...contacts].map(
      ({ id, record }) => `{"referenceId":${json(record.attributes.referenceId)},"id":"${id}"}`,
    )
    return send(reply, `{"hasErrors":false,"results":[${results.join()}]}`, 201)
  },
)

server.get('/healthz', async () => ({ status: 'ok' }))

await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
