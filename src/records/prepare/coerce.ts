import { ApiError } from '../../base/api-error.ts'
import { isObject } from '../../base/json.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { decodeInSlices } from '../../schema/fields/base64.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import { UnreadText, WrongKind } from '../../schema/fields/field-type.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { InputPlace, Purpose, RecordInput } from './record-input.ts'

/** A parent given by one of its keys instead of its id. (docs/reference/api/records.md#references) */
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

/** The JSON token of a value, as the error message shows it. */
function describeToken(value: unknown): string {
  if (value instanceof UnreadText) return describeToken(String(value))
  if (typeof value === 'string') return `VALUE_STRING value ${value.slice(0, 255)}`
  if (typeof value === 'number')
    return `${Number.isInteger(value) ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT'} value ${value}`
  if (typeof value === 'boolean') return `VALUE_${String(value).toUpperCase()} value ${value}`
  if (value === null) return 'VALUE_NULL value null'
  return Array.isArray(value) ? 'START_ARRAY value [' : 'START_OBJECT value {'
}

/** The error for a value of the wrong JSON type. (docs/reference/api/records.md#error-codes) */
export function wrongKind(
  kind: string,
  value: unknown,
  input: InputPlace,
  path: readonly (string | number)[],
): ApiError {
  if (input.refuseKind !== undefined) return input.refuseKind(kind, value, path)
  const { line, column } = input.locate(path)
  return new ApiError(
    'JSON_PARSER_ERROR',
    `Cannot deserialize instance of ${kind} from ${describeToken(value)} or request may be missing a required field at [line:${line}, column:${column}]`,
  )
}

/** Texts of all kinds are read by one function, and each is called by its own name. */
const getKind = ({ type }: Field, { kind }: WrongKind) => (kind === 'string' ? type.describedAs : kind)

/** The error of a value, with its place where it is of the wrong kind. */
const asRefusal = (error: unknown, field: Field, value: unknown, member: string, input: RecordInput) =>
  error instanceof WrongKind ? wrongKind(getKind(field, error), value, input, [member]) : error

function coerceValue(field: Field, value: unknown, member: string, input: RecordInput, lenient: boolean) {
  if (value === null) return null
  const { type } = field
  try {
    if (!lenient && type.isTakenByLeniency?.(value)) throw new WrongKind(type.describedAs)
    return type.coerce(value, field)
  } catch (error) {
    throw asRefusal(error, field, value, member, input)
  }
}

/** Longer texts of bytes are decoded in slices. */
const MAX_DIGITS_AT_ONCE = 1024 * 1024

/**
 * Decodes the long texts of bytes among the members, which would hold the event loop in `coerceRecord`.
 * @throws ApiError JSON_PARSER_ERROR; the deadline's reason
 */
export async function decodeLongBytes(
  object: ObjectType,
  input: RecordInput,
  deadline: AbortSignal,
): Promise<RecordInput> {
  let decoded = input
  for (const [member, value] of Object.entries(input.members)) {
    if (typeof value !== 'string' || value.length <= MAX_DIGITS_AT_ONCE) continue
    const field = object.field(member)
    if (field?.type.holdsBytes !== true) continue
    try {
      const bytes = await runInSlices(() => decodeInSlices(value), deadline)
      decoded = { ...decoded, members: { ...decoded.members, [member]: bytes } }
    } catch (error) {
      throw asRefusal(error, field, value, member, input)
    }
  }
  return decoded
}

/** A body may have `attributes`; a `type` in it must be the object's name. */
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
 * Converts the members of a body to stored values. Names are matched without case; a member that is neither a field nor
 * a parent relationship is refused.
 * @param lenient whether values are taken that the platform refuses
 * @param key the field that identifies the record in the path; the body must not contain it
 */
export function coerceRecord(
  object: ObjectType,
  input: RecordInput,
  purpose: Purpose,
  lenient: boolean,
  key?: Field,
): CoercedRecord {
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
      // Clients that send all members of an object have an empty one in a new record.
      if (field.name === 'Id' && value === null && purpose === 'create') continue
      if (field.name === 'Id' || field === key) throw notSpecified(field.name)
      values.set(field, coerceValue(field, value, member, input, lenient))
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
