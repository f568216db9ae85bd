import { ApiError } from '../../base/api-error.ts'
import type { Field } from '../../schema/fields/field.ts'
import { WrongKind } from '../../schema/fields/field-type.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { RecordInput, RecordValues } from './record-input.ts'

/** A parent that is named by one of its keys instead of its id. (docs/reference/api/records.md#references) */
export interface ParentByKey {
  /** The reference field that the parent's id goes into, and the member that named it. */
  readonly field: Field
  readonly member: string
  readonly target: Readonly<Record<string, unknown>>
}

interface CoercedRecord {
  readonly values: RecordValues
  readonly parents: readonly ParentByKey[]
}

/** What JSON calls a value, in the words of the error message. */
function tokenOf(value: unknown): string {
  if (typeof value === 'string') return `VALUE_STRING value ${value.slice(0, 255)}`
  if (typeof value === 'number')
    return `${Number.isInteger(value) ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT'} value ${value}`
  if (typeof value === 'boolean') return `VALUE_${String(value).toUpperCase()} value ${value}`
  if (value === null) return 'VALUE_NULL value null'
  return Array.isArray(value) ? 'START_ARRAY value [' : 'START_OBJECT value {'
}

/** A value whose kind does not fit what it is for. (docs/reference/api/records.md#error-codes) */
export function wrongKind(
  kind: string,
  value: unknown,
  input: Pick<RecordInput, 'locate'>,
  path: readonly (string | number)[],
) {
  const { line, column } = input.locate(path)
  return new ApiError(
    'JSON_PARSER_ERROR',
    `Cannot deserialize instance of ${kind} from ${tokenOf(value)} or request may be missing a required field at [line:${line}, column:${column}]`,
  )
}

function coerceValue(field: Field, value: unknown, member: string, input: RecordInput) {
  if (value === null) return null
  try {
    return field.type.coerce(value, field)
  } catch (error) {
    if (error instanceof WrongKind) throw wrongKind(error.kind, value, input, [member])
    throw error
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `attributes` may come along; only a type that is not this one is wrong. */
function checkAttributes(object: ObjectType, value: unknown, input: RecordInput): void {
  if (value === null) return
  if (!isObject(value)) throw wrongKind('attributes', value, input, ['attributes'])
  const { type } = value
  if (typeof type === 'string' && type.toLowerCase() !== object.name.toLowerCase()) {
    throw new ApiError(
      'INVALID_TYPE',
      `The attributes name the type ${type}, the record is of type ${object.name}`,
    )
  }
}

const notSpecified = (name: string) =>
  new ApiError('INVALID_FIELD', `The ${name} field should not be specified in the sobject data.`)

/**
 * The members of a body as stored values. Names are found without case; a member that is neither a field nor a way to
 * a parent is refused.
 * @param key the field that already names the record in the path, and so must not stand in the body
 */
export function coerceRecord(object: ObjectType, input: RecordInput, key?: Field): CoercedRecord {
  const values: RecordValues = new Map()
  const parents: ParentByKey[] = []
  for (const member of Object.keys(input.members)) {
    const value = input.members[member]
    if (member === 'attributes') {
      checkAttributes(object, value, input)
      continue
    }
    const field = object.field(member)
    if (field !== undefined) {
      if (field.name === 'Id' || field === key) throw notSpecified(field.name)
      values.set(field, coerceValue(field, value, member, input))
      continue
    }
    const reference = object.parent(member)
    if (reference === undefined) {
      throw new ApiError(
        'INVALID_FIELD',
        `No such column '${member.slice(0, 255)}' on sobject of type ${object.name}`,
      )
    }
    if (value === null) values.set(reference, null)
    else if (isObject(value)) parents.push({ field: reference, member, target: value })
    else throw wrongKind('reference', value, input, [member])
  }
  return { values, parents }
}
