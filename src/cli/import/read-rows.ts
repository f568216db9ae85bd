import { extname } from 'node:path'
import { UsageError } from '../command/exit-codes.ts'
import { type DescribedObject, describeObject } from '../reach/described-object.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { ColumnTargets } from './column-targets.ts'
import type { Sources } from './find-sources.ts'
import type { ImportFlags } from './import-flags.ts'
import { makeLocalForms } from './local-values.ts'
import { readCsv } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { readTree } from './read-tree.ts'
import type { SourceRow } from './source-row.ts'

/** The objects that columns like `Account.Ext__c` lead to. */
async function describeParents(
  org: ReachedOrg,
  { fields }: DescribedObject,
): Promise<ReadonlyMap<string, DescribedObject>> {
  const names = new Set(
    fields
      .filter(({ createable, updateable }) => createable || updateable)
      .flatMap(({ referenceTo }) => referenceTo),
  )
  const parents = new Map<string, DescribedObject>()
  for (const name of names) parents.set(name, await describeObject(org, name))
  return parents
}

const DELIMITERS: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t' }

function getDelimiter(path: string, requested: string | undefined): string {
  if (requested === undefined) return extname(path).toLowerCase() === '.tsv' ? '\t' : ','
  return DELIMITERS[requested] ?? requested
}

/**
 * `--map 'CSV column=Field'`, for each column once. What stands behind the last equals sign is the field: a column may
 * have one in its name.
 */
function parseMapping(entries: readonly string[]): ReadonlyMap<string, string> {
  const mapping = new Map<string, string>()
  for (const entry of entries) {
    const at = entry.lastIndexOf('=')
    if (at < 0)
      throw new UsageError(
        `--map ${JSON.stringify(entry)} must be 'column=Field', or 'column=' to leave it out.`,
      )
    mapping.set(entry.slice(0, at), entry.slice(at + 1).trim())
  }
  return mapping
}

/** The same rows, of which the first was read already: what is wrong with the file's columns shows before anything is done. */
async function lookAhead(rows: AsyncGenerator<SourceRow>): Promise<AsyncGenerator<SourceRow>> {
  const first = await rows.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* rows
  })()
}

/**
 * The rows of what is imported.
 * @throws Error when a column cannot be written, or the file is none of its format from the start
 */
export async function readRows(
  org: ReachedOrg,
  { format, files }: Sources,
  flags: ImportFlags,
): Promise<AsyncGenerator<SourceRow>> {
  if (format === 'tree') return lookAhead(readTree(files))
  const object = await describeObject(org, flags.object!)
  const columns = new ColumnTargets(object, await describeParents(org, object), {
    operation: flags.operation,
    key: flags.key,
    mapping: parseMapping(flags.map),
  })
  const [file] = files as [(typeof files)[number]]
  if (format === 'json') return lookAhead(readJson(file, columns))
  return lookAhead(
    readCsv(file, columns, {
      delimiter: getDelimiter(file.name, flags.delimiter),
      nullText: flags.null,
      emptyAsNull: flags.emptyAsNull === true,
      neutralised: flags.safeForSpreadsheets === true,
      forms: makeLocalForms(flags),
    }),
  )
}
