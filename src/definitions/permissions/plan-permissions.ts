import { getOrInsert } from '../../base/get-or-insert.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import type { PlannedStep } from '../../schema/change/deploy.ts'
import type { Obstacle } from '../../schema/change/step.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { RecordIds } from '../../storage/orgs/record-ids.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { compareGranted, type Difference } from './compare-granted.ts'
import { type Granted, type Holder, keyOf, OBJECT_OF } from './holder.ts'
import { loadHolders } from './load-holders.ts'
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
  const rows = await db.query<{ profileId: string; id: string }>(permissionsSql.administrators(org))
  const profiles = new Set(losing.map(({ holder }) => holder!.id))
  if (rows.some(({ profileId }) => !profiles.has(profileId))) return new Map()
  const users = Map.groupBy(rows, ({ profileId }) => profileId)
  return new Map([...users].map(([profile, found]) => [profile, found.map(({ id }) => id)]))
}

const planRemoval = ({ name }: Holder): PlannedStep => ({
  kind: 'destroy',
  object: OBJECT_OF.permissionSets,
  record: name,
  what: 'goes with its assignments',
  loses: 0,
  obstacles: [],
})

/**
 * Plans what makes an org's permission sets and profiles grant what their files say, and nothing else. Those without a file
 * stay as they are.
 * @param removed names of permission sets that go
 */
export async function planPermissions(
  files: DefinitionFiles,
  removed: readonly string[],
  tx: Db,
  org: Org,
  schema: SchemaSnapshot,
  planOnly: boolean,
): Promise<RecordChange> {
  const wanted = readPermissionFiles(files)
  if (wanted.length === 0 && removed.length === 0) return { steps: [], carryOut: async () => {} }
  const names = {
    permissionSets: [...Object.keys(files.permissionSets ?? {}), ...removed],
    profiles: Object.keys(files.profiles ?? {}),
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
  const goes = new Set(removed.map((name) => keyOf({ kind: 'permissionSets', name })))
  const gone = [...holders].flatMap(([key, found]) => (goes.has(key) ? found : []))
  const carryOut = async (author: Author) => {
    const ids = gone.map(({ id }) => id)
    if (ids.length > 0) for (const statement of permissionsSql.removeSets(org, ids)) await tx.query(statement)
    const writing = { db: tx, org, ids: new RecordIds(org, tx), author }
    for (const difference of differences) await writeDifference(writing, difference)
  }
  return { steps: [...gone.map(planRemoval), ...steps], carryOut }
}
