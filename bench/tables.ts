import type { Measure, Side } from './load.ts'
import { median } from './median.ts'
import type { StartResult } from './starts.ts'
import type { Workload } from './workloads.ts'

/** The measured rounds of a workload, by side. */
export interface Result {
  readonly workload: Workload
  readonly connections: number
  readonly rounds: Readonly<Partial<Record<Side['name'], readonly Measure[]>>>
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
const head = (names: readonly string[]) => [row(names), `|${'---|'.repeat(names.length)}`]

const digits = (value: number) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const middle = (measures: readonly Measure[], read: (measure: Measure) => number) =>
  median(measures.map(read))

/** Milliseconds per request: `0.21 + 0.05`, the second one the database's where it is a process of its own. */
function cpuText(measures: readonly Measure[]): string {
  const server = middle(measures, (m) => m.serverCpu).toFixed(3)
  if (measures[0]!.databaseCpu === undefined) return server
  return `${server} + ${middle(measures, (m) => m.databaseCpu!).toFixed(3)}`
}

/** Of server and database together. */
const totalCpu = ({ serverCpu, databaseCpu }: Measure) => serverCpu + (databaseCpu ?? 0)

/** Round by round, because both sides of a round ran on the same machine at about the same time. */
const ratiosOf = (measures: readonly Measure[], { rounds: { baseline } }: Result) =>
  measures.map(({ rate }, round) => rate / baseline![round]!.rate)

const ratios = (result: Result) => ratiosOf(result.rounds.ours!, result)

const ratioText = (values: readonly number[]) =>
  `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}..${Math.max(...values).toFixed(2)})`

const title = ({ workload, connections }: Result) => `${workload.title}, ${connections} at once`

/** All figures of each workload. */
export function makeDetails(results: readonly Result[]): string[] {
  const names = [
    'work',
    'ours/s',
    'baseline/s',
    'ours / baseline',
    'ours p50, p99 ms',
    'baseline p50, p99 ms',
  ]
  const cpu = ['CPU ms per request, ours server + database', 'the same, baseline']
  return [
    ...head([...names, ...cpu]),
    ...results.map((result) => {
      const [ours, baseline] = [result.rounds.ours!, result.rounds.baseline!]
      const times = (measures: readonly Measure[]) =>
        `${digits(middle(measures, (m) => m.p50))}, ${digits(middle(measures, (m) => m.p99))}`
      return row([
        title(result),
        digits(middle(ours, (m) => m.rate)),
        digits(middle(baseline, (m) => m.rate)),
        ratioText(ratios(result)),
        times(ours),
        times(baseline),
        cpuText(ours),
        cpuText(baseline),
      ])
    }),
  ]
}

const verdict = (required: boolean, goal: boolean) => (goal ? 'goal' : required ? 'required' : 'no')

/** The table of what is required and what was measured. */
export function makeTable(results: readonly Result[], starts: readonly StartResult[]): string[] {
  return [
    ...head([
      'work',
      'CPU ms per request, baseline server + database',
      'the same, ours',
      'ours / baseline per second, median (min..max)',
      'required',
      'goal',
      'met',
    ]),
    ...results.map((result) => {
      const { required, goal } = result.workload.target!
      const found = ratios(result)
      return row([
        title(result),
        cpuText(result.rounds.baseline!),
        cpuText(result.rounds.ours!),
        ratioText(found),
        required.toFixed(2),
        goal.toFixed(2),
        verdict(median(found) >= required, median(found) >= goal),
      ])
    }),
    ...starts.map(({ title: what, unit, value, required, goal }) => {
      const met = verdict(value <= required, value <= goal)
      return row([what, '', `${digits(value)} ${unit}`, '', `${required} ${unit}`, `${goal} ${unit}`, met])
    }),
  ]
}

/** Ours against another checkout: processor time per request, which a busy machine changes less than the rate. */
export function makeComparison(results: readonly Result[]): string[] {
  const show = (measures: readonly Measure[]) =>
    `${cpuText(measures)} (${Math.min(...measures.map(totalCpu)).toFixed(3)})`
  return [
    ...head([
      'work',
      'CPU ms per request, ours (lowest round)',
      'the same, other',
      'ours / other',
      'ours / other per second',
    ]),
    ...results.map((result) => {
      const [ours, other] = [result.rounds.ours!, result.rounds.other!]
      return row([
        title(result),
        show(ours),
        show(other),
        (middle(ours, totalCpu) / middle(other, totalCpu)).toFixed(2),
        (middle(ours, (m) => m.rate) / middle(other, (m) => m.rate)).toFixed(2),
      ])
    }),
  ]
}

/** Ours and the peers as shares of the baseline's rate. A peer that does not do some work has no share. */
export function makePeers(results: readonly Result[]): string[] {
  return [
    ...head([
      'work',
      'PostGraphile / baseline per second',
      'Parse / baseline',
      'ours / baseline',
      'ours is behind',
    ]),
    ...results.map((result) => {
      const { postgraphile, parse, ours } = result.rounds
      const share = (measures: readonly Measure[] | undefined) =>
        measures === undefined ? undefined : median(ratiosOf(measures, result))
      const [own, peers] = [share(ours)!, { PostGraphile: share(postgraphile), Parse: share(parse) }]
      const ahead = Object.entries(peers).filter(([, peer]) => peer !== undefined && peer > own)
      return row([
        title(result),
        ...Object.values(peers).map((peer) => peer?.toFixed(2) ?? '-'),
        own.toFixed(2),
        ahead.map(([name]) => name).join(', ') || 'no',
      ])
    }),
  ]
}

/** The same workloads on two amounts of data, each round on both. */
export function makeScales([small, large]: readonly [number, number], results: readonly Result[]): string[] {
  const growth = (before: readonly Measure[], after: readonly Measure[]) =>
    ratioText(after.map((measure, round) => totalCpu(measure) / totalCpu(before[round]!)))
  return [
    ...head([
      'work',
      `CPU ms per request, ours, ${small} accounts`,
      `the same, ${large} accounts`,
      'quotient, median (min..max); at most 1.3',
      'quotient of the baseline',
    ]),
    ...results.map((result) => {
      const { ours, large_ours, baseline, large_baseline } = result.rounds
      return row([
        title(result),
        cpuText(ours!),
        cpuText(large_ours!),
        growth(ours!, large_ours!),
        growth(baseline!, large_baseline!),
      ])
    }),
  ]
}
