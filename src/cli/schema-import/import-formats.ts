import { existsSync, readdirSync, statSync } from 'node:fs'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { importCsv, objectOfFile } from '../../importers/csv/import-csv.ts'
import { readRows } from '../../importers/csv/read-rows.ts'
import { findDescribes } from '../../importers/describe/find-describes.ts'
import { importDescribes } from '../../importers/describe/import-describes.ts'
import type { Imported } from '../../importers/imported.ts'
import { NotePad } from '../../importers/notes.ts'
import { importSourceFormat } from '../../importers/source-format/import-source-format.ts'
import { findSourceFiles, hasSourceFiles } from '../../importers/source-format/project/find-source-files.ts'
import { findPart } from '../../importers/source-format/project/source-file.ts'
import { importTables } from '../../importers/table/import-tables.ts'
import { openEngine } from '../../storage/open-engine.ts'
import { UsageError } from '../command/exit-codes.ts'
import { IMPORT_FORMAT_NAMES, type ImportFormat } from './format-names.ts'

/** Options of a schema import. */
export interface Requested {
  readonly paths: readonly string[]
  readonly object: string | undefined
  readonly tables: readonly string[]
  /** Address of the database that has the tables. */
  readonly from: string | undefined
}

type Import = (requested: Requested, known: DefinitionFiles) => Promise<Imported>

function requirePaths({ paths }: Requested): readonly string[] {
  if (paths.length === 0) throw new UsageError('say what to import: a path, or --table with --from')
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined) throw new Error(`there is no ${missing}`)
  return paths
}

function requirePath(requested: Requested): string {
  const [path, another] = requirePaths(requested)
  if (another !== undefined)
    throw new UsageError(`only projects in source format are imported together: import ${another} by itself`)
  return path!
}

/** All of them, or those of the object that was asked for. */
function only<T>(
  found: readonly T[],
  object: string | undefined,
  nameOf: (one: T) => string | undefined,
): T[] {
  if (object === undefined) return [...found]
  const same = found.filter((one) => nameOf(one) === object)
  if (same.length === 0) throw new Error(`${object} is not among what was found`)
  return same
}

/** Without the value sets that no field takes its values from. */
function withUsedSets({ files, notes }: Imported): Imported {
  const fields = Object.values(files.objects).flatMap((file) => Object.values(file?.fields ?? {}))
  const used = new Set(fields.map((field) => field?.valueSet))
  const sets = Object.entries(files.valueSets).filter(([name]) => used.has(name))
  return { files: { ...files, valueSets: Object.fromEntries(sets) }, notes }
}

const source: Import = async (requested, known) => {
  const pad = new NotePad()
  const files = findSourceFiles(requirePaths(requested), pad)
  if (files.length === 0) {
    const [ignored] = pad.notes
    if (ignored !== undefined)
      throw new Error(`${ignored.location} leaves out all that is there: ${ignored.what}`)
    throw new Error(`${requested.paths.join(', ')} has no metadata files: *-meta.xml or *.object`)
  }
  if (requested.object === undefined) return importSourceFormat(files, known, pad)
  const sets = files.filter(({ path }) => findPart(path)?.kind === 'globalValueSet')
  const wanted = only(files, requested.object, ({ path }) => {
    const part = findPart(path)
    return part !== undefined && 'object' in part ? part.object : undefined
  })
  return withUsedSets(importSourceFormat([...wanted, ...sets], known, pad))
}

const describe: Import = async (requested, known) => {
  const pad = new NotePad()
  const found = only(findDescribes(requirePath(requested), pad), requested.object, ({ name }) => name)
  return importDescribes(found, known, pad)
}

const csv: Import = async (requested, known) => {
  const path = requirePath(requested)
  const file = { file: path, object: requested.object ?? objectOfFile(path) }
  return importCsv(file, readRows(path), known)
}

const table: Import = async ({ tables, from, object }, known) => {
  if (tables.length === 0) throw new UsageError('say which tables: --table schema.table')
  if (from === undefined)
    throw new UsageError('say which database has the table: --from postgres://user@host/database')
  const engine = await openEngine({ databaseUrl: from, poolSize: 1, data: '' })
  try {
    return await importTables(engine.db, tables, object, known)
  } finally {
    await engine.close()
  }
}

/** Where schemas may come from. */
export const IMPORT_FORMATS: Readonly<Record<ImportFormat, Import>> = { source, describe, csv, table }

const ENDINGS: readonly (readonly [RegExp, ImportFormat])[] = [
  [/\.(csv|tsv)$/i, 'csv'],
  [/\.json$/i, 'describe'],
  [/\.(xml|object|globalValueSet|standardValueSet|permissionset|profile|settings)$/i, 'source'],
]

const HOW = `--format ${IMPORT_FORMAT_NAMES.join(', ')} says what it is`

/** The format of what is at a path, found by looking. */
export function findFormat(requested: Requested): ImportFormat {
  if (requested.tables.length > 0) return 'table'
  const formats = requirePaths(requested).map(findFormatOf)
  const other = formats.find((format) => format !== 'source')
  return other ?? 'source'
}

function findFormatOf(path: string): ImportFormat {
  if (!statSync(path).isDirectory()) {
    const found = ENDINGS.find(([ending]) => ending.test(path))
    if (found === undefined) throw new Error(`${path} is none of .csv, .json and .xml; ${HOW}`)
    return found[1]
  }
  if (hasSourceFiles(path)) return 'source'
  if (readdirSync(path).some((name) => name.endsWith('.json'))) return 'describe'
  throw new Error(`${path} has neither metadata files nor describes; ${HOW}`)
}
