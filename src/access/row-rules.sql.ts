import { type Sql, sql } from '../base/sql.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../schema/snapshot.ts'
import type { Org } from '../storage/org.ts'
import type { Access } from './access.ts'
import { ACCESS_LEVELS, isOpenTo, levelOnMaster, mastersOf, type RowLevel, sharingOf } from './sharing.ts'

/** One more condition, if there is one. */
export const only = (rule: Sql | undefined): Sql => (rule === undefined ? sql.raw('') : sql`and ${rule}`)

/**
 * How many records of the object somebody sees: of few, each is looked up by an index; of any number, a record that is
 * looked at for other reasons is asked about.
 */
export type Spread = 'few' | 'any'

/** In whose eyes and where. */
export interface Viewer {
  readonly org: Org
  /** The whole of it: a rule may look at what its user may not. */
  readonly schema: SchemaSnapshot
  readonly access: Access
}

/** The share records of an object, if it has any. */
export function sharesOf(
  schema: SchemaSnapshot,
  name: string,
): { object: ObjectType; parent: Field; level: Field } | undefined {
  const object = schema.objects.find(({ definition }) => definition.shareOf === name)
  if (object === undefined) return undefined
  const parent = object.fields.find(({ definition }) => definition.masterDetail !== undefined)!
  const level = object.fields.find(({ name: field }) => field.endsWith('AccessLevel'))!
  return { object, parent, level }
}

/** What a user owns: himself, by a queue, or by somebody below him in the hierarchy. */
function owned({ org, access }: Viewer, alias: string): Sql {
  const { owners, ownersByRole } = access
  const owner = sql.id(alias, 'ownerid')
  const known = sql`${owner} = any(${owners}::text[])`
  if (ownersByRole.length === 0) return known
  return sql`${known} or ${owner} in (select u.id from ${sql.id(org.schemaName, 'user')} u
                                      where u.userroleid = any(${ownersByRole}::text[]))`
}

/** What is shared with a user or his groups. */
function shared(
  { org, schema, access }: Viewer,
  name: string,
  alias: string,
  level: RowLevel,
  spread: Spread,
): Sql | undefined {
  const shares = sharesOf(schema, name)
  if (shares === undefined) return undefined
  const { object, parent, level: column } = shares
  const reference = sql.id('s', parent.column!)
  // Every share is enough to see a record.
  const enough =
    level === 'read'
      ? sql.raw('')
      : sql`and ${sql.id('s', column.column!)} = any(${ACCESS_LEVELS[level]}::text[])`
  const from = sql`from ${sql.id(org.schemaName, object.table)} s
                   where s.userorgroupid = any(${access.memberships}::text[]) and not s.isdeleted ${enough}`
  const id = sql.id(alias, 'id')
  return spread === 'few'
    ? sql`${id} = any(array(select ${reference} ${from}))`
    : sql`exists (select ${from} and ${reference} = ${id})`
}

/** A condition on the record behind a reference to one object, or to this one of several. */
function onMaster(
  viewer: Viewer,
  field: Field,
  target: ObjectType,
  alias: string,
  level: RowLevel,
): Sql | undefined {
  const inner = `${alias}_${target.table}`
  const rule = rowRule(viewer, target, inner, level)
  if (rule === undefined) return undefined
  const reference = sql.id(alias, field.column!)
  const found = sql`exists (select from ${sql.id(viewer.org.schemaName, target.table)} ${sql.id(inner)}
                            where ${sql.id(inner, 'id')} = ${reference} and ${rule})`
  if (field.referenceTo.length === 1) return found
  return sql`(left(${reference}, 3) <> ${target.keyPrefix} or ${found})`
}

/** Details go with each of their masters. */
function withMasters(viewer: Viewer, object: ObjectType, alias: string, level: RowLevel): Sql | undefined {
  const above = levelOnMaster(object, level)
  const rules = mastersOf(object).flatMap((field) =>
    field.referenceTo.flatMap((name) => {
      const target = viewer.schema.object(name)
      return (target && onMaster(viewer, field, target, alias, above)) ?? []
    }),
  )
  return rules.length === 0 ? undefined : sql`(${sql.join(rules, ' and ')})`
}

/**
 * The condition that a record meets which the viewer may see, edit or delete; undefined: every record may be. It is for
 * one row of the object's table under an alias, and part of the statement, so that no list is ever cut or sieved after
 * it was made.
 */
export function rowRule(
  viewer: Viewer,
  object: ObjectType,
  alias: string,
  level: RowLevel,
  spread: Spread = 'any',
): Sql | undefined {
  const whole = requireObject(viewer.schema, object.name)
  const rights = viewer.access.rightsOn(whole)
  if (!rights.read) return sql`false`
  if (rights.modifyAll || (rights.viewAll && level === 'read')) return undefined
  const sharing = sharingOf(whole)
  if (sharing === 'controlledByParent') return withMasters(viewer, whole, alias, level)
  if (isOpenTo(sharing, level) || whole.field('OwnerId') === undefined) return undefined
  const ways = [owned(viewer, alias), shared(viewer, whole.name, alias, level, spread) ?? []].flat()
  return sql`(${sql.join(ways, ' or ')})`
}
