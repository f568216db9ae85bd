import Fastify from 'fastify'
import pg from 'pg'
import { accountNodes, contactNodes, type Rows } from './handwritten.ts'

/*
 * The hand-written side of `bench/graphql.ts`: what a document would be answered, the document left unread, over the tables of
 * ours. Run as its own process: BASELINE_DATABASE_URL, BASELINE_SCHEMA.
 */
const text = (value: string) => value
const pool = new pg.Pool({
  connectionString: process.env.BASELINE_DATABASE_URL!,
  max: 16,
  types: { getTypeParser: () => text } as unknown as pg.CustomTypesConfig,
  options: '-c timezone=UTC',
})
const run: Rows = async (name, statement, values = []) =>
  (await pool.query({ name, text: statement, values })).rows
const tableOf = (name: string) => `"${process.env.BASELINE_SCHEMA}"."${name}"`

const server = Fastify()

server.post<{ Body: { name?: string } }>('/graphql/contacts', async ({ body }) =>
  contactNodes(run, tableOf, body.name),
)

server.post('/graphql/accounts', async () => accountNodes(run, tableOf))

server.get('/healthz', async () => ({ status: 'ok' }))

await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
