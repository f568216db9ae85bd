import { optionalEnvelopeOf } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { JOB_LOG } from '../scripting/jobs/enqueue-job.ts'
import { noneOfThat } from './none-of-that.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'
import { countWork, workHandlers } from './work-handlers.ts'

/** Of a run what is told only when it is asked for alone. */
interface WholeRun {
  /** As JSON. */
  readonly payload: string
}

const shown = ({ payload, ...rest }: WholeRun) => ({ ...rest, payload: JSON.parse(payload) })

/** Background jobs, and what became of their runs. */
export const jobRoutes = (platform: Platform): readonly Route[] => {
  const { code, queue } = platform
  const noSuch = 'There is no such run of a job'
  const runs = workHandlers(platform, { log: JOB_LOG, owner: 'job', noSuch, shown })

  /** Also of those that the deployment has no longer: their runs are still there. */
  const list: Handler<{ org: string }> = async (ctx, _call, { org }) => {
    await checkOrg(ctx, org)
    const jobs = code.current?.jobs
    const counts = await countWork(ctx, JOB_LOG, jobs?.all.map(({ name }) => name) ?? [])
    const body = [...counts].map(([name, count]) => {
      const { cron = null, timeZone = null } = jobs?.named(name) ?? {}
      return { name, cron, timeZone, ...count }
    })
    return { status: 200, body }
  }

  const run: Handler<{ org: string; job: string }> = async (ctx, call, { org, job }) => {
    await checkOrg(ctx, org)
    const jobs = code.current?.jobs
    if (jobs?.named(job) === undefined) throw noneOfThat('job', job, jobs?.all)
    const payload = optionalEnvelopeOf(call, ['payload']).value('payload') ?? null
    // Its tables are made outside of any transaction.
    await queue.open()
    const id = await ctx.db.transaction((db) => ctx.background.enqueue({ ...ctx, db }, job, payload, {}))
    return { status: 201, body: { id } }
  }

  return [
    route('GET', '/orgs/:org/jobs', 'setup', list),
    route('GET', '/orgs/:org/jobs/runs', 'setup', runs.list),
    route('GET', '/orgs/:org/jobs/runs/:id', 'setup', runs.show),
    route('POST', '/orgs/:org/jobs/runs/:id/replay', 'setup', runs.replay),
    route('POST', '/orgs/:org/jobs/replay', 'setup', runs.replayAll),
    route('POST', '/orgs/:org/jobs/:job/run', 'setup', run),
  ]
}
