import { Command } from 'commander'
import type { ReceivedError, Report } from '../faults/journal/report.ts'
import { UsageError } from './command/exit-codes.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { junitText } from './result/junit-text.ts'
import { factsText, listText } from './result/list-text.ts'
import { addJsonFlag, jsonText, type Outcome } from './result/outcome.ts'
import { workIn } from './work/work-command.ts'

const REPORT = '/setup/orgs/current/report'

const FORMATS = ['text', 'json', 'junit'] as const

const countsText = (terminal: Terminal, title: string, counts: Report['apps']) =>
  listText(
    terminal,
    ['calls', title],
    counts.map(({ name, calls }) => [calls, name || '-']),
    '',
  )

const errorName = ({ status, code, method, route }: ReceivedError) =>
  `${status === 0 ? 'cut' : status} ${code} on ${method} ${route}`.replaceAll('  ', ' ')

function errorsText(terminal: Terminal, errors: readonly ReceivedError[]): string {
  const rows = errors.map((error) => [
    ...[error.isMet ? 'as required' : 'NOT', error.times, errorName(error), error.fault, error.app],
    ...[error.required, error.did],
  ])
  const titles = ['answer', 'times', 'error', 'fault', 'app', 'must', 'did']
  return listText(terminal, titles, rows, 'No call failed.')
}

function reportText(
  terminal: Terminal,
  { from, to, calls, cost, apps, routes, versions, peakConcurrency, faults, errors }: Report,
): string {
  if (from === null) return 'Nobody has called since the journal began.\n'
  const facts = factsText({ from, to, calls, 'would have cost': cost, 'at the same time': peakConcurrency })
  const met = listText(
    terminal,
    ['fault', 'met', 'sent again'],
    faults.map(({ name, met, retried }) => [name, met, retried]),
    'No call met a fault.',
  )
  return [
    facts,
    countsText(terminal, 'app', apps),
    countsText(terminal, 'route', routes),
    countsText(terminal, 'version', versions),
    met,
    errorsText(terminal, errors),
  ].join('\n')
}

function parseFormat({ format = 'text' }: Flags): (typeof FORMATS)[number] {
  const known = FORMATS.find((one) => one === format)
  if (known !== undefined) return known
  throw new UsageError(`--format takes ${FORMATS.join(', ')}, not "${format}".`)
}

/** One test for each error that a client got: whether it did what it must. */
const formatJunit = ({ errors }: Report) =>
  junitText(
    'objectry report',
    errors.map((error) => ({
      group: error.app,
      name: `${errorName(error)}: ${error.required}`,
      failure: error.isMet ? undefined : error.did,
    })),
  )

async function report(terminal: Terminal, org: ReachedOrg, flags: Flags): Promise<Outcome> {
  const format = parseFormat(flags)
  const found = await readBody<Report>(org.call('GET', REPORT))
  const formats = {
    text: (all: Report) => reportText(terminal, all),
    json: jsonText,
    junit: formatJunit,
  }
  const isWrong = flags.strict === true && found.errors.some(({ isMet }) => !isMet)
  return { text: formats[format](found), answer: found, ...(isWrong && { exitCode: 1 }) }
}

/** Reports the cost of a test run on a paid platform, and what its clients did when calls failed. */
export function reportCommand(terminal: Terminal): Command {
  const command = new Command('report')
    .description('Print what the calls so far would have cost, and whether clients took errors as they must.')
    .option('--format <format>', 'text, json, or junit for a CI')
    .option('--strict', 'end with 1 when a client did not do what it must')
    .option('--reset', 'forget the calls so far: the next report is of what comes from now on')
  return addOrgFlags(addJsonFlag(command), ['allowFaults']).action((flags: Flags) =>
    workIn(terminal, flags, {}, async (org) => {
      if (flags.reset !== true) return report(terminal, org, flags)
      await readBody(org.call('DELETE', REPORT))
      return 'The journal was cleared.\n'
    }),
  )
}
