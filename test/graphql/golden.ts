import { globSync, readFileSync } from 'node:fs'
import { SYSTEM_ACCESS } from '../../src/access/access.ts'
import { makeApiVersion } from '../../src/base/api-version.ts'
import type { Sql } from '../../src/base/sql.ts'
import type { Context } from '../../src/context.ts'
import { graphqlRoutes } from '../../src/graphql/graphql.ts'
import { UNBOUNDED } from '../../src/quota/answer-bytes.ts'
import type { Db, Row } from '../../src/storage/database/db.ts'
import { type GoldenFile, ORG, parseBlocks, QUERY_CONTEXT, SCHEMA, showStatement } from '../soql/golden.ts'

/*
 * A golden file holds documents and the statements that are sent for them, so that a review sees when the SQL changes. A
 * block is a line `# { uiapi ... }` and what follows it. `node scripts/update-golden.ts` writes the SQL of every document
 * again.
 */

const [{ handler }] = graphqlRoutes as [(typeof graphqlRoutes)[number]]

/** Returns the rows of a statement where there are no records: a count is one row nevertheless. */
function nothing({ text }: Sql): Row[] {
  if (text.startsWith('with grouped')) return [Array(50).fill(null)]
  return /^select (\(select )?count\(\*\)( as total|.*\), array_to_json)/.test(text) ? [[0, []]] : []
}

/** Everything that a document asks of the database. */
export async function findStatements(document: string): Promise<string> {
  const sent: Sql[] = []
  const { userId, timeZone, fiscalYear, now } = QUERY_CONTEXT
  const db: Pick<Db, 'rows' | 'coalesce'> = {
    rows(statement) {
      sent.push(statement)
      return Promise.resolve(nothing(statement))
    },
    coalesce: async (work, item) => (await work.run(db as Db, [item]))[0]!,
  }
  const ctx = {
    org: ORG,
    schema: SCHEMA,
    visible: SCHEMA,
    access: SYSTEM_ACCESS,
    principal: { userId, timeZone, fiscalYear, locale: 'en_US' },
    version: makeApiVersion(66),
    clock: () => new Date(now),
    db,
    answer: UNBOUNDED,
  } as unknown as Context
  const call = { body: { query: document }, headers: {}, locate: () => ({ line: 1, column: 1 }) }
  const reply = await handler(ctx, call as never, {}, undefined as never)
  const { errors } = JSON.parse((reply.body as { text: string }).text)
  if (errors.length > 0) throw new Error(`${document}: ${errors[0].message}`)
  return sent.map(showStatement).join('\n')
}

export function readGraphqlGolden(): GoldenFile[] {
  return globSync(`${import.meta.dirname}/golden/*.txt`)
    .sort()
    .map((path) => ({ path, blocks: parseBlocks(readFileSync(path, 'utf8')) }))
}
