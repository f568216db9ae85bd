import { globSync, readFileSync } from 'node:fs'
import { makeApiVersion } from '../../src/base/api-version.ts'
import { CALENDAR_YEAR } from '../../src/base/fiscal-year.ts'
import { makeSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import { compileQuery } from '../../src/soql/compile/compile.ts'
import { isOrderedById } from '../../src/soql/paging/cursor.ts'
import { pageSql } from '../../src/soql/sql/page.sql.ts'
import { querySql } from '../../src/soql/sql/statement.sql.ts'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'

/*
 * A golden file holds queries and the SQL that they become, so that a review sees when the SQL changes. A block is a
 * line `# SELECT ...` and what follows it; of the queries in `pages.txt` all statements are shown, of the others the
 * first one that is sent. `node scripts/update-golden.ts` regenerates the SQL of every query.
 */

export const ORG: Org = { id: '00DOB0000000001AAA', schemaName: 'org', name: 'Golden' }
export const SCHEMA = makeSnapshot(1, new Date(0), [
  ...STANDARD_OBJECTS,
  ...PROJECT_SCHEMA.map((object, i) => ({ ...object, keyPrefix: `a0${i}` })),
])

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly isReplanned?: boolean
}

export function showStatement({ text, values, isReplanned = false }: Statement): string {
  const shown = values.map((value, i) => `  $${i + 1} = ${JSON.stringify(value)}`)
  return [text, ...shown, ...(isReplanned ? ['  planned for these values'] : [])].join('\n')
}

/** The user who asks, on a fixed day. */
export const QUERY_CONTEXT = {
  userId: '005OB0000000001AAA',
  today: '2026-11-20',
  now: '2026-11-20T12:00:00Z',
  timeZone: 'Europe/Oslo',
  fiscalYear: CALENDAR_YEAR,
  weekStart: 0,
  deletedToo: false,
  visible: SCHEMA,
  visibleRows: () => undefined,
}

/** The first statement that is sent for a query. */
export function firstStatement(query: string): Statement {
  const compiled = compileQuery(query, SCHEMA, makeApiVersion(64))
  if (compiled.kind === 'count') return querySql.count(ORG, compiled.plan, QUERY_CONTEXT)
  if (compiled.kind === 'aggregate') return querySql.aggregate(ORG, compiled.plan, QUERY_CONTEXT, 2001)
  return querySql.first(ORG, compiled, QUERY_CONTEXT, 2001)
}

/** Returns the SQL of a query. */
export function compileSql(query: string, wholeResult: boolean): string {
  const first = showStatement(firstStatement(query))
  if (!wholeResult) return first
  const compiled = compileQuery(query, SCHEMA, makeApiVersion(64))
  if (compiled.kind !== 'records') return first
  const locator = '0r8OB0000000001AAA'
  const [after, last] = ['001OB0000000001AAA', '001OB0000000009AAA'] as const
  const further = isOrderedById(compiled.plan)
    ? [
        `-- how many, and up to which id\n${showStatement(querySql.extent(ORG, compiled.plan, QUERY_CONTEXT))}`,
        `-- a page by id\n${showStatement(querySql.after(ORG, compiled, QUERY_CONTEXT, after, last, 2001))}`,
      ]
    : [
        `-- all ids, for a list\n${showStatement(querySql.matches(ORG, compiled.plan, QUERY_CONTEXT))}`,
        `-- a page of a list\n${showStatement(querySql.listed(ORG, compiled, QUERY_CONTEXT, pageSql.ids(ORG, locator, 2000)))}`,
      ]
  return [`-- the first page\n${first}`, ...further].join('\n')
}

export interface GoldenFile {
  readonly path: string
  readonly blocks: readonly { readonly query: string; readonly sql: string }[]
}

/** True of files that show all statements of their queries. */
export const showsWholeResult = (path: string) => path.endsWith('/pages.txt')

export function readGoldenFiles(): GoldenFile[] {
  const folder = `${import.meta.dirname}/golden`
  return globSync(`${folder}/*.txt`)
    .sort()
    .map((path) => ({ path, blocks: parseBlocks(readFileSync(path, 'utf8')) }))
}

export function parseBlocks(text: string): GoldenFile['blocks'] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((block) => {
      const [query, ...sql] = block.split('\n')
      return { query: query!, sql: sql.join('\n').trim() }
    })
}

export function formatBlocks(blocks: GoldenFile['blocks']): string {
  return blocks.map(({ query, sql }) => `# ${query}\n${sql}\n`).join('\n')
}
