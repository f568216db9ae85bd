import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { NO_VERSION, stepSql } from './step-store.sql.ts'
import type { UpgradeStep } from './upgrade-step.ts'
import { UPGRADE_STEPS } from './upgrade-steps.ts'

export const versionOf = ({ version }: UpgradeStep) => version ?? NO_VERSION

/** Versions of completed steps by name. */
export type DoneSteps = Readonly<Record<string, string>>

/** Requests all background steps of an upgrade. */
export async function requestSteps(db: Db, org: Org): Promise<void> {
  for (const step of UPGRADE_STEPS) await requestStep(db, org, step)
}

/** Requests one step, even if the org has already completed it. */
export const requestStep = (db: Db, org: Org, step: UpgradeStep): Promise<unknown> =>
  db.query(stepSql.ask(org, step.name, versionOf(step)))

/** Marks all steps as completed for a new org. */
export async function noteStepsDone(db: Db, org: Org): Promise<void> {
  for (const step of UPGRADE_STEPS) await db.query(stepSql.noteDone(org, step.name, versionOf(step)))
}

export async function loadDoneSteps(db: Db, org: Org): Promise<DoneSteps> {
  const rows = await db.query<{ name: string; version: string }>(stepSql.done(org))
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]))
}

/** Waits for the running batch and prevents others until the transaction ends. Call it before taking other locks. */
export async function holdSteps(tx: Db, org: Org): Promise<void> {
  await tx.query(stepSql.hold(org))
}

/** Requests the steps that a restored state has not completed; completed steps stay done. */
export async function requestMissingSteps(db: Db, org: Org, had: DoneSteps): Promise<void> {
  const lacking = UPGRADE_STEPS.filter((step) => had[step.name] !== versionOf(step))
  if (lacking.length === 0) return
  await db.query(
    stepSql.forget(
      org,
      lacking.map(({ name }) => name),
    ),
  )
  for (const step of lacking) await requestStep(db, org, step)
}
