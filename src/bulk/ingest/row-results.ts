import type { ApiError } from '../../base/api-error.ts'
import { escapeXml, writeElement } from '../../xml/write-xml.ts'
import { CsvWriter } from '../csv/csv-rows.ts'
import type { UploadRows } from '../csv/upload-reader.ts'
import type { PiecePart } from '../jobs/job.sql.ts'
import { type ContentType, DELIMITERS, type Job, LINE_ENDINGS } from '../jobs/job.ts'
import type { Header } from './read-header.ts'
import type { RowOutcome } from './write-rows.ts'

/** Results of the rows of a chunk, by the part that they are stored as. */
interface RowResults {
  readonly parts: readonly (readonly [part: PiecePart, bytes: Buffer])[]
  readonly failures: number
}

/** The errors of a row in the form of the results: `CODE:message:Field --`. */
const formatErrors = ({ items }: ApiError): string =>
  items
    .map(({ errorCode, message, fields }) => {
      const named = fields.length === 0 ? '' : `${fields.join(',')} `
      return `${errorCode}:${message}:${named}--`
    })
    .join(';')

const PLAIN = new CsvWriter(',', '\n')

/** The columns of the results of a batch. */
export const BATCH_COLUMNS = PLAIN.row(['Id', 'Success', 'Created', 'Error'])

const writeXmlOutcome = ({ id, created, error }: RowOutcome) => {
  const errors = (error?.items ?? []).map(({ errorCode, message, fields }) => {
    const named = fields.map((field) => `<fields>${escapeXml(field)}</fields>`).join('')
    return `<errors>${named}${writeElement('message', message)}${writeElement('statusCode', errorCode)}</errors>`
  })
  const known = id === undefined ? '' : writeElement('id', id)
  return `<result>${errors.join('')}${known}${writeElement('success', error === undefined)}${writeElement('created', created)}</result>`
}

const writeJsonOutcome = ({ id, created, error }: RowOutcome) =>
  JSON.stringify({
    success: error === undefined,
    created,
    id: id ?? null,
    errors: (error?.items ?? []).map(({ errorCode: statusCode, message, fields }) => ({
      ...{ statusCode, message, fields },
      extendedErrorDetails: null,
    })),
  })

/** One outcome in the results of a batch, in the format of its job; in JSON they are members of a list. */
const WRITERS: Readonly<Record<ContentType, (outcome: RowOutcome, isFirst: boolean) => string>> = {
  CSV: ({ id = '', created, error }) =>
    PLAIN.row([
      id,
      String(error === undefined),
      String(created),
      error === undefined ? '' : formatErrors(error),
    ]),
  XML: writeXmlOutcome,
  JSON: (outcome, isFirst) => (isFirst ? '' : ',\n') + writeJsonOutcome(outcome),
}

/** All outcomes of a batch are one result, in the order of its rows. */
function writeOutcomes({ contentType, processed }: Job, outcomes: readonly RowOutcome[]): RowResults {
  const write = WRITERS[contentType]
  const texts = outcomes.map((outcome, index) =>
    write({ ...outcome, created: outcome.created && outcome.error === undefined }, processed + index === 0),
  )
  const failures = outcomes.filter(({ error }) => error !== undefined).length
  return { parts: [['outcomes', Buffer.from(texts.join(''))]], failures }
}

/** Makes the pieces of the results of some rows. */
export function writeResults(
  job: Job,
  header: Header,
  { rows }: UploadRows,
  outcomes: readonly RowOutcome[],
): RowResults {
  if (job.parentId !== null) return writeOutcomes(job, outcomes)
  const writer = new CsvWriter(DELIMITERS[job.columnDelimiter]!, LINE_ENDINGS[job.lineEnding]!)
  let successful = ''
  let failed = ''
  let failures = 0
  for (let i = 0; i < rows.length; i++) {
    const { cells } = rows[i]!
    const { id = '', created, error } = outcomes[i]!
    if (error === undefined) successful += writer.row([id, String(created), ...cells])
    else {
      const values = header.names.map((_name, index) => cells[index] ?? '')
      failed += writer.row([id, formatErrors(error), ...values])
      failures++
    }
  }
  const parts = [
    ['successful', Buffer.from(successful)],
    ['failed', Buffer.from(failed)],
  ] as const
  return { parts, failures }
}
