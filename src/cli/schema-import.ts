import { Command, Option } from 'commander'
import { hasDefinitions } from '../deployment/definitions/has-definitions.ts'
import { loadDefinitions } from '../deployment/definitions/load-definitions.ts'
import { NO_FILES } from '../deployment/importers/imported.ts'
import { saveImport } from '../deployment/importers/save-import.ts'
import { writeText } from './result/write-out.ts'
import { runCommand } from './run-command.ts'
import { findFormat, IMPORT_FORMATS, type ImportFormat } from './schema-import/import-formats.ts'
import { importReport } from './schema-import/import-report.ts'
import { configFrom } from './setting-flags.ts'

interface ImportFlags {
  readonly into?: string
  readonly object?: string
  readonly table?: readonly string[]
  readonly from?: string
  readonly format?: ImportFormat
  readonly overwrite?: boolean
}

async function schemaImport(path: string | undefined, flags: ImportFlags): Promise<void> {
  await runCommand(async () => {
    const { object, table: tables = [], from, overwrite = false } = flags
    const into = flags.into ?? configFrom({}).deployment
    if (into === undefined) {
      throw new Error('say where the files go: --into <folder>, or OBJECTRY_DEPLOYMENT for good')
    }
    const asked = { path, object, tables, from }
    const format = flags.format ?? findFormat(asked)
    const known = hasDefinitions(into) ? loadDefinitions(into).files : NO_FILES
    const { files, notes } = await IMPORT_FORMATS[format](asked, known)
    const saved = saveImport(into, files, known, overwrite)
    const next = flags.into === undefined ? 'objectry deploy' : `objectry deploy --deployment ${into}`
    await writeText(importReport(into, saved, notes, next), undefined)
  })
}

/** `objectry schema import <path>`: definition files from what describes objects elsewhere. */
export function schemaImportCommand(): Command {
  return new Command('import')
    .description('Write definition files from a project, describes, a CSV file or PostgreSQL tables.')
    .argument(
      '[path]',
      'a project in source format or a part of it, a describe or a folder of them, a CSV file',
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
        Object.keys(IMPORT_FORMATS),
      ),
    )
    .option('--overwrite', 'replace files that are there with other content')
    .action(schemaImport)
}
