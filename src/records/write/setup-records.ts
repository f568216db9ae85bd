import { makeClientId } from '../../auth/oauth/token-text.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'

/*
 * Rules for setup records (permissions, apps, users). They are written like all other records; the write path applies
 * these rules, so every API does.
 */

const refusal = (message: string, field: string) =>
  new ApiError('FIELD_INTEGRITY_EXCEPTION', message, { fields: [field] })

/** The text of a field; undefined when it is not written or empty. */
export function getText(object: ObjectType, values: RecordValues, name: string): string | undefined {
  const value = values.get(object.field(name)!)
  return typeof value === 'string' ? value : undefined
}

type Complete = (ctx: Context, object: ObjectType, values: RecordValues) => void

/** Stores the schema's spelling of the object that a permission names. */
const nameObject: Complete = ({ schema }, object, values) => {
  const named = getText(object, values, 'SobjectType')
  if (named === undefined) return
  const target = schema.object(named)
  if (target === undefined) throw refusal(`Unknown object ${named.slice(0, 80)}`, 'SobjectType')
  values.set(object.field('SobjectType')!, target.name)
}

const nameField: Complete = (ctx, object, values) => {
  nameObject(ctx, object, values)
  const named = getText(object, values, 'Field')
  const target = ctx.schema.object(getText(object, values, 'SobjectType') ?? '')
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
  const [app, resource] = [getText(object, values, 'SetupEntityId'), getText(object, values, 'ResourceName')]
  if ((app === undefined) === (resource === undefined)) {
    throw refusal('Give either SetupEntityId or ResourceName', 'SetupEntityId')
  }
  const type = app === undefined ? 'CustomResource' : 'ConnectedApplication'
  values.set(object.field('SetupEntityType')!, type)
}

/** Callbacks are compared as text later, so an address that cannot work is refused here. */
const checkCallbacks: Complete = (_ctx, object, values) => {
  const lines = (getText(object, values, 'CallbackUrls') ?? '').split('\n').map((line) => line.trim())
  for (const line of lines.filter((text) => text !== '')) {
    if (URL.canParse(line) && !line.includes('#') && !/^(javascript|data|vbscript|file):/i.test(line))
      continue
    throw refusal(`${line.slice(0, 255)} is not a valid redirect address`, 'CallbackUrls')
  }
}

const nameClient: Complete = (ctx, object, values) => {
  checkCallbacks(ctx, object, values)
  const key = object.field('ConsumerKey')!
  if (getText(object, values, 'ConsumerKey') === undefined) values.set(key, makeClientId())
}

/** Clients can create standard users only. */
const standardUser: Complete = (_ctx, object, values) => {
  values.set(object.field('UserType')!, 'Standard')
}

const ON_CREATE: ReadonlyMap<string, Complete> = new Map([
  ['ObjectPermissions', nameObject],
  ['FieldPermissions', nameField],
  ['SetupEntityAccess', nameEntity],
  ['ConnectedApplication', nameClient],
  ['User', standardUser],
])

const ON_UPDATE: ReadonlyMap<string, Complete> = new Map([['ConnectedApplication', checkCallbacks]])

/**
 * Completes and checks setup records before they are written.
 * @returns the errors by record
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
