import { isObject } from '../../base/json.ts'
import type { RecordBody } from '../../schema/snapshot/record-format.sql.ts'
import { writeElement } from '../../xml/write-xml.ts'
import { CsvWriter } from '../csv/csv-rows.ts'
import { openRoot } from '../jobs/bulk-namespace.ts'
import { type ContentType, DELIMITERS, type Job, LINE_ENDINGS } from '../jobs/job.ts'
import { type ResultColumn, readColumn } from './compile-query.ts'

/** How the records of a result are written. */
export interface RecordText {
  /** Text before them. */
  readonly header: string
  readonly write: (record: RecordBody, isFirst: boolean) => string
  /** Writes them where they are CSV. */
  readonly csv: CsvWriter | undefined
}

/** Texts behind the records, which are not stored with them. */
export const RECORDS_END: Readonly<Record<ContentType, string>> = {
  CSV: '',
  XML: '</queryResult>',
  JSON: ']',
}

function makeCsv(job: Job, columns: readonly ResultColumn[]): RecordText {
  const csv = new CsvWriter(DELIMITERS[job.columnDelimiter]!, LINE_ENDINGS[job.lineEnding]!)
  return {
    header: csv.row(columns.map(({ name }) => name)),
    write: (record) => csv.row(columns.map((column) => readColumn(column, record))),
    csv,
  }
}

const isRecord = (value: unknown): value is RecordBody => isObject(value) && !JSON.isRawJSON(value)

function writeXmlValue(name: string, value: unknown): string {
  if (isRecord(value)) return writeXmlRecord(name, value)
  if (value === null || value === undefined) return writeElement(name, null)
  const text = JSON.isRawJSON(value) ? value.rawJSON : String(value)
  return writeElement(name, text)
}

function writeXmlRecord(element: string, { attributes, ...members }: RecordBody): string {
  const { type } = attributes as { readonly type: string }
  const fields = Object.entries(members).map(([name, value]) => writeXmlValue(name, value))
  return `<${element} xsi:type="sObject">${writeElement('type', type)}${fields.join('')}</${element}>`
}

const XML: RecordText = {
  header: openRoot('queryResult'),
  write: (record) => writeXmlRecord('records', record),
  csv: undefined,
}

const LIST: RecordText = {
  header: '[',
  write: (record, isFirst) => (isFirst ? '' : ',\n') + JSON.stringify(record),
  csv: undefined,
}

/** How the result of a job is written. */
export function makeRecordText(job: Job, columns: readonly ResultColumn[]): RecordText {
  if (job.contentType === 'CSV') return makeCsv(job, columns)
  return job.contentType === 'XML' ? XML : LIST
}
