import { nearest } from '../../base/nearest.ts'
import type { Context } from '../../context.ts'
import { type Field, isKey } from '../../schema/fields/field.ts'
import { readGivenText } from '../../schema/fields/field-type.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { DELIMITERS, type Job } from '../jobs/job.ts'
import { JobFailure } from '../jobs/run.ts'

/** Text that stands for null: an empty value leaves a field as it is. */
const NULL = '#N/A'

const MAX_COLUMNS = 5000
/** More names would only fill the message. */
const MAX_NAMED = 10

/** A column of an upload. */
export type Column =
  | { readonly kind: 'id' }
  | { readonly kind: 'field'; readonly name: string; readonly field: Field }
  /** A parent by one of its keys; `type` names its object where the reference leads to several. */
  | {
      readonly kind: 'parent'
      readonly name: string
      readonly key: string
      readonly type: string | undefined
    }

/** `Account.Key__c`, `User:Owner.Username`. */
const PARENT = /^(?:([A-Za-z]\w*):)?([A-Za-z]\w*)\.([A-Za-z]\w*)$/

const notFound = (name: string) => new JobFailure(`InvalidBatch : Field name not found : ${name}`)

/** @throws JobFailure */
function findParent(ctx: Context, object: ObjectType, name: string): Column | undefined {
  const match = PARENT.exec(name)
  if (match === null) return undefined
  const [, type, relationship, key] = match as unknown as [string, string | undefined, string, string]
  const reference = object.parent(relationship)
  if (reference === undefined) return undefined
  const targets = reference.referenceTo
  const named =
    type === undefined ? undefined : targets.find((one) => one.toLowerCase() === type.toLowerCase())
  if (type !== undefined && named === undefined) {
    throw new JobFailure(
      `InvalidBatch : ${relationship} does not lead to ${type}, but to: ${targets.slice(0, MAX_NAMED).join(', ')} : ${name}`,
    )
  }
  if (named === undefined && targets.length > 1) {
    throw new JobFailure(
      `InvalidBatch : ${relationship} leads to several objects; write which one: ${targets[0]}:${relationship}.${key} : ${name}`,
    )
  }
  const target = ctx.visible.object(named ?? targets[0]!)
  const field = target?.field(key)
  if (field === undefined) return undefined
  if (!isKey(field)) {
    throw new JobFailure(
      `InvalidBatch : ${field.name} is not an external id or lookup field of ${target!.name} : ${name}`,
    )
  }
  return {
    kind: 'parent',
    name: relationship,
    key: field.name,
    type: targets.length > 1 ? target!.name : undefined,
  }
}

/** Guesses the delimiter of a header that is one long name. */
function findSeparator(header: readonly string[]): string | undefined {
  if (header.length !== 1) return undefined
  const [name] = header as [string]
  return Object.keys(DELIMITERS).find((one) => name.split(DELIMITERS[one]!).length > 1)
}

/** @throws JobFailure that names the columns which do not exist */
function refuseUnknown(object: ObjectType, header: readonly string[], unknown: readonly string[]): never {
  const names = unknown.slice(0, MAX_NAMED).map((name) => name.slice(0, 255))
  const separator = findSeparator(header)
  const near = unknown
    .slice(0, MAX_NAMED)
    .map((name) =>
      nearest(
        name,
        object.fields.map((field) => field.name),
      ),
    )
    .filter((name) => name !== undefined)
  const hint =
    separator !== undefined
      ? `. The file looks ${separator}-separated; create the job with columnDelimiter ${separator}`
      : near.length > 0
        ? `. Did you mean ${near.join(', ')}?`
        : ''
  throw notFound(`${names.join(', ')}${hint}`)
}

/**
 * Finds what the columns of an upload are.
 * @throws JobFailure
 */
export function resolveColumns(
  ctx: Context,
  object: ObjectType,
  { operation, externalIdField }: Pick<Job, 'operation' | 'externalIdField'>,
  header: readonly string[],
): readonly Column[] {
  if (header.length > MAX_COLUMNS) {
    throw new JobFailure(`InvalidBatch : The header has ${header.length} columns, more than ${MAX_COLUMNS}`)
  }
  const unknown: string[] = []
  const seen = new Set<string>()
  const columns: Column[] = []
  for (const name of header) {
    const known = name.trim().toLowerCase()
    if (seen.has(known)) throw new JobFailure(`InvalidBatch : Duplicate field name : ${name.slice(0, 255)}`)
    seen.add(known)
    const field = object.field(name.trim())
    const column: Column | undefined =
      field === undefined
        ? findParent(ctx, object, name.trim())
        : field.name === 'Id'
          ? { kind: 'id' }
          : { kind: 'field', name: field.name, field }
    if (column === undefined) unknown.push(name)
    else columns.push(column)
  }
  if (unknown.length > 0) refuseUnknown(object, header, unknown)
  const hasId = columns.some(({ kind }) => kind === 'id')
  if (operation === 'delete' || operation === 'hardDelete') {
    if (!hasId) throw notFound('Id')
    if (columns.length > 1)
      throw new JobFailure(`InvalidBatch : The '${operation}' batch must contain only ids`)
  }
  if (operation === 'update' && !hasId) throw notFound('Id')
  const key = operation === 'upsert' ? externalIdField! : 'Id'
  if (key !== 'Id' && !columns.some((column) => column.kind === 'field' && column.name === key)) {
    throw notFound(key)
  }
  return columns
}

/** One row as members of a record, and its id. */
interface RowValues {
  readonly id: string | undefined
  readonly members: Readonly<Record<string, unknown>>
}

/** The members that a row gives. An empty value gives none. */
export function readRow(columns: readonly Column[], cells: readonly string[]): RowValues {
  let id: string | undefined
  const members: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) {
    const cell = cells[i]!
    if (cell === '') continue
    const column = columns[i]!
    if (column.kind === 'id') {
      if (cell !== NULL) id = cell
    } else if (cell === NULL) members[column.name] = null
    else if (column.kind === 'parent') {
      const { key, type } = column
      members[column.name] = { ...(type !== undefined && { attributes: { type } }), [key]: cell }
    } else {
      const { field } = column
      members[field.name] = readGivenText(field.type, cell)
    }
  }
  return { id, members }
}
