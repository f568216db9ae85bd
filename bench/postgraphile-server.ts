import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * PostGraphile as a good user would run it: in production mode, a pool as large as ours, its own caches of documents,
 * plans and prepared statements at their defaults, no settings for each request, because they would cost a transaction.
 * Run as its own process: POSTGRAPHILE_FOLDER (where it is installed), POSTGRAPHILE_DATABASE_URL, POSTGRAPHILE_SCHEMA.
 */
const load = createRequire(join(process.env.POSTGRAPHILE_FOLDER!, 'package.json'))
const { postgraphile } = load('postgraphile')
const { PostGraphileAmberPreset } = load('postgraphile/presets/amber')
const { makePgService } = load('postgraphile/adaptors/pg')
const { grafserv } = load('postgraphile/grafserv/node')
const { addPgTableCondition, jsonPgSmartTags } = load('postgraphile/utils')
const { GraphQLString } = load('postgraphile/graphql')

const schema = process.env.POSTGRAPHILE_SCHEMA!

const tags = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      // In an org, the index of this reference is a partial one, which PostGraphile ignores: it would leave an account's contacts out.
      [`${schema}.contact`]: { constraint: { contact_accountid_fkey: { tags: { isIndexed: true } } } },
      // A condition on a column without an index has to be allowed.
      [`${schema}.account`]: { attribute: { industry: { tags: { behavior: '+attribute:filterBy' } } } },
    },
  },
})

/** Its own conditions know equality only. */
const addComparison = (tableName: string, column: string, suffix: string, type: string) =>
  addPgTableCondition(
    { schemaName: schema, tableName },
    `${column}${suffix}`,
    // biome-ignore lint/suspicious/noExplicitAny: its declarations are not here when the types are checked
    ({ dataplanPg: { sqlValueWithCodec, TYPES }, sql }: any) => ({
      type: GraphQLString,
      // biome-ignore lint/suspicious/noExplicitAny: as above
      apply: ($condition: any, value: string) =>
        $condition.where(
          sql`${$condition.alias}.${sql.identifier(column)} > ${sqlValueWithCodec(value, TYPES[type])}`,
        ),
    }),
  )

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [
    tags,
    addComparison('contact', 'lastname', 'After', 'text'),
    addComparison('account', 'annualrevenue', 'Above', 'numeric'),
  ],
  pgServices: [
    makePgService({
      connectionString: process.env.POSTGRAPHILE_DATABASE_URL,
      schemas: [schema],
      poolConfig: { max: 16 },
    }),
  ],
  grafast: { explain: false },
  grafserv: { graphiql: false, watch: false },
})

const answer = instance.createServ(grafserv).createHandler()
// Nothing is answered, the question of its starter included, before the schema is made.
await instance.getSchema()

createServer((request: IncomingMessage, response: ServerResponse) => {
  if (request.url === '/healthz') response.end()
  else answer(request, response)
}).listen(Number(process.env.PORT), '127.0.0.1')
