import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { parse } from 'csv-parse'
import type { ImportResult } from '../../orgs/imports/pack-results.ts'
import { csvLines } from '../result/print-csv.ts'
import type { ErrorItem, SourceRow } from './source-row.ts'

/** Outcome of a row. */
export interface RowResult {
  readonly row: SourceRow
  readonly result: ImportResult
}

const COLUMNS = ['row', 'id', 'created', 'errorCode', 'message', 'fields'] as const
/** Of a tree: its name in the file. */
const REFERENCE = 'reference'

export function getReference({ record }: SourceRow): string {
  const { attributes } = record as { attributes?: { referenceId?: unknown } }
  return typeof attributes?.referenceId === 'string' ? attributes.referenceId : ''
}

/** Settings of a results file. */
export interface ResultsKind {
  /** True if a row that was written is a new record where the server does not say it. */
  readonly creates: boolean
  readonly trees: boolean
}

function makeCells({ row, result }: RowResult, { creates, trees }: ResultsKind): readonly string[] {
  const { id = '', success, created = creates } = result
  const errors = result.errors as readonly ErrorItem[]
  return [
    String(row.row),
    id,
    success ? String(created) : '',
    [...new Set(errors.map(({ statusCode }) => statusCode))].join('; '),
    errors.map(({ message }) => message).join('; '),
    [...new Set(errors.flatMap(({ fields }) => fields))].join('; '),
    ...(trees ? [getReference(row)] : []),
  ]
}

/** A line for each row of the source, in the order of the source, written as batches come back. */
export class ResultsFile {
  readonly #file: FileHandle
  readonly #kind: ResultsKind
  #size: number

  private constructor(file: FileHandle, size: number, kind: ResultsKind) {
    this.#file = file
    this.#size = size
    this.#kind = kind
  }

  /** Opens the file with its first `size` bytes; 0 overwrites it. */
  static async open(path: string, size: number, kind: ResultsKind): Promise<ResultsFile> {
    const file = await open(path, size === 0 ? 'w' : 'r+')
    await file.truncate(size)
    const results = new ResultsFile(file, size, kind)
    if (size === 0) await results.#write(csvLines([kind.trees ? [...COLUMNS, REFERENCE] : COLUMNS]))
    return results
  }

  /** @returns how long the file is now */
  async add(rows: readonly RowResult[]): Promise<number> {
    await this.#write(csvLines(rows.map((row) => makeCells(row, this.#kind))))
    return this.#size
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await this.#file.write(bytes, 0, bytes.length, this.#size)
    this.#size += bytes.length
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Rows that an earlier import left to be tried again, and the ids of its written records by their names in a tree. */
export interface Earlier {
  readonly refused: ReadonlySet<number>
  /** Those of them that are written, but for references to others. */
  readonly unlinked: ReadonlySet<number>
  readonly references: ReadonlyMap<string, string>
}

/** @throws Error when the file is not one of results */
export async function readResults(path: string): Promise<Earlier> {
  const refused = new Set<number>()
  const unlinked = new Set<number>()
  const references = new Map<string, string>()
  const lines = createReadStream(path).pipe(parse({ columns: true, bom: true }))
  for await (const line of lines as AsyncIterable<
    Record<(typeof COLUMNS)[number] | typeof REFERENCE, string>
  >) {
    if (line.row === undefined || line.errorCode === undefined) {
      throw new Error(`${path} is no file of results: it needs the columns row and errorCode.`)
    }
    if (line.errorCode !== '') refused.add(Number(line.row))
    if (line.errorCode !== '' && line.id !== '') unlinked.add(Number(line.row))
    if (line.reference && line.id !== '') references.set(line.reference, line.id)
  }
  return { refused, unlinked, references }
}
