import { data, get } from '../../api/client.ts'
import type { Description } from '../../api/describe.ts'
import { quote } from '../../api/soql.ts'
import { columnsOf, type Row } from './columns.ts'

/** As many records as one query names. */
const AT_ONCE = 100

/** The columns that are fields of the object, or of its parents. */
function pathsOf(rows: readonly Row[], { fields }: Description): string[] {
  const names = new Set(fields.map(({ name }) => name))
  const parents = new Set(fields.map(({ relationshipName }) => relationshipName))
  return columnsOf(rows)
    .filter(({ kind, path }) => kind === 'value' && (path.length === 1 ? names : parents).has(path[0]!))
    .map(({ path }) => path.join('.'))
}

/**
 * The rows, those of the ids as they are by now: rounded, and with what is derived from what was written.
 * @throws CallError
 */
export async function readAgain(
  rows: readonly Row[],
  ids: readonly string[],
  description: Description,
): Promise<readonly Row[]> {
  const paths = [...new Set(['Id', ...pathsOf(rows, description)])]
  const now = new Map<string, Row>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE).map(quote)
    const q = `SELECT ${paths.join(', ')} FROM ${description.name} WHERE Id IN (${some.join(', ')})`
    const { records } = await get<{ records: readonly Row[] }>(data(`/query?${new URLSearchParams({ q })}`))
    for (const record of records) now.set(String(record.Id), record)
  }
  return rows.map((row) => ({ ...row, ...now.get(String(row.Id)) }))
}
