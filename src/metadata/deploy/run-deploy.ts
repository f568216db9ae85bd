import { type ApiError, serverTooBusy } from '../../base/api-error.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { toApiError } from '../../calls/dispatch.ts'
import { isRead } from '../../importers/source-format/project/source-file.ts'
import type { Db } from '../../storage/database/db.ts'
import { faultError } from '../../storage/database/fault-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { loadArchive } from '../archive/load-archive.ts'
import { parseFiles } from '../archive/parse-files.ts'
import { readArchive } from '../archive/read-archive.ts'
import { namesDeletions } from '../archive/read-manifests.ts'
import { changeOrg, PlanOutdated } from './change-org.ts'
import { deploySql } from './deploy.sql.ts'
import type { Deploy, Outcome } from './deploy.ts'
import { checkMayDeploy } from './may-deploy.ts'
import { planDeploy } from './plan-deploy.ts'
import type { DeployServices, Running } from './running-deploy.ts'

/** How often a deployment is planned again because others came in between. */
const MAX_ATTEMPTS = 5

/** Someone has canceled the deployment: nothing of it may be committed. */
class Canceled extends Error {}

/** Stores the outcome, in the transaction of the change where there is one. */
async function save({ org, deploy, now }: Running, db: Db, outcome: Outcome): Promise<void> {
  const keepsArchive = deploy.options.checkOnly && outcome.status === 'Succeeded'
  const [ended] = await db.query(deploySql.end(org, deploy.id, outcome, keepsArchive, now()))
  if (ended === undefined) throw new Canceled()
}

/**
 * Looks again whether the user may deploy: between the call and now the right may have been taken away.
 * @throws ApiError INSUFFICIENT_ACCESS
 */
async function checkStillMay({ services, org, deploy }: Running): Promise<void> {
  const { snapshots, callers } = services.runtimeOf(org)
  snapshots.expire()
  checkMayDeploy(await callers.of(deploy.userId))
}

async function carryOut(running: Running): Promise<void> {
  const { services, org, deploy, now } = running
  await checkStillMay(running)
  const bytes = await loadArchive(services.db, org, deploy.id)
  const texts = await readArchive(bytes, (path) => isRead(path) || namesDeletions(path))
  const files = await runInSlices(() => parseFiles(texts))
  for (let attempt = 1; ; attempt++) {
    const plan = await planDeploy(running, files)
    const total = plan.components.length + plan.deletions.length
    await services.db.query(deploySql.setTotal(org, deploy.id, total, now()))
    let isSaved = false
    try {
      const outcome = await changeOrg(running, plan, async (tx, ended) => {
        await save(running, tx, ended)
        isSaved = true
      })
      if (!isSaved) await save(running, services.db, outcome)
      return
    } catch (error) {
      if (!(error instanceof PlanOutdated) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** The end of a deployment that failed as a whole. */
const failure = ({ code, message }: ApiError): Outcome => ({
  status: 'Failed',
  components: [],
  error: { code, message },
})

/** Carries out a deployment, and again where a process ended on the way: it is committed with its outcome, or not at all. */
export async function runDeploy(services: DeployServices, org: Org, id: string): Promise<void> {
  const { db, clockOf, observe } = services
  const now = () => clockOf(org.id)().toISOString()
  const [deploy] = await db.query<Deploy>(deploySql.begin(org, id, now()))
  if (deploy === undefined) {
    await db.query(deploySql.endCanceled(org, id, now()))
    return
  }
  const running = { services, org, deploy, now }
  try {
    await carryOut(running)
  } catch (error) {
    if (error instanceof Canceled) await db.query(deploySql.endCanceled(org, id, now()))
    // The database is away, or a lock is held for long: the queue tries again.
    else if (faultError(error) !== undefined) throw error
    else {
      const refused = error instanceof PlanOutdated ? serverTooBusy() : toApiError(error, { observe })
      await db.query(deploySql.end(org, id, failure(refused), false, now()))
      await db.query(deploySql.endCanceled(org, id, now()))
    }
  }
}
