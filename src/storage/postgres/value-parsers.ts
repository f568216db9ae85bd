import pg from 'pg'
import { getOrInsert } from '../../base/get-or-insert.ts'

export type ValueParser = (text: string) => unknown

const INT = [20, 21, 23, 26]
const FLOAT = [700, 701, 1700]
const JSON_TYPES = [114, 3802]
const TEXT_ARRAY = 1009
const BYTES = 17
/** The conversion of a text column. */
export const asText = (text: string) => text

function makeParser(oid: number): ValueParser {
  if (oid === 16) return (text) => text === 't'
  if (INT.includes(oid) || FLOAT.includes(oid)) return Number
  if (JSON_TYPES.includes(oid)) return JSON.parse
  if (oid === BYTES) return (text) => Buffer.from(text.slice(2), 'hex')
  if (oid === TEXT_ARRAY) return pg.types.getTypeParser(TEXT_ARRAY as never)
  return asText
}

const parsers = new Map<number, ValueParser>()

/**
 * The conversions that `ColumnValue` documents.
 * @param oid PostgreSQL's object id of the type
 */
export const valueParser = (oid: number): ValueParser => getOrInsert(parsers, oid, () => makeParser(oid))
