import { hasDefinitions } from '../../definitions/files/has-definitions.ts'
import { loadDefinitions } from '../../definitions/files/load-definitions.ts'
import { NO_FILES } from '../../importers/imported.ts'
import { saveImport } from '../../importers/save-import.ts'
import { UsageError } from '../command/exit-codes.ts'
import { configFrom, type Flags } from '../command/setting-flags.ts'
import type { Terminal } from '../command/terminal.ts'
import { outcomeText } from '../result/outcome.ts'
import { showWait } from '../result/show-wait.ts'
import { writeText } from '../result/write-out.ts'
import type { ImportFormat } from './format-names.ts'
import { findFormat, IMPORT_FORMATS } from './import-formats.ts'
import { importReport } from './import-report.ts'

export interface ImportFlags extends Flags {
  readonly into?: string
  readonly object?: string
  readonly table?: readonly string[]
  readonly from?: string
  readonly format?: ImportFormat
  readonly overwrite?: boolean
}

const TOGETHER =
  '. What several projects say of one object is imported together: objectry schema import <project> <other project>'

/** Carries out `objectry schema import` from its flags to its report. */
export async function importSchema(
  terminal: Terminal,
  paths: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const { object, table: tables = [], from, overwrite = false } = flags
  const into = flags.into ?? configFrom(terminal, {}).deployment
  if (into === undefined) {
    throw new UsageError('say where the files go: --into <folder>, or OBJECTRY_DEPLOYMENT for good')
  }
  const requested = { paths, object, tables, from }
  const format = flags.format ?? findFormat(requested)
  // Permissions may name what is imported now: they are checked together with it.
  const known = hasDefinitions(into) ? loadDefinitions(into, 'permissions').files : NO_FILES
  const { files, notes } = await showWait(
    terminal,
    `Reading ${paths.length === 0 ? 'the tables' : paths.join(', ')}`,
    () => IMPORT_FORMATS[format](requested, known),
  )
  const saved = saveImport(into, files, known, overwrite, format === 'source' ? TOGETHER : '')
  const next = flags.into === undefined ? 'npx objectry deploy' : `npx objectry deploy --deployment ${into}`
  const outcome = { text: importReport(into, saved, notes, next), answer: { into, ...saved, notes } }
  await writeText(terminal, outcomeText(outcome, flags), undefined)
}
