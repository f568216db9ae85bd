import { parse } from 'node:path'
import { ShapeOfFile } from '../shape-of-file.ts'
import type { LoadedModule } from '../threads/messages.ts'

const EXAMPLE = 'export default { async run(payload, org) {} }'

/** Maximum time limit of a run. */
const MAX_SECONDS = 3000
const DEFAULT_SECONDS = 300

/** Seconds to wait after each failed attempt. */
const RETRIES = [5, 30, 120, 600]
const MAX_RETRIES = 50
const MAX_RETRY = 30 * 24 * 3600

/** A file in the folder `jobs` of the deployment, without its functions. */
export interface JobFile {
  /** File name without extension, as `org.enqueue` names it. */
  readonly name: string
  readonly file: string
  /** Schedule as a cron expression of five fields; undefined when it only runs after `org.enqueue`. */
  readonly cron: string | undefined
  readonly timeZone: string
  /** Username of the run-as user; undefined for the user who enqueued it. */
  readonly runAs: string | undefined
  readonly seconds: number
  readonly retries: readonly number[]
  /** True if each operation is committed separately. */
  readonly alone: boolean
}

/** Seconds to wait after each failed attempt, as a file may say. */
export function readRetries(shape: ShapeOfFile, usual: readonly number[]): readonly number[] {
  const list = shape.list('retries') ?? usual
  const isDelay = (delay: unknown) => typeof delay === 'number' && delay >= 0 && delay <= MAX_RETRY
  if (list.length <= MAX_RETRIES && list.every(isDelay)) return list as number[]
  throw shape.wrong(
    `has retries that are not at most ${MAX_RETRIES} numbers of seconds from 0 to ${MAX_RETRY}`,
  )
}

function readCron(shape: ShapeOfFile): string | undefined {
  const cron = shape.text('cron')
  if (cron === undefined || /^(\S+\s+){4}\S+$/.test(cron.trim())) return cron?.trim()
  throw shape.wrong(`has the cron ${cron}; write minute, hour, day, month and weekday, like '0 6 * * 1'`)
}

function readTimeZone(shape: ShapeOfFile): string {
  const timeZone = shape.text('timeZone') ?? 'UTC'
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
  } catch {
    throw shape.wrong(`has the time zone ${timeZone}, which is not known; write one like 'Europe/Berlin'`)
  }
}

/**
 * Checks and returns the job that a file exports as its default.
 * @throws Error with the problem and a correct form
 */
export function readJob({ file, shape: exported }: LoadedModule): JobFile {
  const known = ['run', 'cron', 'timeZone', 'runAs', 'seconds', 'retries', 'transaction']
  const shape = new ShapeOfFile(`The job ${file}`, exported, known, EXAMPLE)
  if (!shape.isFunction('run')) throw shape.wrong(`does nothing; write: ${EXAMPLE}`)
  return {
    name: parse(file).name,
    file,
    cron: readCron(shape),
    timeZone: readTimeZone(shape),
    runAs: shape.text('runAs'),
    seconds: shape.number('seconds', 0.1, MAX_SECONDS) ?? DEFAULT_SECONDS,
    retries: readRetries(shape, RETRIES),
    alone: shape.flag('transaction') === false,
  }
}
