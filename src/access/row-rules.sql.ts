import { type Sql, sql } from '../base/sql.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { Access } from './access.ts'
import {
  ACCESS_LEVELS,
  FILE,
  FILE_LINK,
  isOpenTo,
  levelOnMaster,
  mastersOf,
  mayBePrivate,
  type RowLevel,
  sharingOf,
} from './sharing.ts'

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

/** The alias of a table one level further in: no more than the one around it is ever named there. */
const inside = (alias: string) => (alias === 'm' ? 'n' : 'm')

/** A condition on the record behind a reference to one object, or to this one of several. */
function onMaster(
  viewer: Viewer,
  field: Field,
  target: ObjectType,
  alias: string,
  level: RowLevel,
): Sql | undefined {
  const inner = inside(alias)
  const rule = rowRule(viewer, target, inner, level)
  if (rule === undefined) return undefined
  const reference = sql.id(alias, field.column!)
  const found = sql`exists (select from ${sql.id(viewer.org.schemaName, target.table)} ${sql.id(inner)}
                            where ${sql.id(inner, 'id')} = ${reference} and ${rule})`
  if (field.referenceTo.length === 1) return found
  return sql`(left(${reference}, 3) <> ${target.keyPrefix} or ${found})`
}

/** Where files can be that are with people. */
const PEOPLE = ['Group', 'User']

/**
 * How much of a file a link gives somebody by the record that it puts it at: whoever sees the record sees the file,
 * edits it as a collaborator (C), and where nothing else is said (I) as he edits the record.
 */
function byLocation(viewer: Viewer, target: ObjectType, link: string, level: RowLevel): Sql | undefined {
  const inner = inside(link)
  const at = sql`left(${sql.id(link, 'linkedentityid')}, 3) = ${target.keyPrefix}`
  const where = (needed: RowLevel) => {
    const rule = rowRule(viewer, target, inner, needed)
    if (rule === undefined) return at
    return sql`${at} and exists (select from ${sql.id(viewer.org.schemaName, target.table)} ${sql.id(inner)}
                                 where ${sql.id(inner, 'id')} = ${sql.id(link, 'linkedentityid')} and ${rule})`
  }
  const rights = viewer.access.rightsOn(target)
  if (!rights.read) return undefined
  if (level === 'read') return sql`(${where('read')})`
  const shareType = sql.id(link, 'sharetype')
  const asCollaborator = sql`${shareType} = 'C' and ${where('read')}`
  return rights.edit
    ? sql`(${asCollaborator} or ${shareType} = 'I' and ${where('edit')})`
    : sql`(${asCollaborator})`
}

/** The condition that a link meets which lets somebody see or edit its file. */
export function linkRule(viewer: Viewer, links: ObjectType, link: string, level: 'read' | 'edit'): Sql {
  // With a person `I` says that he owns the file, or did: nothing is given by it.
  const given = level === 'read' ? sql`is distinct from 'I'` : sql`= 'C'`
  const ways = [
    sql`${sql.id(link, 'linkedentityid')} = any(${viewer.access.memberships}::text[])
        and ${sql.id(link, 'sharetype')} ${given}`,
  ]
  for (const name of links.field('LinkedEntityId')!.referenceTo) {
    const target = PEOPLE.includes(name) ? undefined : viewer.schema.object(name)
    const way = target && byLocation(viewer, target, link, level)
    if (way !== undefined) ways.push(way)
  }
  return sql`(${sql.join(ways, ' or ')})`
}

/** What is given of a file by the records that it is at, and the people that it is with. */
function linked(viewer: Viewer, alias: string, level: RowLevel): Sql | undefined {
  const links = viewer.schema.object(FILE_LINK)
  if (links === undefined || level === 'full') return undefined
  const link = inside(alias)
  return sql`exists (select from ${sql.id(viewer.org.schemaName, links.table)} ${sql.id(link)}
                     where ${sql.id(link, 'contentdocumentid')} = ${sql.id(alias, 'id')}
                       and not ${sql.id(link, 'isdeleted')} and ${linkRule(viewer, links, link, level)})`
}

/**
 * Who may take a file away from where it is: whoever edits the file; from a record also whoever edits that, if he sees
 * the file.
 */
function unlinking(viewer: Viewer, links: ObjectType, alias: string): Sql | undefined {
  const [location, file] = mastersOf(links)
  const onFile = (level: RowLevel) =>
    onMaster(viewer, file!, requireObject(viewer.schema, FILE), alias, level) ?? sql`true`
  const records = location!.referenceTo.filter((name) => !PEOPLE.includes(name))
  const targets = records.flatMap((name) => viewer.schema.object(name) ?? [])
  const prefixes = targets.map(({ keyPrefix }) => keyPrefix)
  const onPlace = targets.flatMap((target) => onMaster(viewer, location!, target, alias, 'edit') ?? [])
  const atRecord = sql`left(${sql.id(alias, location!.column!)}, 3) = any(${prefixes}::text[])`
  return sql`(${onFile('edit')} or ${sql.join([atRecord, onFile('read'), ...onPlace], ' and ')})`
}

/** Notes and attachments that are private are their owner's, whoever sees the record that they hang on. */
const unlessPrivate = ({ access }: Viewer, alias: string): Sql =>
  sql`(${sql.id(alias, 'isprivate')} is not true or ${sql.id(alias, 'ownerid')} = any(${access.memberships}::text[]))`

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
  const rule = sharingRule(viewer, whole, alias, level, spread)
  if (!mayBePrivate(whole)) return rule
  return sql`(${unlessPrivate(viewer, alias)} ${only(rule)})`
}

/** What remains to be asked of whoever may not see all records of the object anyway. */
function sharingRule(
  viewer: Viewer,
  whole: ObjectType,
  alias: string,
  level: RowLevel,
  spread: Spread,
): Sql | undefined {
  const sharing = sharingOf(whole)
  if (sharing === 'controlledByParent') {
    return whole.name === FILE_LINK && level === 'full'
      ? unlinking(viewer, whole, alias)
      : withMasters(viewer, whole, alias, level)
  }
  if (isOpenTo(sharing, level) || whole.field('OwnerId') === undefined) return undefined
  const link = whole.name === FILE ? linked(viewer, alias, level) : undefined
  const ways = [
    owned(viewer, alias),
    shared(viewer, whole.name, alias, level, spread) ?? [],
    link ?? [],
  ].flat()
  return sql`(${sql.join(ways, ' or ')})`
}
