import { Command } from 'commander'
import type { WorkCounts } from '../admin/work-handlers.ts'
import { UsageError } from './command/exit-codes.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { readBody } from './reach/record-pages.ts'
import { factsText, listText } from './result/list-text.ts'
import { addJsonFlag } from './result/outcome.ts'
import { printableLines } from './result/terminal-text.ts'
import type { Replayable } from './work/replay.ts'
import { makeFilter, newestCommand, replayCommand, type Work, workIn } from './work/work-command.ts'

const JOBS = '/setup/orgs/current/jobs'

const RUNS: Replayable = {
  path: JOBS,
  items: 'runs',
  owner: 'job',
  item: 'run',
}

interface Job extends WorkCounts {
  readonly name: string
  readonly cron: string | null
  readonly timeZone: string | null
}

interface Run {
  readonly id: string
  readonly job: string
  readonly status: string
  readonly attempts: number
  readonly queuedAt: string
  readonly lastAttemptAt: string | null
  readonly nextAttemptAt: string | null
  readonly isReplay: boolean
  readonly occurrence: string | null
  readonly userId: string
  readonly lastError: string | null
}

interface WholeRun extends Run {
  readonly payload: unknown
}

const list: Work = async (org, _flags, { terminal }) => {
  const jobs = await readBody<Job[]>(org.call('GET', JOBS))
  const titles = ['name', 'cron', 'time zone', 'queued', 'done', 'retrying', 'dead']
  const rows = jobs.map(({ name, cron, timeZone, queued, done, retrying, dead }) => [
    ...[name, cron, cron === null ? null : timeZone],
    ...[queued, done, retrying, dead],
  ])
  return { text: listText(terminal, titles, rows, 'The deployment has no jobs.'), answer: jobs }
}

const runs: Work = async (org, flags, { terminal }) => {
  const found = await readBody<Run[]>(org.call('GET', `${JOBS}/runs${makeFilter(flags, 'job')}`))
  const titles = ['id', 'queued', 'job', 'status', 'attempts', 'error']
  const rows = found.map(({ id, queuedAt, job, status, attempts, lastError }) => [
    ...[id, queuedAt, job, status],
    ...[attempts, lastError],
  ])
  return { text: listText(terminal, titles, rows, 'There are no such runs.'), answer: found }
}

function shownText(run: WholeRun): string {
  const { id, job, status, attempts, lastError, payload } = run
  const facts = factsText({
    job,
    status,
    attempts,
    queued: run.queuedAt,
    'in the name of': run.userId,
    occurrence: run.occurrence,
    'last attempt': run.lastAttemptAt,
    'next attempt': run.nextAttemptAt,
    replayed: run.isReplay ? 'yes' : null,
  })
  return [
    `${id}\n${facts}`,
    ...(lastError === null ? [] : [`error\n${printableLines(lastError)}\n`]),
    `payload\n${printableLines(JSON.stringify(payload, null, 2))}\n`,
  ].join('\n')
}

const show =
  (terminal: Terminal) =>
  (id: string, flags: Flags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      const path = `${JOBS}/runs/${encodeURIComponent(id)}`
      const answer = await readBody<WholeRun>(org.call('GET', path))
      return { text: shownText(answer), answer }
    })

function payloadIn({ payload }: Flags): unknown {
  if (payload === undefined) return null
  try {
    return JSON.parse(String(payload))
  } catch (error) {
    throw new UsageError(`--payload takes JSON, like '{"since":"2026-01-01"}': ${(error as Error).message}`)
  }
}

const run =
  (terminal: Terminal) =>
  (job: string, flags: Flags): Promise<void> =>
    workIn(terminal, flags, { code: true }, async (org) => {
      const path = `${JOBS}/${encodeURIComponent(job)}/run`
      const answer = await readBody<{ id: string }>(org.call('POST', path, { payload: payloadIn(flags) }))
      return { text: `Queued ${answer.id}. What becomes of it: objectry job show ${answer.id}\n`, answer }
    })

/** `objectry job list|runs|show|replay|run`: the background jobs of the deployment, and what became of their runs. */
export function jobCommand(terminal: Terminal): Command {
  const listing = new Command('list').description('Print the jobs, with how many runs each has.')
  const showing = new Command('show').description('Print everything of a run.').argument('<id>')
  const running = new Command('run')
    .description('Queue a run of a job now.')
    .argument('<job>', "the job's file without its ending")
    .option('--payload <json>', 'what the job is handed; default null')
  return new Command('job')
    .description('The background jobs of the deployment.')
    .addCommand(
      addOrgFlags(addJsonFlag(listing), ['deployment']).action((flags: Flags) =>
        workIn(terminal, flags, { code: true }, list),
      ),
    )
    .addCommand(newestCommand(terminal, RUNS, runs))
    .addCommand(addOrgFlags(addJsonFlag(showing)).action(show(terminal)))
    .addCommand(replayCommand(terminal, RUNS))
    .addCommand(addOrgFlags(addJsonFlag(running), ['deployment']).action(run(terminal)))
}
