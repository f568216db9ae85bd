import { readOptionalEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { JOB_LOG } from '../scripting/jobs/enqueue-job.ts'
import { checkOrg } from './orgs.ts'
import { noneOfThat, type Platform } from './platform.ts'
import { countWork, workHandlers } from './work-handlers.ts'

/** Properties of a run that only its own resource shows. */
interface RunDetails {
  /** As JSON. */
  readonly payload: string
}

const shown = ({ payload, ...rest }: RunDetails) => ({ ...rest, payload: JSON.parse(payload) })

/** Lists background jobs and their runs, and replays runs. */
export const jobRoutes = (platform: Platform): readonly Route[] => {
  const { code, queue } = platform
  const noSuch = 'There is no such run of a job'
  const runs = workHandlers(platform, { log: JOB_LOG, owner: 'job', noSuch, shown })

  /** Includes jobs that were removed from the deployment, because their runs still exist. */
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
    const payload = readOptionalEnvelope(call, ['payload']).value('payload') ?? null
    // Its tables are created outside of any transaction.
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
