import { ApiError } from '../../base/api-error.ts'
import { isObject } from '../../base/json.ts'
import type { Call } from '../../calls/call.ts'
import { readEnvelope } from '../../calls/envelope.ts'
import type { Context } from '../../context.ts'
import { wrongKind } from '../../records/prepare/coerce.ts'
import type { RecordInput } from '../../records/prepare/record-input.ts'
import { namedObject } from '../../records/write/named-object.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

/** How many records one call may write. (docs/reference/api/composite.md#collections) */
const MAX_RECORDS = 200

/** One record of a list, with the object that it says it is of. */
export interface Collected {
  readonly object: ObjectType
  readonly input: RecordInput
}

export interface Collection {
  readonly allOrNone: boolean
  readonly records: readonly Collected[]
}

export function checkCount(count: number): void {
  if (count <= MAX_RECORDS) return
  throw new ApiError(
    'EXCEEDED_ID_LIMIT',
    `record limit reached. cannot submit more than ${MAX_RECORDS} records into this call`,
  )
}

function readType(record: Record<string, unknown>): string {
  const { attributes } = record
  const type = isObject(attributes) ? attributes.type : undefined
  if (typeof type === 'string') return type
  throw new ApiError('INVALID_INPUT', 'Each record needs attributes with a type')
}

/** The body of a call that writes several records. A record that is none refuses the whole call. */
export function readCollection(ctx: Context, call: Call): Collection {
  const envelope = readEnvelope(call, ['allOrNone', 'records'])
  const list = envelope.list('records')
  if (list === undefined) throw new ApiError('INVALID_INPUT', 'The body needs a list of records')
  checkCount(list.length)
  const records = list.map((members, index) => {
    const locate: RecordInput['locate'] = (path) => call.locate(['records', index, ...path])
    if (!isObject(members)) throw wrongKind('sobject', members, { locate }, [])
    return { object: namedObject(ctx, readType(members)), input: { members, locate } }
  })
  return { allOrNone: envelope.flag('allOrNone') ?? false, records }
}

/** The id that a record has among its members, and the record without it. */
export function takeId({ members, locate }: RecordInput): { id: string | undefined; input: RecordInput } {
  const name = Object.keys(members).find((member) => member.toLowerCase() === 'id')
  if (name === undefined) return { id: undefined, input: { members, locate } }
  const { [name]: id, ...rest } = members
  if (id !== null && typeof id !== 'string') throw wrongKind('id', id, { locate }, [name])
  return { id: id ?? undefined, input: { members: rest, locate } }
}
