import type { User } from '../auth/users/users.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { requireObject } from '../schema/snapshot/snapshot.ts'
import type { Db } from '../storage/database/db.ts'
import { guardOf } from './guards.ts'
import type { ObjectRights } from './rights.ts'
import { findShares, linkRule, rowRule, type Viewer } from './row-rules.sql.ts'
import {
  ACCESS_LEVELS,
  FILE,
  FILE_LINK,
  getMasters,
  getSharing,
  isOpenTo,
  levelOnMaster,
  type RowLevel,
} from './sharing.ts'
import { whySql } from './why.sql.ts'

/** Tells whether a user may perform an operation on a record, and why. */
interface Verdict {
  readonly what: 'see' | 'edit' | 'delete'
  readonly allowed: boolean
  readonly because: readonly string[]
}

/** The user and the org to explain access for. */
interface ExplainContext extends Viewer {
  readonly db: Db
  readonly user: User
}

interface Facts extends Readonly<Record<RowLevel, boolean>> {
  readonly isDeleted: boolean
  readonly name: string | null
  readonly ownerId: string | null
  readonly ownerName: string | null
  readonly ownerRole: string | null
  readonly ownerRoleId: string | null
}

type Wanted = {
  readonly what: Verdict['what']
  readonly right: keyof ObjectRights & ('read' | 'edit' | 'delete')
  readonly level: RowLevel
}

const WANTED: readonly Wanted[] = [
  { what: 'see', right: 'read', level: 'read' },
  { what: 'edit', right: 'edit', level: 'edit' },
  { what: 'delete', right: 'delete', level: 'full' },
]

const SHARING_WORDS = {
  readWrite: 'public: everybody who has the object sees and edits all its records',
  read: 'public to read: everybody who has the object sees all its records',
  private: 'private: records are seen by their owners, those above them, and whom they are shared with',
  controlledByParent: 'seen and edited with the record that it belongs to',
} as const

const quoted = (name: string | null, id: string) => (name === null ? id : `"${name}" (${id})`)

async function loadSourceNames(
  { db, org, user }: ExplainContext,
  object: string,
  right: string,
): Promise<string> {
  const rows = await db.query<{ name: string }>(whySql.sources(org, user.id, user.profileId, object, right))
  return rows.map(({ name }, index) => (index === 0 ? name : name.replace('The', 'the'))).join(' and ')
}

/** Where the right on the object comes from, or what is missing. */
async function explainRight(
  explained: ExplainContext,
  object: ObjectType,
  right: Wanted['right'],
): Promise<string> {
  const { access, user } = explained
  const { name } = object
  const guard = guardOf(object.definition)
  const allowed = access.rightsOn(object)[right]
  if (guard !== undefined) {
    const needed = right === 'read' ? guard.read : guard.write
    if (needed === undefined) return `Everybody may read ${name} records`
    return `It takes ${needed} to ${right} ${name} records, which ${user.name} ${allowed ? 'has' : 'lacks'}`
  }
  const { shareOf = object.definition.historyOf } = object.definition
  if (shareOf !== undefined) {
    return `What ${user.name} may do with ${name} records follows from ${shareOf}`
  }
  if (access.has('ModifyAllData')) return `${user.name} has ModifyAllData`
  if (right === 'read' && access.has('ViewAllData')) return `${user.name} has ViewAllData`
  const named = right[0]!.toUpperCase() + right.slice(1)
  if (!allowed) return `Neither the profile nor a permission set of ${user.name} grants ${named} on ${name}`
  const sources = await loadSourceNames(explained, name, named)
  return sources === ''
    ? `Another right that ${user.name} has on ${name} brings ${named} with it`
    : `${sources} ${sources.includes(' and ') ? 'grant' : 'grants'} ${named} on ${name}`
}

/** The reasons for access to a record of an object with owners. */
async function explainOwnership(
  explained: ExplainContext,
  object: ObjectType,
  id: string,
  facts: Facts,
  level: RowLevel,
): Promise<string[]> {
  const { db, org, schema, access, user } = explained
  const said: string[] = []
  const { ownerId, ownerName, ownerRole, ownerRoleId } = facts
  if (ownerId === user.id) said.push(`${user.name} owns it`)
  else if (ownerId !== null && access.memberships.includes(ownerId)) {
    said.push(`The queue ${ownerName}, of which ${user.name} is a member, owns it`)
  } else if (ownerRoleId !== null && access.rolesBelow.includes(ownerRoleId)) {
    said.push(`Its owner ${ownerName} has the role ${ownerRole}, which is below that of ${user.name}`)
  }
  const share = findShares(schema, object.name)
  if (share !== undefined) {
    type Share = { level: string; groupName: string | null }
    const rows = await db.query<Share>(whySql.shares(org, share, id, access.memberships))
    for (const { level: given, groupName } of rows) {
      const enough = (ACCESS_LEVELS[level] as readonly string[]).includes(given)
      const whom =
        groupName === null ? user.name : `the group ${groupName}, of which ${user.name} is a member`
      said.push(`It is shared with ${whom} (${given}${enough ? '' : ', which is not enough'})`)
    }
  }
  return said
}

/** The links of a file, sufficient or not. */
async function explainLinks(explained: ExplainContext, id: string, level: RowLevel): Promise<string[]> {
  if (level === 'full') return []
  const { db, org, schema } = explained
  const links = requireObject(schema, FILE_LINK)
  type Link = { locationId: string; shareType: string | null; enough: boolean }
  const rows = await db.query<Link>(whySql.links(org, links, id, linkRule(explained, links, 'l', level)))
  return rows.map(({ locationId, shareType, enough }) => {
    const location = schema.objectOfId(locationId)?.name ?? 'a record'
    return `A link (${shareType}) puts it at ${location} ${locationId}${enough ? '' : ', which is not enough'}`
  })
}

async function explainMasters(
  explained: ExplainContext,
  object: ObjectType,
  id: string,
  level: RowLevel,
): Promise<string[]> {
  const said: string[] = []
  for (const field of getMasters(object)) {
    const [row] = await explained.db.query<{ id: string | null }>(
      whySql.reference(explained.org, object, field, id),
    )
    const parentId = row?.id
    const parent = parentId == null ? undefined : explained.schema.objectOfId(parentId)
    if (parentId == null || parent === undefined) continue
    const facts = await loadFacts(explained, parent, parentId)
    said.push(`It goes with ${parent.name} ${quoted(facts?.name ?? null, parentId)}`)
    if (facts !== undefined)
      said.push(...(await explainRow(explained, parent, parentId, facts, levelOnMaster(object, level))))
  }
  return said
}

/** The reasons why the user has access to a record, or why not. */
async function explainRow(
  explained: ExplainContext,
  object: ObjectType,
  id: string,
  facts: Facts,
  level: RowLevel,
): Promise<string[]> {
  const { access, user } = explained
  const rights = access.rightsOn(object)
  if (guardOf(object.definition) !== undefined || access.has('ModifyAllData')) return []
  if (rights.modifyAll) return [`${user.name} may modify all ${object.name} records`]
  if (rights.viewAll && level === 'read') return [`${user.name} may view all ${object.name} records`]
  const sharing = getSharing(object)
  if (sharing === 'controlledByParent') return explainMasters(explained, object, id, level)
  const isOwned = object.field('OwnerId') !== undefined
  if (isOpenTo(sharing, level) || !isOwned)
    return [`${object.name} is ${isOwned ? SHARING_WORDS[sharing] : 'an object without owners'}`]
  const ways = await explainOwnership(explained, object, id, facts, level)
  if (object.name === FILE) ways.push(...(await explainLinks(explained, id, level)))
  if (facts[level]) return ways
  const owner = facts.ownerName === null ? facts.ownerId : facts.ownerName
  const who =
    level === 'full'
      ? 'Only its owner, those above, and whom it is shared with as All may do that'
      : object.name === FILE
        ? `${FILE} is seen by its owner, those above, and where a link puts it`
        : `${object.name} is ${SHARING_WORDS[sharing]}`
  return [
    who,
    `Its owner is ${owner}${facts.ownerRole === null ? ', who has no role' : `, whose role is ${facts.ownerRole}`}`,
    ...ways,
    `None of this reaches ${user.name}`,
  ]
}

async function loadFacts(
  explained: ExplainContext,
  object: ObjectType,
  id: string,
): Promise<Facts | undefined> {
  const rule = (level: RowLevel) => rowRule(explained, object, 'r', level)
  const rules = { read: rule('read'), edit: rule('edit'), full: rule('full') }
  const [facts] = await explained.db.query<Facts>(whySql.record(explained.org, object, id, rules))
  return facts
}

/** Describes the rights of a user on a record. */
export interface Explanation {
  readonly object: string
  readonly name: string | null
  readonly verdicts: readonly Verdict[]
}

/**
 * Explains what a user may do with a record. The verdicts come from the rules that statements use; the reasons come from
 * the records that these rules read.
 * @returns undefined when the record does not exist
 */
export async function explainAccess(explained: ExplainContext, id: string): Promise<Explanation | undefined> {
  const named = explained.schema.objectOfId(id)
  if (named === undefined) return undefined
  const object = requireObject(explained.schema, named.name)
  const facts = await loadFacts(explained, object, id)
  if (facts === undefined) return undefined
  const verdicts: Verdict[] = []
  for (const { what, right, level } of WANTED) {
    const hasRight = explained.access.rightsOn(object)[right]
    const isAble = hasRight && facts[level] && (!facts.isDeleted || what === 'see')
    const because = [await explainRight(explained, object, right)]
    if (hasRight) because.push(...(await explainRow(explained, object, id, facts, level)))
    if (facts.isDeleted) because.push('It is in the recycle bin')
    verdicts.push({ what, allowed: isAble, because })
  }
  return { object: object.name, name: facts.name, verdicts }
}
