import { basename } from 'node:path'
import { same } from '../../definitions/checks/checking.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { makeFields } from '../../schema/objects/object-type.ts'
import { findStandardObject, STANDARD_OBJECTS } from '../../standard/standard-objects.ts'
import { makeApiName, makeDistinctNames, makeLabel } from '../api-name.ts'
import { finishImport } from '../finish-import.ts'
import type { Imported } from '../imported.ts'
import { NotePad } from '../notes.ts'
import { ColumnFacts } from './column-facts.ts'
import { type Inferred, inferField, inferText, mayBeKey } from './infer-field.ts'

interface Column {
  readonly header: string
  readonly facts: ColumnFacts
}

/** Collects facts about all columns over all rows. */
async function readColumns(
  file: string,
  rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): Promise<Column[]> {
  let columns: Column[] | undefined
  for await (const row of rows) {
    if (columns === undefined) {
      columns = row.map((header) => ({ header: header.trim(), facts: new ColumnFacts(mayBeKey(header)) }))
    } else {
      for (const [at, value] of row.entries()) columns[at]?.facts.add(value)
    }
  }
  if (columns === undefined) throw new Error(`${file} is empty: its first line must name the columns`)
  return columns
}

/** Default length of the name field. */
const DEFAULT_NAME_LENGTH = 80

/** The name field is a text of at most 255 characters. */
function inferName({ facts }: Column): Inferred | undefined {
  const { field, because } = inferText(facts)
  if (FIELD_TYPES[field.type!].namesRecords !== true) return undefined
  return { field: { ...field, length: Math.max(field.length!, DEFAULT_NAME_LENGTH) }, because }
}

/** `People__c` for `people.csv`. */
export const objectOfFile = (path: string) =>
  `${makeLabel(makeApiName(basename(path).replace(/\.[^.]*$/, ''), 'Import')).replaceAll(' ', '_')}__c`

/** Finds the standard field whose name or label is the header of a column. */
function findStandardField(object: string, header: string): string | undefined {
  const standard = findStandardObject(object)
  const is = (text: string) => same(text, header)
  return standard && makeFields(standard).find(({ name, label }) => is(name) || is(label))?.name
}

/** `3 values`, or `1 value of 3 rows`. */
function formatCounts({ filled, empty }: ColumnFacts): string {
  const values = `${filled} ${filled === 1 ? 'value' : 'values'}`
  return empty > 0 && filled > 0 ? `${values} of ${filled + empty} rows` : values
}

/**
 * Makes a definition file from the rows of a CSV file, the header first. Reads all rows.
 * @param known existing files of the deployment
 */
export async function importCsv(
  { file, object }: { readonly file: string; readonly object: string },
  rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  known?: DefinitionFiles,
): Promise<Imported> {
  const pad = new NotePad()
  const columns = await readColumns(file, rows)
  const isOwn = !STANDARD_OBJECTS.some(({ name }) => same(name, object))
  if (isOwn && !object.endsWith('__c')) {
    throw new Error(
      `${object} is not a standard object; the name of a custom object ends in __c: --object ${object}__c`,
    )
  }
  const nameAt = columns.findIndex(({ header }) => /^name$/i.test(header))
  const names = makeDistinctNames(columns.map(({ header }, at) => makeApiName(header, `Column_${at + 1}`)))
  const fields = columns.flatMap((column, at): [string, FieldFile][] => {
    const { header, facts } = column
    const shown = `"${header}"`
    const there = findStandardField(object, header)
    if (there !== undefined) {
      pad.add('column', `${object}.${there}`, `takes ${shown}`)
      return []
    }
    const named = isOwn && at === nameAt ? inferName(column) : undefined
    const name = named ? 'Name' : `${names[at]}__c`
    const { field, because } = named ?? inferField(header, facts)
    pad.add('column', `${object}.${name}`, `${field.type}: ${shown} has ${formatCounts(facts)}, ${because}`)
    return [[name, { ...field, ...(header !== '' && { label: header }) }]]
  })
  const draft = { objects: { [object]: { fields: Object.fromEntries(fields) } }, valueSets: {} }
  return finishImport(draft, pad, known)
}
