import type { Db } from '../../storage/database/db.ts'
import { stepSql } from './step-store.sql.ts'
import { UPGRADE_STEPS } from './upgrade-steps.ts'

/** How far the upgrade of an org is. */
export interface UpgradeState {
  readonly state: 'done' | 'pending' | 'running' | 'failed'
  /** How many steps it has, and how many of them are done. */
  readonly steps: number
  readonly done: number
  /** The step that is being carried out, is next or has failed. */
  readonly step: string | null
  /** How much of that step is done: 0 to 1. */
  readonly progress: number | null
  /** Why its last try failed. */
  readonly error: string | null
}

interface StepRow {
  readonly orgId: string
  readonly name: string
  readonly state: UpgradeState['state']
  readonly progress: number
  readonly error: string | null
}

/** What is shown first: a failure hides behind nothing. */
const ORDER: readonly StepRow['state'][] = ['failed', 'running', 'pending']

/** In the order in which they are carried out. */
const findLocation = ({ name }: StepRow) => UPGRADE_STEPS.findIndex((step) => step.name === name)

function stateOf(rows: readonly StepRow[]): UpgradeState {
  const inOrder = rows.toSorted((a, b) => findLocation(a) - findLocation(b))
  const open = ORDER.flatMap((state) => inOrder.filter((row) => row.state === state))
  // A newer version may have asked for more.
  const steps = Math.max(rows.length, UPGRADE_STEPS.length)
  const counts = { steps, done: steps - open.length }
  const [first] = open
  if (first === undefined) return { state: 'done', ...counts, step: null, progress: null, error: null }
  const { state, name: step, progress, error } = first
  return { state, ...counts, step, progress, error }
}

/** How far the upgrades of orgs are, by the ids of the orgs. */
export async function loadUpgradeStates(
  db: Db,
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, UpgradeState>> {
  const rows = Map.groupBy(await db.query<StepRow>(stepSql.ofOrgs(orgIds)), ({ orgId }) => orgId)
  return new Map(orgIds.map((id) => [id, stateOf(rows.get(id) ?? [])]))
}
