import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import type { Db } from '../../storage/database/db.ts'
import { makeDistinctNames, makeLabel } from '../api-name.ts'
import { finishImport } from '../finish-import.ts'
import type { Imported } from '../imported.ts'
import { NotePad } from '../notes.ts'
import { importColumn } from './import-column.ts'
import { type NamedTable, nameColumns, titled } from './named-table.ts'
import { readTable, type Table } from './read-table.ts'

/** Notes constraints that a field definition cannot express. */
function noteConstraints({ object, constraints }: NamedTable, pad: NotePad): void {
  for (const { kind, name, definition, columns } of constraints) {
    const isCarried = ['p', 'u', 'f'].includes(kind) && columns?.length === 1
    if (!isCarried) pad.add('constraint', `${object}.${name}`, definition)
  }
}

function importTable(table: NamedTable, tables: readonly NamedTable[], pad: NotePad): ObjectFile {
  noteConstraints(table, pad)
  const label = makeLabel(table.name)
  const fields = table.columns.map(
    (column) => [table.fields.get(column.name)!, importColumn(table, column, tables, pad)] as const,
  )
  return {
    label,
    labelPlural: /s$/i.test(label) ? label : `${label}s`,
    ...(table.comment !== null && { description: table.comment }),
    fields: Object.fromEntries(fields),
  }
}

/**
 * Makes definition files from tables of a PostgreSQL database.
 * @param object name for the object of a single table
 * @param known existing files of the deployment
 * @throws Error when a table does not exist
 */
export async function importTables(
  db: Db,
  names: readonly string[],
  object?: string,
  known?: DefinitionFiles,
): Promise<Imported> {
  if (object !== undefined && names.length > 1)
    throw new Error('--object names the object of a single --table')
  if (object !== undefined && !object.endsWith('__c')) {
    throw new Error(`the name of a custom object ends in __c: --object ${object}__c`)
  }
  const pad = new NotePad()
  const read: Table[] = []
  for (const name of names) read.push(await readTable(db, name))
  const objects = makeDistinctNames(read.map(({ name }) => titled(name, 'Table')))
  const tables = read.map((table, at) => nameColumns(table, object ?? `${objects[at]}__c`))
  const files = tables.map((table) => [table.object, importTable(table, tables, pad)] as const)
  return finishImport({ objects: Object.fromEntries(files), valueSets: {} }, pad, known)
}
