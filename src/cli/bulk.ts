import { Command, InvalidArgumentError, Option } from 'commander'
import type { JobState } from '../bulk/jobs/job.ts'
import { UsageError } from './command/exit-codes.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { factsText, listText } from './result/list-text.ts'
import { addJsonFlag } from './result/outcome.ts'
import { printableLines } from './result/terminal-text.ts'
import { type Work, workIn } from './work/work-command.ts'

const KINDS = ['ingest', 'query'] as const

type Kind = (typeof KINDS)[number]

/** A job as the API has it. (docs/reference/api/bulk-jobs.md#job) */
interface Job {
  readonly id: string
  readonly jobType: string
  readonly operation: string
  readonly object: string
  readonly state: string
  readonly createdById: string
  readonly createdDate: string
  readonly systemModstamp: string
  readonly externalIdFieldName?: string
  readonly numberRecordsProcessed: number
  /** Of an ingest job. */
  readonly numberRecordsFailed?: number
  readonly retries: number
  readonly totalProcessingTime: number
  readonly errorMessage?: string
}

interface JobPage {
  readonly records: readonly Job[]
  readonly nextRecordsUrl: string | null
}

/** The states of a job, which `bulk list` chooses by. (docs/reference/api/bulk-jobs.md#job) */
const STATES = [
  'Open',
  'UploadComplete',
  'InProgress',
  'JobComplete',
  'Failed',
  'Aborted',
] as const satisfies JobState[]

const DEFAULT_LIMIT = 50

/** @returns the state as the API spells it */
function parseState(text: string): string {
  const state = STATES.find((one) => one.toLowerCase() === text.toLowerCase())
  if (state === undefined) throw new InvalidArgumentError(`Allowed choices are ${STATES.join(', ')}.`)
  return state
}

function limitIn({ limit }: Flags): number {
  if (limit === undefined) return DEFAULT_LIMIT
  const number = Number(limit)
  if (Number.isInteger(number) && number > 0) return number
  throw new UsageError(`--limit takes a whole number from 1 on, not ${String(limit)}`)
}

/** Every job of a kind: seven days have a few pages. */
async function fetchJobs(org: ReachedOrg, kind: Kind, signal: AbortSignal): Promise<Job[]> {
  const jobs: Job[] = []
  for (let path: string | null = `/jobs/${kind}`; path !== null; ) {
    signal.throwIfAborted()
    const page: JobPage = await readBody<JobPage>(org.call('GET', path))
    jobs.push(...page.records)
    path = page.nextRecordsUrl
  }
  return jobs
}

const list: Work = async (org, flags, { terminal, signal }) => {
  const limit = limitIn(flags)
  const { state } = flags
  const all: Job[] = []
  for (const kind of KINDS) all.push(...(await fetchJobs(org, kind, signal)))
  const found = all
    .filter((job) => state === undefined || job.state === state)
    .sort((one, other) => other.createdDate.localeCompare(one.createdDate) || (one.id < other.id ? 1 : -1))
    .slice(0, limit)
  const rows = found.map((job) => [
    ...[job.id, job.createdDate, job.operation, job.object, job.state],
    ...[job.numberRecordsProcessed, job.numberRecordsFailed ?? 0],
  ])
  const titles = ['id', 'created', 'operation', 'object', 'state', 'processed', 'failed']
  return { text: listText(terminal, titles, rows, 'There are no such jobs.'), answer: found }
}

/** The address of a job, whose id does not tell its kind. */
async function findJob(org: ReachedOrg, id: string): Promise<{ readonly path: string; readonly job: Job }> {
  const path = (kind: Kind) => `/jobs/${kind}/${encodeURIComponent(id)}`
  const reply = await org.call('GET', path('ingest'))
  if (reply.status !== 404) return { path: path('ingest'), job: await readBody<Job>(Promise.resolve(reply)) }
  return { path: path('query'), job: await readBody<Job>(org.call('GET', path('query'))) }
}

function shownText(job: Job): string {
  const facts = factsText({
    operation: job.operation,
    object: job.object,
    'external id': job.externalIdFieldName,
    state: job.state,
    created: job.createdDate,
    changed: job.systemModstamp,
    'in the name of': job.createdById,
    processed: job.numberRecordsProcessed,
    failed: job.numberRecordsFailed,
    retries: job.retries,
    'processing time': `${(job.totalProcessingTime / 1000).toFixed(1)} s`,
  })
  const { errorMessage } = job
  const error = errorMessage === undefined ? '' : `\nerror\n${printableLines(errorMessage)}\n`
  return `${job.id}\n${facts}${error}`
}

const show =
  (terminal: Terminal) =>
  (id: string, flags: Flags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      const { job } = await findJob(org, id)
      return { text: shownText(job), answer: job }
    })

const abort =
  (terminal: Terminal) =>
  (id: string, flags: Flags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      const { path } = await findJob(org, id)
      const job = await readBody<Job>(org.call('PATCH', path, { state: 'Aborted' }))
      return { text: `${job.id} is aborted.\n`, answer: job }
    })

/** `objectry bulk list|show|abort`: the bulk jobs of an org. */
export function bulkCommand(terminal: Terminal): Command {
  const listing = new Command('list')
    .description('Print the newest bulk jobs.')
    .addOption(new Option('--state <state>', 'of this state only').choices(STATES).argParser(parseState))
    .option('--limit <number>', `how many at most; default ${DEFAULT_LIMIT}`)
  const showing = new Command('show').description('Print what became of a bulk job.').argument('<id>')
  const aborting = new Command('abort')
    .description('Abort a bulk job; what it has written stays.')
    .argument('<id>')
  return new Command('bulk')
    .description('The bulk jobs of an org.')
    .addCommand(addOrgFlags(addJsonFlag(listing)).action((flags: Flags) => workIn(terminal, flags, {}, list)))
    .addCommand(addOrgFlags(addJsonFlag(showing)).action(show(terminal)))
    .addCommand(addOrgFlags(addJsonFlag(aborting)).action(abort(terminal)))
}
