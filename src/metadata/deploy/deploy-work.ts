import type { Context } from '../../context.ts'
import type { JobQueue } from '../../jobs/job-queue.ts'
import { LazyWorker } from '../../jobs/lazy-worker.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { DeployServices } from './running-deploy.ts'

/** The queue of deployments. */
export const DEPLOY_QUEUE = 'deploys'

interface Options extends DeployServices {
  readonly queue: JobQueue
  readonly hosts: Pick<OrgHosts, 'find'>
}

/** Deploys archives in this process, one at a time: a deployment may use much memory. */
export class DeployWork {
  readonly #worker: LazyWorker

  constructor(options: Options) {
    const { queue, observe, hosts } = options
    this.#worker = new LazyWorker({
      ...{ queue, observe },
      name: DEPLOY_QUEUE,
      title: 'Deployments',
      max: 1,
      async carryOut({ orgId, recordId }) {
        const org = await hosts.find(orgId)
        if (org === undefined) return
        // Loaded with the first deployment.
        const { runDeploy } = await import('./run-deploy.ts')
        await runDeploy(options, org, recordId)
      },
    })
  }

  /** Takes up deployments that a process has left. */
  begin(): void {
    this.#worker.begin()
  }

  readonly open: Context['deploys']['open'] = () => this.#worker.open()

  readonly queue: Context['deploys']['queue'] = (db, org, id) => this.#worker.send(db, org, id)

  /** Begins no further deployment. The queue waits for the running one. */
  async close(): Promise<void> {
    this.#worker.close()
  }
}
