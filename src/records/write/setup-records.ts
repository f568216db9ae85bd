import { makeClientId } from '../../auth/oauth/token-text.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import type { RecordValues } from '../prepare/record-input.ts'

/*
 * Records that say how the org itself works: what must hold for them. They are written like all others; the write path
 * asks here, so there is no way around it.
 */

const refusal = (message: string, field: string) =>
  new ApiError('FIELD_INTEGRITY_EXCEPTION', message, { fields: [field] })

/** The text of a field that is written; undefined: it is not, or it is empty. */
export function textOf(object: ObjectType, values: RecordValues, name: string): string | undefined {
  const value = values.get(object.field(name)!)
  return typeof value === 'string' ? value : undefined
}

type Complete = (ctx: Context, object: ObjectType, values: RecordValues) => void

/** Permissions name objects and fields as they are written in the schema. */
const nameObject: Complete = ({ schema }, object, values) => {
  const named = textOf(object, values, 'SobjectType')
  if (named === undefined) return
  const target = schema.object(named)
  if (target === undefined) throw refusal(`There is no object ${named.slice(0, 80)}`, 'SobjectType')
  values.set(object.field('SobjectType')!, target.name)
}

const nameField: Complete = (ctx, object, values) => {
  nameObject(ctx, object, values)
  const named = textOf(object, values, 'Field')
  const target = ctx.schema.object(textOf(object, values, 'SobjectType') ?? '')
  if (named === undefined || target === undefined) return
  const [prefix, name = ''] = named.split('.', 2) as [string, string?]
  const field = prefix.toLowerCase() === target.name.toLowerCase() ? target.field(name) : undefined
  if (field === undefined) throw refusal(`${target.name} has no field ${named.slice(0, 80)}`, 'Field')
  if (!field.permissionable && field.parts.length === 0) {
    throw refusal(`${target.name}.${field.name} comes with its object and cannot be granted`, 'Field')
  }
  values.set(object.field('Field')!, `${target.name}.${field.name}`)
}

const nameEntity: Complete = (_ctx, object, values) => {
  const [app, resource] = [textOf(object, values, 'SetupEntityId'), textOf(object, values, 'ResourceName')]
  if ((app === undefined) === (resource === undefined)) {
    throw refusal('Either SetupEntityId or ResourceName says what is opened', 'SetupEntityId')
  }
  const type = app === undefined ? 'CustomResource' : 'ConnectedApplication'
  values.set(object.field('SetupEntityType')!, type)
}

/** A callback is compared as a text; one that could never be called is a mistake. */
const checkCallbacks: Complete = (_ctx, object, values) => {
  const lines = (textOf(object, values, 'CallbackUrls') ?? '').split('\n').map((line) => line.trim())
  for (const line of lines.filter((text) => text !== '')) {
    if (URL.canParse(line) && !line.includes('#') && !/^(javascript|data|vbscript|file):/i.test(line))
      continue
    throw refusal(`${line.slice(0, 255)} is no address that a browser can be sent to`, 'CallbackUrls')
  }
}

const nameClient: Complete = (ctx, object, values) => {
  checkCallbacks(ctx, object, values)
  const key = object.field('ConsumerKey')!
  if (textOf(object, values, 'ConsumerKey') === undefined) values.set(key, makeClientId())
}

/** Only people are made this way. */
const standardUser: Complete = (_ctx, object, values) => {
  values.set(object.field('UserType')!, 'Standard')
}

/** What a new record of an object is given, or refused with. */
const ON_CREATE: ReadonlyMap<string, Complete> = new Map([
  ['ObjectPermissions', nameObject],
  ['FieldPermissions', nameField],
  ['SetupEntityAccess', nameEntity],
  ['ConnectedApplication', nameClient],
  ['User', standardUser],
])

const ON_UPDATE: ReadonlyMap<string, Complete> = new Map([['ConnectedApplication', checkCallbacks]])

/**
 * Completes and checks records of the set-up before they are written.
 * @returns what is wrong with which record
 */
export function completeSetup(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  purpose: 'create' | 'update',
): Refusals<PlannedRecord> {
  const refusals: Refusals<PlannedRecord> = new Map()
  const complete = (purpose === 'create' ? ON_CREATE : ON_UPDATE).get(object.name)
  if (complete === undefined) return refusals
  for (const record of records) {
    try {
      record.values = new Map(record.values)
      complete(ctx, object, record.values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.set(record, error)
    }
  }
  return refusals
}
