import { quoteText, type Sql, sql } from '../../base/sql.ts'

/**
 * Prefix of an encrypted value. The blank tells it from a plain one, which never begins with a blank: those around
 * a text are dropped before it is stored.
 */
const MARK = ' '

/** The same with the form that follows: nonce, tag and encrypted text in base64. */
export const FORM_1 = `${MARK}v1:`

/** Bytes that the nonce and the tag take. */
const OVERHEAD = 12 + 16

/** True if a stored value is encrypted. Values from before there was encryption are not, until an upgrade has come by. */
export const isEncrypted = (stored: string): boolean => stored.startsWith(MARK)

export const encryptedValueSql = {
  isEncrypted: (column: Sql): Sql => sql`starts_with(${column}, ${sql.raw(quoteText(MARK))})`,

  /** How many bytes the value has, encrypted or not. */
  bytes: (column: Sql): Sql =>
    sql`case when ${encryptedValueSql.isEncrypted(column)}
             then (length(${column}) - ${FORM_1.length}::integer) * 3 / 4 - ${OVERHEAD}::integer
             else octet_length(${column}) end`,
}
