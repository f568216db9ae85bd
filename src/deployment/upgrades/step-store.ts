import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { NO_VERSION, stepSql } from './step-store.sql.ts'
import type { UpgradeStep } from './upgrade-step.ts'
import { UPGRADE_STEPS } from './upgrade-steps.ts'

export const versionOf = ({ version }: UpgradeStep) => version ?? NO_VERSION

/** Steps that an org has had, by name, with their versions. */
export type DoneSteps = Readonly<Record<string, string>>

/** Has the background carry out what an upgrade leaves to it. */
export async function askForSteps(db: Db, org: Org): Promise<void> {
  for (const step of UPGRADE_STEPS) await askForStep(db, org, step)
}

/** Has one step carried out, once more if the org has had it. */
export const askForStep = (db: Db, org: Org, step: UpgradeStep): Promise<unknown> =>
  db.query(stepSql.ask(org, step.name, versionOf(step)))

/** For a new org: it was made with everything. */
export async function noteStepsDone(db: Db, org: Org): Promise<void> {
  for (const step of UPGRADE_STEPS) await db.query(stepSql.noteDone(org, step.name, versionOf(step)))
}

export async function loadDoneSteps(db: Db, org: Org): Promise<DoneSteps> {
  const rows = await db.query<{ name: string; version: string }>(stepSql.done(org))
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]))
}

/** Waits for the batch under way, and lets none begin before the transaction ends. Before anything else is held. */
export async function holdSteps(tx: Db, org: Org): Promise<void> {
  await tx.query(stepSql.hold(org))
}

/** Has the steps carried out again that a state of the org has not had; what it has had stays done. */
export async function returnToSteps(db: Db, org: Org, had: DoneSteps): Promise<void> {
  const lacking = UPGRADE_STEPS.filter((step) => had[step.name] !== versionOf(step))
  if (lacking.length === 0) return
  await db.query(
    stepSql.forget(
      org,
      lacking.map(({ name }) => name),
    ),
  )
  for (const step of lacking) await askForStep(db, org, step)
}
