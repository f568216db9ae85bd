/** Gauges whose sum would mean nothing: each process has its own, with its number as label. */
const PER_PROCESS = /^(?:nodejs_eventloop_lag_|process_start_time_seconds$)/

/** Gauges of what all processes see alike: the largest is shown. */
const SHARED = ['objectry_upgrade_pending_orgs', 'objectry_upgrade_failed_steps', 'nodejs_version_info']

/** The series of one metric. */
interface Family {
  readonly help: string
  readonly type: string
  /** Values by name and labels, as they are written. */
  readonly values: Map<string, number>
}

type Families = Map<string, Family>

/** Reads metrics as our processes write them: the lines HELP and TYPE before each metric, no timestamps. */
function parse(text: string): Families {
  const families: Families = new Map()
  let help = ''
  let current: Family | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('# HELP ')) help = line
    else if (line.startsWith('# TYPE ')) {
      const [, , name, type] = line.split(' ')
      current = { help, type: type!, values: new Map() }
      families.set(name!, current)
    } else if (line !== '') {
      const end = line.lastIndexOf(' ')
      current?.values.set(line.slice(0, end), Number(line.slice(end + 1)))
    }
  }
  return families
}

function addLabel(series: string, label: string): string {
  return series.endsWith('}') ? `${series.slice(0, -1)},${label}}` : `${series}{${label}}`
}

const add = (a: number, b: number) => a + b

function merge(into: Families, name: string, { help, type, values }: Family, number?: number): void {
  let family = into.get(name)
  if (family === undefined) {
    family = { help, type, values: new Map() }
    into.set(name, family)
  }
  const isLabelled = number !== undefined && PER_PROCESS.test(name)
  const combine = SHARED.includes(name) ? Math.max : add
  for (const [series, value] of values) {
    const key = isLabelled ? addLabel(series, `process="${number}"`) : series
    const known = family.values.get(key)
    family.values.set(key, known === undefined ? value : combine(known, value))
  }
}

function format(families: Families): string {
  const lines = [...families].flatMap(([name, { help, type, values }]) => [
    help,
    `# TYPE ${name} ${type}`,
    ...[...values].map(([series, value]) => `${series} ${Number.isNaN(value) ? 'NaN' : value}`),
  ])
  return `${lines.join('\n')}\n`
}

/**
 * Adds up the metrics of several processes, in Prometheus' text format. What a process that ended had counted is kept:
 * a counter that went down would count as one that began again.
 */
export class MetricsSum {
  readonly #ended: Families = new Map()
  readonly #latest = new Map<number, Families>()

  /** Takes the metrics of a process instead of its previous ones. */
  put(number: number, text: string): void {
    this.#latest.set(number, parse(text))
  }

  /** The process has ended: its gauges are forgotten, its counters are kept. */
  end(number: number): void {
    for (const [name, family] of this.#latest.get(number) ?? []) {
      if (family.type !== 'gauge') merge(this.#ended, name, family)
    }
    this.#latest.delete(number)
  }

  /** @param more further metrics in the same format */
  text(more: string): string {
    const families: Families = new Map()
    for (const [number, latest] of this.#latest) {
      for (const [name, family] of latest) merge(families, name, family, number)
    }
    for (const [name, family] of [...this.#ended, ...parse(more)]) merge(families, name, family)
    return format(families)
  }
}
