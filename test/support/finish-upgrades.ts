import { setTimeout as sleep } from 'node:timers/promises'
import type { Observation } from '../../src/base/observation.ts'
import { stepSql } from '../../src/orgs/upgrades/step-store.sql.ts'
import type { UpgradeStep } from '../../src/orgs/upgrades/upgrade-step.ts'
import { UPGRADE_STEPS } from '../../src/orgs/upgrades/upgrade-steps.ts'
import { UpgradeWorker } from '../../src/orgs/upgrades/upgrade-worker.ts'
import { sharedEngine } from './engine.ts'
import type { TestOrg } from './org.ts'
import { SECRETS } from './secrets.ts'

/** A server's worker for upgrades, on the engine of the tests. It looks when it is asked to. */
export async function makeUpgradeWorker(
  steps: readonly UpgradeStep[] = UPGRADE_STEPS,
  observe: (observation: Observation) => void = () => {},
): Promise<UpgradeWorker> {
  const engine = await sharedEngine()
  const openMaintenance = () => engine.openMaintenance()
  return new UpgradeWorker({
    db: engine.db,
    openMaintenance,
    observe,
    secrets: SECRETS,
    steps,
  })
}

/** The steps that an org has left. */
export async function stepsLeft({ org, db }: Pick<TestOrg, 'org' | 'db'>): Promise<string[]> {
  const open = await db.query<{ id: string; step: string }>(stepSql.open)
  return open.flatMap(({ id, step }) => (id === org.id ? [step] : []))
}

/** Has a worker look until an org has no step left. */
export async function finishUpgrades(o: Pick<TestOrg, 'org' | 'db'>, worker?: UpgradeWorker): Promise<void> {
  const works = worker ?? (await makeUpgradeWorker())
  while ((await stepsLeft(o)).length > 0) await sleep(Math.min(await works.check(), 100))
}
