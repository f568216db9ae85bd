import { UsageError } from '../command/exit-codes.ts'
import type { Flags } from '../command/setting-flags.ts'
import type { Operation } from './column-targets.ts'
import type { Format } from './find-sources.ts'

/** Options of an import. */
export interface ImportFlags extends Flags {
  readonly object?: string
  readonly operation: Operation
  readonly key?: string
  readonly map: readonly string[]
  readonly format?: Format
  readonly batch: number
  readonly parallel: number
  readonly results?: string
  readonly retry?: string
  readonly restart?: boolean
  readonly delimiter?: string
  readonly null?: string
  readonly emptyAsNull?: boolean
  readonly safeForSpreadsheets?: boolean
  readonly dates?: string
  readonly decimal?: string
  readonly booleans?: string
}

/** Flags that say how the cells of a file are written. */
const CSV_FLAGS = [
  ['safeForSpreadsheets', '--safe-for-spreadsheets'],
  ['dates', '--dates'],
  ['decimal', '--decimal'],
  ['booleans', '--booleans'],
] as const

/** @throws Error for flags that do not go together */
export function checkFlags(flags: ImportFlags, format: Format): void {
  const { object, operation, key, map } = flags
  const ofCsv = CSV_FLAGS.find(([name]) => flags[name] !== undefined)
  if (ofCsv !== undefined && format !== 'csv') throw new UsageError(`${ofCsv[1]} is for CSV.`)
  if (format === 'tree') {
    if (operation !== 'insert') throw new UsageError('The records of a tree can be inserted only.')
    if (map.length > 0) throw new UsageError('--map is for columns; a tree has none.')
    return
  }
  if (object === undefined) throw new UsageError('Say what the rows are: --object Account')
  if (operation === 'upsert' && key === undefined) {
    throw new UsageError('An upsert needs the field by which records are found: --key Ext__c')
  }
  if (operation !== 'upsert' && key !== undefined) throw new UsageError('--key is for --operation upsert.')
}
