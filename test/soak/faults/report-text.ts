import { maxWait } from './call-log.ts'
import type { SkippedFault } from './fault.ts'
import { findFailures, type Report } from './report.ts'

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

const counted = (answers: ReadonlyMap<string, number>) =>
  [...answers]
    .sort(([, a], [, b]) => b - a)
    .map(([answer, times]) => `${answer} ×${times}`)
    .join(', ')

/** All kinds of calls together, successes first as one number. */
function summary({ during }: Report): string {
  const answers = new Map<string, number>()
  for (const { answer, isOk } of during) {
    const label = isOk ? 'ok' : answer
    answers.set(label, (answers.get(label) ?? 0) + 1)
  }
  return counted(answers)
}

function stopText({ stop }: Report): string {
  if (stop === undefined) return '-'
  return stop.code === 'late' ? `not within ${seconds(stop.ms)}` : `${stop.code} after ${seconds(stop.ms)}`
}

function readyText({ health }: Report): string {
  return (
    Object.entries(health.readyAnswers)
      .map(([status, times]) => `${status} ×${times}`)
      .join(', ') || '-'
  )
}

/** Returns the text of a report, with the answers by kind of call. */
export function describeReport(report: Report): string {
  const lines = [...report.answers].map(
    ([kind, answers]) => `    ${kind}: ${counted(answers)}; longest ${seconds(maxWait(report.during, kind))}`,
  )
  const recovery = report.recoveryMs === undefined ? 'never' : `after ${seconds(report.recoveryMs)}`
  const failures = findFailures(report).map((failure) => `    FAILED ${failure}`)
  return [
    `  answers while it lasted and until the recovery ${recovery}:`,
    ...lines,
    `    /readyz while it lasted: ${readyText(report)}`,
    `    SIGTERM: ${stopText(report)}`,
    ...(failures.length > 0 ? failures : ['    all well']),
  ].join('\n')
}

const HEAD = [
  '| engine | fault | answers | longest wait | recovery | lost | torn | wrong | hangs | `/healthz`, `/readyz` | `/readyz` during it | SIGTERM |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
]

function row(engine: string, report: Report): string {
  const { fault, maxMs, recoveryMs, losses, hangs, health } = report
  const cells = [
    engine,
    fault.name,
    summary(report),
    seconds(maxMs),
    recoveryMs === undefined ? 'never' : seconds(recoveryMs),
    losses.lost.length,
    losses.torn.length,
    losses.wrong.length,
    hangs,
    health.untrue.length === 0 ? 'true' : 'UNTRUE',
    readyText(report),
    stopText(report),
  ]
  return `| ${cells.join(' | ')} |`
}

export interface EngineReports {
  readonly engine: string
  readonly reports: readonly Report[]
  readonly skipped: readonly SkippedFault[]
}

/** All of them as a table in Markdown. */
export function makeTable(all: readonly EngineReports[]): string {
  const rows = all.flatMap(({ engine, reports, skipped }) => [
    ...reports.map((report) => row(engine, report)),
    ...skipped.map(({ name, skip }) => `| ${engine} | ${name} | skipped: ${skip} | | | | | | | | | |`),
  ])
  return [...HEAD, ...rows].join('\n')
}
