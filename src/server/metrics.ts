import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Observation } from '../base/observation.ts'
import type { Exposition } from '../http/server/metrics-endpoint.ts'
import { CounterSeries, HistogramSeries } from './series.ts'

/** Upper bounds of buckets in seconds: from a single read to the longest call. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600]
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** Clients can send any method; each would create a separate series. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Metrics of the process, not of a server. Collecting them costs a little, so it starts with the first request for them. */
let ofProcess: Registry | undefined
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

const NONE = () => ({})

/**
 * Observations as Prometheus metrics. Labels have few values: no org, no user, nothing that clients choose. Series for each
 * statement and request are our own: prom-client would take a twentieth of the time of a read for them.
 */
export class Metrics implements Exposition {
  readonly #registry = new Registry()
  readonly contentType = this.#registry.contentType
  readonly #requests = new CounterSeries('objectry_requests_total', 'Requests that were answered.')
  readonly #requestSeconds = new HistogramSeries(
    'objectry_request_seconds',
    'How long requests took to be answered.',
    REQUEST_SECONDS,
  )
  /** Its count is the number of statements. */
  readonly #statementSeconds = new HistogramSeries(
    'objectry_statement_seconds',
    'How long statements were waited for, with the wait for a connection.',
    STATEMENT_SECONDS,
  )
  readonly #slowStatements = new Counter({
    name: 'objectry_slow_statements_total',
    help: 'Statements that took as long as OBJECTRY_SLOW_STATEMENT_MS.',
    registers: [this.#registry],
  })
  readonly #pendingUpgrades = new Gauge({
    name: 'objectry_upgrade_pending_orgs',
    help: 'Orgs whose upgrade has steps left, over all servers of the database.',
    registers: [this.#registry],
  })
  readonly #failedUpgrades = new Gauge({
    name: 'objectry_upgrade_failed_steps',
    help: 'Steps of upgrades whose last try failed, over all servers of the database.',
    registers: [this.#registry],
  })
  readonly #failures = new Counter({
    name: 'objectry_failures_total',
    help: 'Failures that the log tells of: our own, or the database does not answer.',
    registers: [this.#registry],
  })

  readonly #blocks = new Counter({
    name: 'objectry_event_loop_blocks_total',
    help: 'How often the event loop was blocked for longer than a second.',
    registers: [this.#registry],
  })
  readonly #blockedSeconds = new Counter({
    name: 'objectry_event_loop_blocked_seconds_total',
    help: 'How long those blocks took.',
    registers: [this.#registry],
  })

  readonly #runningJobs = new Gauge({
    name: 'objectry_bulk_running_jobs',
    help: 'Bulk jobs that this server works on.',
    registers: [this.#registry],
  })
  readonly #endedJobs = new Counter({
    name: 'objectry_bulk_jobs_total',
    help: 'Bulk jobs that ended.',
    labelNames: ['kind', 'state'],
    registers: [this.#registry],
  })
  readonly #jobRows = new Counter({
    name: 'objectry_bulk_rows_total',
    help: 'Rows that bulk jobs wrote or refused, and records that they read.',
    labelNames: ['kind', 'outcome'],
    registers: [this.#registry],
  })
  readonly #chunkSeconds = new HistogramSeries(
    'objectry_bulk_chunk_seconds',
    'How long the transactions of bulk jobs took.',
    REQUEST_SECONDS,
  )

  /** @param running returns the number of running calls */
  constructor(running: () => number) {
    new Gauge({
      name: 'objectry_running_calls',
      help: 'Calls that are being carried out.',
      registers: [this.#registry],
      collect() {
        this.set(running())
      },
    })
  }

  readonly observe = (observation: Observation): void => {
    switch (observation.kind) {
      case 'request': {
        const { endpoint, route, status, milliseconds } = observation
        const method = METHODS.includes(observation.method) ? observation.method : 'other'
        const location = `${endpoint} ${route}`
        this.#requests.add(`${location} ${method} ${status}`, () => ({ endpoint, route, method, status }))
        this.#requestSeconds.observe(location, () => ({ endpoint, route }), milliseconds / 1000)
        return
      }
      case 'statement':
        this.#statementSeconds.observe('', NONE, observation.milliseconds / 1000)
        if (observation.isSlow) this.#slowStatements.inc()
        return
      case 'failure':
      case 'stray':
        this.#failures.inc()
        return
      case 'blocked':
        this.#blocks.inc()
        this.#blockedSeconds.inc(observation.milliseconds / 1000)
        return
      case 'bulk jobs':
        this.#runningJobs.set(observation.running)
        return
      case 'bulk chunk': {
        const { work, rows, failed, milliseconds } = observation
        this.#jobRows.inc({ kind: work, outcome: work === 'query' ? 'read' : 'written' }, rows - failed)
        if (failed > 0) this.#jobRows.inc({ kind: work, outcome: 'failed' }, failed)
        this.#chunkSeconds.observe(work, () => ({ kind: work }), milliseconds / 1000)
        return
      }
      case 'bulk end':
        this.#endedJobs.inc({ kind: observation.work, state: observation.state })
        return
      case 'upgrades':
        this.#pendingUpgrades.set(observation.pendingOrgs)
        this.#failedUpgrades.set(observation.failedSteps)
    }
  }

  async text(): Promise<string> {
    const series = [this.#requests, this.#requestSeconds, this.#statementSeconds, this.#chunkSeconds]
    const lines = series.flatMap((one) => one.lines()).join('\n')
    const [own, process] = await Promise.all([this.#registry.metrics(), processMetrics().metrics()])
    return `${lines}\n\n${own}\n${process}`
  }
}
