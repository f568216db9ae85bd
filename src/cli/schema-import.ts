import { Command, Option } from 'commander'
import { runCommand } from './command/run-command.ts'
import type { Terminal } from './command/terminal.ts'
import { addJsonFlag } from './result/outcome.ts'
import { IMPORT_FORMAT_NAMES } from './schema-import/format-names.ts'
import type { ImportFlags } from './schema-import/import-schema.ts'

/** The importers are loaded only when they are wanted: other commands do without them. */
async function schemaImport(terminal: Terminal, paths: readonly string[], flags: ImportFlags): Promise<void> {
  const { importSchema } = await import('./schema-import/import-schema.ts')
  await runCommand(terminal, () => importSchema(terminal, paths, flags))
}

/** `objectry schema import <path...>`: definition files from what describes objects elsewhere. */
export function schemaImportCommand(terminal: Terminal): Command {
  const command = new Command('import')
    .description('Write definition files from a project, describes, a CSV file or PostgreSQL tables.')
    .argument(
      '[path...]',
      'projects in source format or parts of them, a describe or a folder of them, a CSV file',
    )
    .option('--into <folder>', 'the deployment folder that gets the files (OBJECTRY_DEPLOYMENT)')
    .option(
      '--object <name>',
      'of a project or describes this object only; the name for a CSV file or a table',
    )
    .option('--table <schema.table...>', 'tables of a PostgreSQL database')
    .option('--from <url>', 'the database that has the tables: postgres://user@host/database')
    .addOption(
      new Option('--format <format>', 'what is imported; found by looking when absent').choices(
        IMPORT_FORMAT_NAMES,
      ),
    )
    .option('--overwrite', 'replace files that are there with other content')
  return addJsonFlag(command).action((paths: readonly string[], flags: ImportFlags) =>
    schemaImport(terminal, paths, flags),
  )
}
