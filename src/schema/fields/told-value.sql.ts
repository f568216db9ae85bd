import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from './field.ts'

/** True if the database can make what events tell of the field: `toldValue`. */
export const isToldInSql = ({ type }: Field): boolean =>
  type.generated !== true &&
  type.encrypted === undefined &&
  (type.read === undefined || type.csvText !== undefined)

/** JSON of a value that is not null, as a read has it but for the form of times. */
export function toldValue(column: Sql, field: Field): Sql {
  const { read, csvText } = field.type
  return sql`to_json(${read === undefined ? column : csvText!(column, field)})::text`
}
