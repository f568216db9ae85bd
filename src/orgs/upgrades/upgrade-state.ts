import type { Db } from '../../storage/database/db.ts'
import { stepSql } from './step-store.sql.ts'
import { UPGRADE_STEPS } from './upgrade-steps.ts'

/** The progress of an org's upgrade. */
export interface UpgradeState {
  readonly state: 'done' | 'pending' | 'running' | 'failed'
  /** Number of steps, and how many of them are done. */
  readonly steps: number
  readonly done: number
  /** The current, next or failed step. */
  readonly step: string | null
  /** Progress of that step: 0 to 1. */
  readonly progress: number | null
  /** Error of its last try. */
  readonly error: string | null
}

interface StepRow {
  readonly orgId: string
  readonly name: string
  readonly state: UpgradeState['state']
  readonly progress: number
  readonly error: string | null
}

/** States by priority: a failure is always shown. */
const ORDER: readonly StepRow['state'][] = ['failed', 'running', 'pending']

/** Position of the step in the execution order. */
const getPosition = ({ name }: StepRow) => UPGRADE_STEPS.findIndex((step) => step.name === name)

function getState(rows: readonly StepRow[]): UpgradeState {
  const inOrder = rows.toSorted((a, b) => getPosition(a) - getPosition(b))
  const open = ORDER.flatMap((state) => inOrder.filter((row) => row.state === state))
  // A newer version may have requested more steps.
  const steps = Math.max(rows.length, UPGRADE_STEPS.length)
  const counts = { steps, done: steps - open.length }
  const [first] = open
  if (first === undefined) return { state: 'done', ...counts, step: null, progress: null, error: null }
  const { state, name: step, progress, error } = first
  return { state, ...counts, step, progress, error }
}

/** Loads the progress of upgrades by org id. */
export async function loadUpgradeStates(
  db: Db,
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, UpgradeState>> {
  const rows = Map.groupBy(await db.query<StepRow>(stepSql.ofOrgs(orgIds)), ({ orgId }) => orgId)
  return new Map(orgIds.map((id) => [id, getState(rows.get(id) ?? [])]))
}
