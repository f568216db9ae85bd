import { Command, InvalidArgumentError, Option } from 'commander'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { Operation } from './import/column-targets.ts'
import { FORMATS } from './import/find-sources.ts'
import { importFile } from './import/import-file.ts'
import type { ImportFlags } from './import/import-flags.ts'

const OPERATIONS: readonly Operation[] = ['insert', 'update', 'upsert']

/** How long batches that are under way may take after a Ctrl-C, in milliseconds. */
const GRACE = 30_000

function between(least: number, max: number) {
  return (text: string): number => {
    const number = Number(text)
    if (Number.isInteger(number) && number >= least && number <= max) return number
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${max}.`)
  }
}

const collect = (entry: string, entries: readonly string[]) => [...entries, entry]

/**
 * `objectry import accounts.csv --object Account`: the rows of a file into records.
 * @param args the command line, to be shown with the flags of a retry
 */
export function importCommand(terminal: Terminal, args: readonly string[]): Command {
  const command = new Command('import')
    .description('Write the rows of a CSV, JSON or tree file into records.')
    .argument('<file>', 'the file, or the plan of several trees; "-" reads standard input')
    .option('--object <name>', 'what the rows are; the records of a tree say it themselves')
    .addOption(
      new Option('--operation <operation>', 'what is done with them').choices(OPERATIONS).default('insert'),
    )
    .option('--key <field>', 'the external id by which an upsert finds records')
    .option('--map <column=field>', 'a column for another field, or for none: "column="', collect, [])
    .addOption(
      new Option('--format <format>', 'how the file is read; else its name and its beginning tell').choices(
        FORMATS,
      ),
    )
    .option('--batch <rows>', 'rows in one transaction', between(1, 200), 200)
    .option('--parallel <batches>', 'batches under way at once', between(1, 32), 4)
    .option('--results <file>', 'what became of each row; default <file>.results.csv')
    .option('--retry <results>', 'only the rows that were refused there')
    .option('--restart', 'start at the first row again, where an import was interrupted')
    .option(
      '--delimiter <text>',
      'what stands between the cells of a CSV file; "tab" is a tab, default a comma',
    )
    .option('--null <text>', 'what a CSV cell holds that stands for null, as "#N/A"')
    .option('--empty-as-null', 'an empty CSV cell stands for null too, instead of leaving the field alone')
    .option('--safe-for-spreadsheets', 'the CSV was exported with this flag')
    .option('--dates <format>', 'how dates stand in a CSV file, as dd.MM.yyyy; else 2026-12-31')
    .option('--decimal <mark>', 'the mark before the decimals of a CSV file; digits may be in groups then')
    .option('--booleans <words>', 'the words of a CSV file for true and false, as ja/nein')
  return addOrgFlags(command, ['deployment', 'statementSeconds']).action((path: string, flags: ImportFlags) =>
    runCommand(terminal, (signal) => importFile(terminal, { path, flags, args }, signal), GRACE),
  )
}
