import type { FieldFile } from '../../definitions/formats/field-file.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { Column } from './read-table.ts'

/** The field of a column. `otherwise` describes the difference to the column, if any. */
export interface Mapped {
  readonly field: FieldFile
  readonly otherwise?: string
}

const MAX_STRING_LENGTH = 255
const MAX_TEXT_LENGTH = 131_072
const MAX_DIGITS = 18

function text({ length, longest }: Column): Mapped {
  const max = length ?? longest ?? 0
  if (max > MAX_TEXT_LENGTH) {
    return {
      field: { type: 'longtextarea', length: MAX_TEXT_LENGTH },
      otherwise: `${max} characters: ${MAX_TEXT_LENGTH} at most`,
    }
  }
  if (length !== null && length > MAX_STRING_LENGTH) return { field: { type: 'longtextarea', length } }
  if (length !== null) return { field: { type: 'string', length } }
  if (max <= MAX_STRING_LENGTH) {
    return {
      field: { type: 'string', length: MAX_STRING_LENGTH },
      otherwise: `a text without a limit, whose longest value has ${max} characters: ${MAX_STRING_LENGTH} at most`,
    }
  }
  return { field: { type: 'longtextarea', length: Math.min(Math.max(32_768, max * 2), MAX_TEXT_LENGTH) } }
}

function decimal({ precision, scale, digits }: Column): Mapped {
  if (digits !== undefined) {
    const after = Math.max(0, Math.min(digits.after, MAX_DIGITS - digits.before, MAX_DIGITS - 1))
    const otherwise = `a number without a limit, whose values have up to ${digits.after} digits after the point: ${after} are kept`
    return { field: { type: 'double', precision: MAX_DIGITS, scale: after }, otherwise }
  }
  if (precision! > MAX_DIGITS) {
    const kept = Math.min(scale!, MAX_DIGITS - 1)
    return {
      field: { type: 'double', precision: MAX_DIGITS, scale: kept },
      otherwise: `${precision} digits: ${MAX_DIGITS} at most`,
    }
  }
  return { field: { type: 'double', precision: precision!, scale: Math.min(scale!, MAX_DIGITS - 1) } }
}

const integer = (): Mapped => ({ field: { type: 'double', precision: MAX_DIGITS, scale: 0 } })

const asText = (otherwise: string) => (): Mapped => ({
  field: { type: 'longtextarea', length: MAX_TEXT_LENGTH },
  otherwise,
})

function userDefined({ labels, typeName, ...column }: Column): Mapped {
  if (labels !== null) return { field: { type: 'picklist', restricted: true, values: labels } }
  return typeName === 'citext' ? text({ labels, typeName, ...column }) : asText(`${typeName}: a long text`)()
}

/** PostgreSQL types, by the names in its catalogs, that a field type is the same as. */
const SAME = Object.values(FIELD_TYPES).flatMap(({ name, file, importedFrom = {} }) =>
  Object.entries(importedFrom).map(([type, otherwise]): [string, () => Mapped] => {
    const { precision, scale } = file!.defaults ?? {}
    const field = { type: name, ...(precision !== undefined && { precision, scale }) }
    return [type, () => (otherwise === undefined ? { field } : { field, otherwise })]
  }),
)

/** PostgreSQL types by the names in its catalogs. */
const COLUMN_TYPES: Readonly<Record<string, (column: Column) => Mapped>> = {
  ...Object.fromEntries(SAME),
  'character varying': text,
  character: text,
  text,
  smallint: integer,
  integer: integer,
  bigint: integer,
  numeric: decimal,
  real: decimal,
  'double precision': decimal,
  uuid: () => ({ field: { type: 'string', length: 36 } }),
  xml: asText('xml: a long text'),
  ARRAY: asText('an array: a long text'),
  'USER-DEFINED': userDefined,
}

export const mapColumn = (column: Column): Mapped =>
  (Object.hasOwn(COLUMN_TYPES, column.type)
    ? COLUMN_TYPES[column.type]!
    : asText(`${column.type}: a long text`))(column)
