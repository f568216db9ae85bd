import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import type { Explanation, SqlStatement } from '../soql/explain.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { reachOrg } from './reach/reach-org.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { FORMATS, printResult } from './result/print-result.ts'
import { writeText } from './result/write-out.ts'

interface QueryFlags extends Flags {
  readonly format: keyof typeof FORMATS
  readonly json?: boolean
  readonly allRows?: boolean
  readonly sql?: boolean
  readonly output?: string
}

/** The statement, and its values as comments below it: the whole is SQL. */
function statementText({ text: sql, values }: SqlStatement): string {
  const lines = values.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value)}\n`)
  return `${sql};\n${lines.join('')}`
}

/** Prints the SQL that a query becomes, instead of running it. */
async function printStatement(
  terminal: Terminal,
  org: ReachedOrg,
  soql: string,
  flags: QueryFlags,
): Promise<void> {
  const { format, output } = flags
  const parameters = new URLSearchParams({ explain: soql, statement: 'true' })
  const path = `${resourceOf(flags)}?${parameters}`
  const { statement } = await readBody<Explanation>(org.call('GET', path))
  const shown = format === 'json' ? `${JSON.stringify(statement, null, 2)}\n` : statementText(statement!)
  await writeText(terminal, shown, output)
}

const resourceOf = ({ allRows }: QueryFlags) => (allRows ? '/queryAll' : '/query')

async function query(terminal: Terminal, argument: string, given: QueryFlags): Promise<void> {
  const flags: QueryFlags = given.json ? { ...given, format: 'json' } : given
  const { format, output } = flags
  const soql = argument === '-' ? await text(terminal.stdin) : argument
  await runCommand(terminal, async (signal) => {
    const org = await reachOrg(terminal, configFrom(terminal, flags), flags)
    try {
      if (flags.sql) await printStatement(terminal, org, soql, flags)
      else await printResult(terminal, org, soql, { resource: resourceOf(flags), format, output }, signal)
    } finally {
      await org.close()
    }
  })
}

/** `objectry query "SELECT ..."`: what a query gives, as a table, CSV or JSON. */
export function queryCommand(terminal: Terminal): Command {
  const command = new Command('query')
    .description('Print what a query gives.')
    .argument('<query>', 'the query; "-" reads it from standard input')
    .addOption(
      new Option('--format <format>', 'how the records are printed')
        .choices(Object.keys(FORMATS))
        .default('table'),
    )
    .option('--json', 'the same as --format json')
    .option('--all-rows', 'records in the recycle bin too')
    .option('--sql', 'print the SQL that the query becomes, instead of running it')
    .option('--output <file>', 'write to a file')
  return addOrgFlags(command, ['statementSeconds']).action((argument: string, flags: QueryFlags) =>
    query(terminal, argument, flags),
  )
}
