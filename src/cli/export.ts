import { Command, Option } from 'commander'
import { spareMemory } from '../base/spare-memory.ts'
import { findDescribedType } from '../schema/fields/registry.ts'
import { UsageError } from './command/exit-codes.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { exportTrees } from './export/export-trees.ts'
import { type DescribedField, type DescribedObject, describeObject } from './reach/described-object.ts'
import { reachOrg } from './reach/reach-org.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { printResult } from './result/print-result.ts'

const FORMATS = ['csv', 'json', 'tree'] as const

interface ExportFlags extends Flags {
  readonly object: readonly string[]
  readonly allFields?: boolean
  readonly format: (typeof FORMATS)[number]
  readonly output?: string
  readonly allRows?: boolean
  readonly safeForSpreadsheets?: boolean
}

/** A compound field is there in its parts; of bytes a query gives only the address. */
function mayComeBack({ createable, type }: DescribedField): boolean {
  const { makeParts, holdsBytes } = findDescribedType(type) ?? {}
  return createable && makeParts === undefined && holdsBytes !== true
}

/**
 * The query for all records of an object: with the fields that an import may write, and the id.
 * @param all with every other field too
 */
function wholeObject({ name, fields }: DescribedObject, all: boolean): string {
  const wanted = fields.filter((field) => all || field.name === 'Id' || mayComeBack(field))
  return `SELECT ${wanted.map((field) => field.name).join(', ')} FROM ${name}`
}

/** @throws Error when it is not clear what is wanted */
async function makeQueries(
  org: ReachedOrg,
  soql: string | undefined,
  { object: names, allFields, format }: ExportFlags,
): Promise<string[]> {
  if ((soql === undefined) === (names.length === 0)) {
    throw new UsageError('Say what to export: a query, or an object with --object Account')
  }
  if (soql !== undefined) return [soql]
  if (names.length > 1 && format !== 'tree') {
    throw new UsageError(
      `Only trees hold several objects: --format tree. Export each of them by itself as ${format}.`,
    )
  }
  const queries: string[] = []
  for (const name of names) queries.push(wholeObject(await describeObject(org, name), allFields === true))
  return queries
}

async function exportSparely(
  terminal: Terminal,
  soql: string | undefined,
  flags: ExportFlags,
  signal: AbortSignal,
): Promise<void> {
  const { format, output, allRows, safeForSpreadsheets } = flags
  if (safeForSpreadsheets && format !== 'csv') throw new UsageError('--safe-for-spreadsheets is for CSV.')
  const resource = allRows ? '/queryAll' : '/query'
  const org = await reachOrg(terminal, configFrom(terminal, flags), flags)
  try {
    const queries = await makeQueries(org, soql, flags)
    if (format === 'tree') await exportTrees(terminal, org, queries, resource, output, signal)
    else
      await printResult(terminal, org, queries[0]!, { resource, format, output, safeForSpreadsheets }, signal)
  } finally {
    await org.close()
  }
}

async function exportRecords(
  terminal: Terminal,
  soql: string | undefined,
  flags: ExportFlags,
): Promise<void> {
  await runCommand(terminal, async (signal) => {
    const stopSparing = spareMemory()
    try {
      await exportSparely(terminal, soql, flags, signal)
    } finally {
      stopSparing()
    }
  })
}

const collect = (name: string, names: readonly string[]) => [...names, name]

/** `objectry export --object Account`: records into a file that `objectry import` reads. */
export function exportCommand(terminal: Terminal): Command {
  const command = new Command('export')
    .description('Write records as CSV, JSON or trees.')
    .argument('[query]', 'which records, in SOQL')
    .option('--object <name>', 'all records of an object; for trees of several objects', collect, [])
    .option('--all-fields', 'of an object also the fields that an import may not write')
    .addOption(new Option('--format <format>', 'how the records are written').choices(FORMATS).default('csv'))
    .option('--output <file>', 'write to a file; of trees also to a folder')
    .option('--all-rows', 'records in the recycle bin too')
    .option(
      '--safe-for-spreadsheets',
      'no CSV cell begins like a formula; import reads it with the same flag',
    )
  return addOrgFlags(command, ['statementSeconds']).action((soql: string | undefined, flags: ExportFlags) =>
    exportRecords(terminal, soql, flags),
  )
}
