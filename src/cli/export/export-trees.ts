import type { QueryResult } from '../../soql/run-query.ts'
import type { Terminal } from '../command/terminal.ts'
import { describeOnce } from '../reach/described-object.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { completePages, type ResultRecord, readBody, recordPages } from '../reach/record-pages.ts'
import { showProgress } from '../result/progress.ts'
import { countText } from '../result/terminal-text.ts'
import { type LeftOut, TreeMaker } from './make-trees.ts'
import { type Section, writeTrees } from './write-trees.ts'

async function fetchRecords(
  terminal: Terminal,
  org: ReachedOrg,
  soql: string,
  resource: '/query' | '/queryAll',
  signal: AbortSignal,
): Promise<ResultRecord[]> {
  const first = await readBody<QueryResult>(
    org.call('GET', `${resource}?${new URLSearchParams({ q: soql })}`),
  )
  const pages = completePages(org, recordPages(org, first, signal))
  const records: ResultRecord[] = []
  for await (const page of showProgress(terminal, pages, first.totalSize, false)) records.push(...page)
  return records
}

function reportLeftOut({ stderr }: Terminal, { fields, references }: LeftOut): void {
  if (fields.size > 0) stderr.write(`Left out, because no import may write them: ${[...fields].join(', ')}\n`)
  if (references.size > 0) {
    const counts = [...references].map(([field, count]) => `${field} of ${countText(count)} records`)
    stderr.write(`Left out, because what they point to does not stand before them: ${counts.join(', ')}\n`)
  }
}

/** The object that a query without records is of. */
const objectIn = (soql: string) => /\bFROM\s+(\w+)/i.exec(soql)?.[1] ?? 'records'

/**
 * Writes what queries give as trees. All of it is held in memory, because records must stand after those that they
 * refer to.
 */
export async function exportTrees(
  terminal: Terminal,
  org: ReachedOrg,
  queries: readonly string[],
  resource: '/query' | '/queryAll',
  output: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const maker = new TreeMaker(describeOnce(org))
  const sections: Section[] = []
  for (const soql of queries) {
    const trees = await maker.make(await fetchRecords(terminal, org, soql, resource, signal))
    sections.push({ object: trees[0]?.attributes.type ?? objectIn(soql), trees })
  }
  const file = await writeTrees(terminal, sections, output)
  reportLeftOut(terminal, maker.leftOut)
  if (file !== undefined) terminal.stderr.write(`${file}: objectry import ${file}\n`)
}
