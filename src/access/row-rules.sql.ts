import { type Sql, sql } from '../base/sql.ts'
import type { Field } from '../schema/fields/field.ts'
import { historyName } from '../schema/fields/tracked-field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { records } from '../schema/objects/records.sql.ts'
import { table } from '../schema/objects/table.sql.ts'
import { requireObject, type SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { Access } from './access.ts'
import {
  ACCESS_LEVELS,
  FILE,
  FILE_LINK,
  getMasters,
  getPrivacy,
  getSharing,
  isOpenTo,
  levelOnMaster,
  mayLackMasters,
  type RowLevel,
} from './sharing.ts'
import { describesObjects, ofVisibleDefinitions } from './visible-definitions.sql.ts'
import { visibleTo } from './visible-to.ts'

/** `and` with the condition, if there is one. */
export const only = (rule: Sql | undefined): Sql => (rule === undefined ? sql.raw('') : sql`and ${rule}`)

/**
 * The condition that no row meets. It is not a constant: Citus leaves out a table in which there can be no row, and the version of its
 * rows (`xmin`) with it. PostgreSQL reads no row for it either.
 */
const noRow = (alias: string): Sql => sql`${sql.id(alias, 'id')} = any('{}'::text[])`

/**
 * How many records of the object the viewer sees. Few are looked up by an index; otherwise each record that a statement
 * reads is checked.
 */
export type Spread = 'few' | 'any'

/** The user that a rule is for, with the schema and org. */
export interface Viewer {
  readonly org: Org
  /** Unrestricted: a rule may read fields that its user may not. */
  readonly schema: SchemaSnapshot
  readonly access: Access
}

/** The share records of an object, if it has any. */
export function findShares(
  schema: SchemaSnapshot,
  name: string,
): { object: ObjectType; parent: Field; level: Field } | undefined {
  const object = schema.objects.find(({ definition }) => definition.shareOf === name)
  if (object === undefined) return undefined
  const parent = object.fields.find(({ definition }) => definition.masterDetail !== undefined)!
  const level = object.fields.find(({ name: field }) => field.endsWith('AccessLevel'))!
  return { object, parent, level }
}

/** Records owned by the user, by a queue of the user, or by a user below in the hierarchy. */
function owned({ org, access }: Viewer, alias: string): Sql {
  const { owners, ownersByRole } = access
  const owner = sql.id(alias, 'ownerid')
  const known = sql`${owner} = any(${owners}::text[])`
  if (ownersByRole.length === 0) return known
  return sql`${known} or ${owner} in (select u.id from ${sql.id(org.schemaName, 'user')} u
                                      where u.userroleid = any(${ownersByRole}::text[]))`
}

/** Records shared with a user or with the user's groups. */
function shared(
  { org, schema, access }: Viewer,
  name: string,
  alias: string,
  level: RowLevel,
  spread: Spread,
): Sql | undefined {
  const shares = findShares(schema, name)
  if (shares === undefined) return undefined
  const { object, parent, level: column } = shares
  const reference = sql.id('s', parent.column!)
  // Any share level grants read access.
  const enough =
    level === 'read'
      ? sql.raw('')
      : sql`and ${sql.id('s', column.column!)} = any(${ACCESS_LEVELS[level]}::text[])`
  const from = sql`from ${table(org, object)} s
                   where s.userorgroupid = any(${access.memberships}::text[]) and not s.isdeleted ${enough}`
  const id = sql.id(alias, 'id')
  return spread === 'few'
    ? sql`${id} = any(array(select ${reference} ${from}))`
    : sql`exists (select ${from} and ${reference} = ${id})`
}

/** The alias of a table in a subquery, which refers to no more than the directly enclosing alias. */
const nestedAlias = (alias: string) => (alias === 'm' ? 'n' : 'm')

/** A condition on the target of a reference, or for a polymorphic reference on targets of this object. */
function onMaster(
  viewer: Viewer,
  field: Field,
  target: ObjectType,
  alias: string,
  level: RowLevel,
): Sql | undefined {
  const inner = nestedAlias(alias)
  const rule = rowRule(viewer, target, inner, level)
  if (rule === undefined) return undefined
  const reference = sql.id(alias, field.column!)
  const found = sql`exists (select from ${records(viewer.org, target, inner)}
                            where ${sql.id(inner, 'id')} = ${reference} and ${rule})`
  if (field.referenceTo.length === 1) return found
  return sql`(left(${reference}, 3) <> ${target.keyPrefix} or ${found})`
}

/**
 * Conditions on the target of a reference, whichever of the objects it may point to it is. Those of which the viewer may
 * see nothing are one condition: there may be hundreds.
 */
function onMasters(
  viewer: Viewer,
  field: Field,
  names: readonly string[],
  alias: string,
  level: RowLevel,
): Sql[] {
  const targets = names.flatMap((name) => viewer.schema.object(name) ?? [])
  const hidden = targets.length === 1 ? [] : targets.filter((target) => !viewer.access.rightsOn(target).read)
  const rules = targets.flatMap((target) =>
    hidden.includes(target) ? [] : (onMaster(viewer, field, target, alias, level) ?? []),
  )
  if (hidden.length === 0) return rules
  const prefixes = hidden.map(({ keyPrefix }) => keyPrefix)
  return [sql`left(${sql.id(alias, field.column!)}, 3) <> all(${prefixes}::text[])`, ...rules]
}

/** Objects of the link targets that are users or groups. */
const PEOPLE = ['Group', 'User']

/**
 * The access to a file by a link to a record: read access to the record includes the file; a collaborator link (C) also
 * lets readers of the record edit the file, and an inferred link (I) lets its editors edit it.
 */
function byLocation(viewer: Viewer, target: ObjectType, link: string, level: RowLevel): Sql | undefined {
  const inner = nestedAlias(link)
  const at = sql`left(${sql.id(link, 'linkedentityid')}, 3) = ${target.keyPrefix}`
  const where = (needed: RowLevel) => {
    const rule = rowRule(viewer, target, inner, needed)
    if (rule === undefined) return at
    return sql`${at} and exists (select from ${records(viewer.org, target, inner)}
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

/** True if the viewer may read all records of an object. */
const isOpen = (viewer: Viewer, target: ObjectType) =>
  viewer.access.rightsOn(target).read && rowRule(viewer, target, 'm', 'read') === undefined

/** The condition for links that give the viewer read or edit access to their file. */
export function linkRule(viewer: Viewer, links: ObjectType, link: string, level: 'read' | 'edit'): Sql {
  // A link `I` to a user marks a current or former owner and grants nothing.
  const given = level === 'read' ? sql`is distinct from 'I'` : sql`= 'C'`
  const ways: (Sql | Sql[])[] = [
    sql`${sql.id(link, 'linkedentityid')} = any(${viewer.access.memberships}::text[])
        and ${sql.id(link, 'sharetype')} ${given}`,
  ]
  const open: string[] = []
  for (const name of links.field('LinkedEntityId')!.referenceTo) {
    const target = PEOPLE.includes(name) ? undefined : viewer.schema.object(name)
    if (target === undefined) continue
    if (level === 'read' && isOpen(viewer, target)) open.push(target.keyPrefix)
    else ways.push(byLocation(viewer, target, link, level) ?? [])
  }
  // Objects whose records are all visible are one condition: there may be hundreds.
  if (open.length > 0) ways.push(sql`left(${sql.id(link, 'linkedentityid')}, 3) = any(${open}::text[])`)
  return sql`(${sql.join(ways.flat(), ' or ')})`
}

/** Access to files by their links to records, users and groups. */
function linked(viewer: Viewer, alias: string, level: RowLevel): Sql | undefined {
  const links = viewer.schema.object(FILE_LINK)
  if (links === undefined || level === 'full') return undefined
  const link = nestedAlias(alias)
  return sql`exists (select from ${table(viewer.org, links)} ${sql.id(link)}
                     where ${sql.id(link, 'contentdocumentid')} = ${sql.id(alias, 'id')}
                       and not ${sql.id(link, 'isdeleted')} and ${linkRule(viewer, links, link, level)})`
}

/**
 * Who may delete a link: users with edit access to the file; for a link to a record also users who can edit the record
 * and read the file.
 */
function unlinking(viewer: Viewer, links: ObjectType, alias: string): Sql | undefined {
  const [location, file] = getMasters(links)
  const onFile = (level: RowLevel) =>
    onMaster(viewer, file!, requireObject(viewer.schema, FILE), alias, level) ?? sql`true`
  const records = location!.referenceTo.filter((name) => !PEOPLE.includes(name))
  const targets = records.flatMap((name) => viewer.schema.object(name) ?? [])
  const prefixes = targets.map(({ keyPrefix }) => keyPrefix)
  const onPlace = onMasters(viewer, location!, records, alias, 'edit')
  const atRecord = sql`left(${sql.id(alias, location!.column!)}, 3) = any(${prefixes}::text[])`
  return sql`(${onFile('edit')} or ${sql.join([atRecord, onFile('read'), ...onPlace], ' and ')})`
}

/** Private records are visible to their owner, and some to those above the owner. */
function unlessPrivate(viewer: Viewer, alias: string, privacy: 'owner' | 'above'): Sql {
  const isOwn =
    privacy === 'above'
      ? owned(viewer, alias)
      : sql`${sql.id(alias, 'ownerid')} = any(${viewer.access.memberships}::text[])`
  return sql`(${sql.id(alias, 'isprivate')} is not true or ${isOwn})`
}

/** Access to details requires access to each of their masters that they have. */
function withMasters(viewer: Viewer, object: ObjectType, alias: string, level: RowLevel): Sql | undefined {
  const above = levelOnMaster(object, level)
  const rules = getMasters(object).flatMap((field) => {
    const own = onMasters(viewer, field, field.referenceTo, alias, above)
    if (own.length === 0 || !mayLackMasters(object)) return own
    return [sql`(${sql.id(alias, field.column!)} is null or ${sql.join(own, ' and ')})`]
  })
  return rules.length === 0 ? undefined : sql`(${sql.join(rules, ' and ')})`
}

const sees = ({ schema, access }: Viewer, { name }: ObjectType, field: Field): boolean =>
  visibleTo(access, schema).object(name)?.field(field.name) !== undefined

/** Changes of fields that the viewer may not see do not exist for the viewer. */
function ofVisibleFields(viewer: Viewer, object: ObjectType, alias: string): Sql | undefined {
  const hidden = object.fields.filter((field) => !sees(viewer, object, field))
  if (hidden.length === 0) return undefined
  return sql`${sql.id(alias, 'field')} <> all(${hidden.map(historyName)}::text[])`
}

/** The condition that the viewer sees the name of the record whose id a history holds as JSON text. */
function seesName(viewer: Viewer, targets: readonly ObjectType[], json: Sql, alias: string): Sql {
  const id = sql`btrim(${json}, '"')`
  const open = targets.filter((target) => isOpen(viewer, target)).map(({ keyPrefix }) => keyPrefix)
  const ways = targets.flatMap((target) => {
    if (open.includes(target.keyPrefix) || !viewer.access.rightsOn(target).read) return []
    const rule = rowRule(viewer, target, alias, 'read') ?? sql`true`
    return [
      sql`exists (select from ${records(viewer.org, target, alias)}
                  where ${sql.id(alias, 'id')} = ${id} and ${rule})`,
    ]
  })
  return sql`(${sql.join([sql`${json} is null`, sql`left(${id}, 3) = any(${open}::text[])`, ...ways], ' or ')})`
}

/**
 * A change of a reference has a row with names and one with ids. The names of records that the viewer may not see, or that are gone, do
 * not exist for the viewer, the ids do.
 */
function ofVisibleNames(viewer: Viewer, history: ObjectType, alias: string): Sql[] {
  const object = requireObject(viewer.schema, history.definition.historyOf!)
  const [parent] = getMasters(history)
  const ids = nestedAlias(alias)
  const same = [parent!.column!, 'field', 'createddate'].map(
    (column) => sql`${sql.id(ids, column)} = ${sql.id(alias, column)}`,
  )
  // The row with the ids is the next one of the same field: a record's changes have ids in their order.
  const next = sql`select ${sql.id(ids, 'oldvalue')}, ${sql.id(ids, 'newvalue')}
                   from ${table(viewer.org, history)} ${sql.id(ids)}
                   where ${sql.join(same, ' and ')} and ${sql.id(ids, 'datatype')} = 'EntityId'
                     and ${sql.id(ids, 'id')} > ${sql.id(alias, 'id')} order by ${sql.id(ids, 'id')} limit 1`
  return object.fields.flatMap((field) => {
    if (field.type.refers !== true || field.column === undefined) return []
    const targets = field.referenceTo.flatMap((name) => viewer.schema.object(name) ?? [])
    const named = targets.filter((target) => seesNameField(viewer, target))
    if (named.length === targets.length && named.every((target) => isOpen(viewer, target))) return []
    const [was, is] = ['oldvalue', 'newvalue'].map((column) =>
      seesName(viewer, named, sql.id(ids, column), nestedAlias(ids)),
    )
    return [
      sql`(${sql.id(alias, 'datatype')} <> 'Text' or ${sql.id(alias, 'field')} <> ${historyName(field)}
           or not exists (select from (${next}) ${sql.id(ids)} where not (${was!} and ${is!})))`,
    ]
  })
}

const seesNameField = (viewer: Viewer, target: ObjectType): boolean =>
  target.nameField === undefined || sees(viewer, target, target.nameField)

/** The condition for the changes of a history that the viewer may see, once its record is visible. */
function ofVisibleChanges(viewer: Viewer, history: ObjectType, alias: string): Sql | undefined {
  const { historyOf } = history.definition
  if (historyOf === undefined || history.field('Field') === undefined) return undefined
  const rules = [
    ofVisibleFields(viewer, requireObject(viewer.schema, historyOf), alias) ?? [],
    ...ofVisibleNames(viewer, history, alias),
  ].flat()
  return rules.length === 0 ? undefined : sql.join(rules, ' and ')
}

/**
 * The condition for records that the viewer may read, edit or delete; undefined when all may be. It applies to a row of
 * the object's table under an alias. Being part of the statement, it never needs results to be filtered afterwards.
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
  if (!rights.read) return noRow(alias)
  if (describesObjects(whole.name)) return ofVisibleDefinitions(viewer, whole.name, alias)
  const visible = ofVisibleChanges(viewer, whole, alias)
  if (rights.modifyAll || (rights.viewAll && level === 'read')) return visible
  const ofRecords = sharingRule(viewer, whole, alias, level, spread)
  const rule = visible === undefined ? ofRecords : sql`(${visible} ${only(ofRecords)})`
  const privacy = getPrivacy(whole)
  if (privacy === undefined) return rule
  return sql`(${unlessPrivate(viewer, alias, privacy)} ${only(rule)})`
}

/** The sharing rule for viewers who may not see all records of the object. */
function sharingRule(
  viewer: Viewer,
  whole: ObjectType,
  alias: string,
  level: RowLevel,
  spread: Spread,
): Sql | undefined {
  const sharing = getSharing(whole)
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
