import { Command } from 'commander'
import type { ReceivedError, Report } from '../faults/journal/report.ts'
import { UsageError } from './command/exit-codes.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { junitText } from './result/junit-text.ts'
import { factsText, listText } from './result/list-text.ts'
import { addJsonFlag, jsonText, type Outcome } from './result/outcome.ts'
import { workIn } from './work/work-command.ts'

const REPORT = '/setup/orgs/current/report'

const FORMATS = ['text', 'json', 'junit'] as const

const countsText = (title: string, counts: Report['apps']) =>
  listText(
    ['calls', title],
    counts.map(({ name, calls }) => [calls, name || '-']),
    '',
  )

const errorName = ({ status, code, method, route }: ReceivedError) =>
  `${status === 0 ? 'cut' : status} ${code} on ${method} ${route}`.replaceAll('  ', ' ')

function errorsText(errors: readonly ReceivedError[]): string {
  const rows = errors.map((error) => [
    ...[error.isMet ? 'as required' : 'NOT', error.times, errorName(error), error.fault, error.app],
    ...[error.required, error.did],
  ])
  const titles = ['answer', 'times', 'error', 'fault', 'app', 'must', 'did']
  return listText(titles, rows, 'No call failed.')
}

function reportText({
  from,
  to,
  calls,
  cost,
  apps,
  routes,
  versions,
  peakConcurrency,
  faults,
  errors,
}: Report): string {
  if (from === null) return 'Nobody has called since the journal began.\n'
  const facts = factsText({ from, to, calls, 'would have cost': cost, 'at the same time': peakConcurrency })
  const met = listText(
    ['fault', 'met', 'sent again'],
    faults.map(({ name, met, retried }) => [name, met, retried]),
    'No call met a fault.',
  )
  return [
    facts,
    countsText('app', apps),
    countsText('route', routes),
    countsText('version', versions),
    met,
    errorsText(errors),
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

async function report(org: ReachedOrg, flags: Flags): Promise<Outcome | string> {
  const format = parseFormat(flags)
  const found = await readBody<Report>(org.call('GET', REPORT))
  if (flags.strict === true && found.errors.some(({ isMet }) => !isMet)) process.exitCode = 1
  if (format === 'json') return jsonText(found)
  return { text: format === 'junit' ? formatJunit(found) : reportText(found), answer: found }
}

/** What a test run would have cost on a platform that is paid for, and what its clients did when calls failed. */
export function reportCommand(): Command {
  const command = new Command('report')
    .description('Print what the calls so far would have cost, and whether clients took errors as they must.')
    .option('--format <format>', 'text, json, or junit for a CI')
    .option('--strict', 'end with 1 when a client did not do what it must')
    .option('--reset', 'forget the calls so far: the next report is of what comes from now on')
  return addOrgFlags(addJsonFlag(command), ['allowFaults']).action((flags: Flags) =>
    workIn(flags, {}, async (org) => {
      if (flags.reset !== true) return report(org, flags)
      await readBody(org.call('DELETE', REPORT))
      return 'The journal was cleared.\n'
    }),
  )
}
