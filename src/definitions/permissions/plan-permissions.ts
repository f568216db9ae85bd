import { getOrInsert } from '../../base/get-or-insert.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import type { PlannedStep } from '../../schema/change/deploy.ts'
import type { Obstacle } from '../../schema/change/step.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { RecordIds } from '../../storage/orgs/record-ids.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { PERMISSION_KINDS } from '../formats/permission-rights.ts'
import { compareGranted, type Difference } from './compare-granted.ts'
import { type Granted, type Holder, keyOf, OBJECT_OF } from './holder.ts'
import { type HolderNames, loadHolders } from './load-holders.ts'
import { readPermissionFiles } from './permission-files.ts'
import { type Author, permissionsSql } from './permissions.sql.ts'
import { writeDifference } from './write-difference.ts'

/** Maximum number of ids that are reported of records that prevent a change. */
const MAX_REPORTED = 5

/** A change of records that a deployment brings, carried out in the name of its author. */
export interface RecordChange {
  readonly steps: readonly PlannedStep[]
  readonly carryOut: (author: Author) => Promise<unknown>
}

const makeObstacle = (ids: readonly string[], message: string): Obstacle[] =>
  ids.length === 0 ? [] : [{ rows: ids.length, ids: ids.slice(0, MAX_REPORTED), message }]

function* compareAll(
  wanted: readonly Granted[],
  holders: ReadonlyMap<string, readonly Holder[]>,
): Generator<void, { readonly difference: Difference; readonly namesakes: readonly Holder[] }[]> {
  const found = []
  for (const granted of wanted) {
    const namesakes = holders.get(keyOf(granted)) ?? []
    const difference = compareGranted(namesakes[0], granted)
    if (difference !== undefined) found.push({ difference, namesakes })
    yield
  }
  return found
}

const isAdministrating = ({ system }: Granted) =>
  system.has('ManageUsers') && system.has('CustomizeApplication')

interface UserRow {
  readonly id: string
  readonly profileId: string
}

/** Ids of users by the id of their profile. */
function groupByProfile(rows: readonly UserRow[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, ({ profileId }) => profileId)
  return new Map([...groups].map(([profile, users]) => [profile, users.map(({ id }) => id)]))
}

/** The profiles that have the org's last administrators, who would be none afterwards. */
async function findLastAdministrators(
  db: Db,
  org: Org,
  differences: readonly Difference[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const losing = differences.filter(
    ({ wanted, holder }) => wanted.kind === 'profiles' && holder !== undefined && !isAdministrating(wanted),
  )
  if (losing.length === 0) return new Map()
  const rows = await db.query<UserRow>(permissionsSql.administrators(org))
  const profiles = new Set(losing.map(({ holder }) => holder!.id))
  if (rows.some(({ profileId }) => !profiles.has(profileId))) return new Map()
  return groupByProfile(rows)
}

/** Users by their profile, of profiles that go. Nobody gets one of these until the transaction ends. */
async function findUsers(
  db: Db,
  org: Org,
  gone: readonly Holder[],
  lock: boolean,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const profiles = gone.filter(({ kind }) => kind === 'profiles').map(({ id }) => id)
  if (profiles.length === 0) return new Map()
  if (lock) await db.query(permissionsSql.lockProfiles(org, profiles))
  return groupByProfile(await db.query<UserRow>(permissionsSql.usersOf(org, profiles)))
}

const planRemoval = ({ kind, name }: Holder, users: readonly string[] = []): PlannedStep => ({
  kind: 'destroy',
  object: OBJECT_OF[kind],
  record: name,
  what: kind === 'profiles' ? 'goes' : 'goes with its assignments',
  loses: 0,
  obstacles: makeObstacle(users, 'of users with this profile; give them another one first'),
})

/**
 * Plans what makes an org's permission sets and profiles grant what their files say, and nothing else. Those without a file
 * stay as they are.
 * @param removed names of permission sets and profiles that go
 */
export async function planPermissions(
  files: DefinitionFiles,
  removed: HolderNames,
  tx: Db,
  org: Org,
  schema: SchemaSnapshot,
  planOnly: boolean,
): Promise<RecordChange> {
  const wanted = readPermissionFiles(files)
  const isEmpty = Object.values(removed).every(({ length }) => length === 0)
  if (wanted.length === 0 && isEmpty) return { steps: [], carryOut: async () => {} }
  const names = {
    permissionSets: [...Object.keys(files.permissionSets ?? {}), ...removed.permissionSets],
    profiles: [...Object.keys(files.profiles ?? {}), ...removed.profiles],
  }
  const holders = new Map<string, Holder[]>()
  for (const holder of await loadHolders(tx, org, schema, { names, lock: !planOnly })) {
    getOrInsert(holders, keyOf(holder), () => []).push(holder)
  }
  const compared = await runInSlices(() => compareAll(wanted, holders))
  const differences = compared.map(({ difference }) => difference)
  const last = await findLastAdministrators(tx, org, differences)
  const steps = compared.map(({ difference, namesakes }): PlannedStep => {
    const { kind, name } = difference.wanted
    const { holder, what } = difference
    const twins = namesakes.length > 1 ? namesakes.map(({ id }) => id) : []
    const users = (holder && last.get(holder.id)) ?? []
    return {
      kind: holder === undefined ? 'add' : 'change',
      object: OBJECT_OF[kind],
      record: name,
      what,
      loses: 0,
      obstacles: [
        ...makeObstacle(twins, 'with this name; rename all but one'),
        ...makeObstacle(users, 'of users with this profile; no other user could set up the org'),
      ],
    }
  })
  const goes = new Set(PERMISSION_KINDS.flatMap((kind) => removed[kind].map((name) => keyOf({ kind, name }))))
  const gone = [...holders].flatMap(([key, found]) => (goes.has(key) ? found : []))
  const users = await findUsers(tx, org, gone, !planOnly)
  const carryOut = async (author: Author) => {
    const sets = gone.flatMap(({ setId }) => setId ?? [])
    if (sets.length > 0)
      for (const statement of permissionsSql.removeSets(org, sets)) await tx.query(statement)
    const profiles = gone.filter(({ kind }) => kind === 'profiles').map(({ id }) => id)
    if (profiles.length > 0) await tx.query(permissionsSql.remove(org, 'profile', profiles))
    const writing = { db: tx, org, ids: new RecordIds(org, tx), author }
    for (const difference of differences) await writeDifference(writing, difference)
  }
  return { steps: [...gone.map((holder) => planRemoval(holder, users.get(holder.id))), ...steps], carryOut }
}
