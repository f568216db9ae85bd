import { parseArgs } from 'node:util'
import { type Bounds, hangMs } from './faults/bounds.ts'
import { openEmbeddedEngine } from './faults/embedded-engine.ts'
import type { Fault, SkippedFault } from './faults/fault.ts'
import {
  describeRound,
  type NeighbourReport,
  openNeighbours,
  summarizeRounds,
  tryRound,
} from './faults/neighbours.ts'
import { openPostgresEngine } from './faults/postgres-engine.ts'
import { findFailures, type Report, reportFault } from './faults/report.ts'
import { describeReport, type EngineReports, makeTable } from './faults/report-text.ts'

/*
 * Lets the database, the network, the disk or the process of a server fail while 33 callers call it, and looks what they
 * are answered, how long they wait, whether the health endpoints tell the truth, whether what was acknowledged is there
 * afterwards, and whether the server ends when it is told to in the middle of it:
 *
 *   npm run soak -- faults
 *   npm run soak -- faults --engine postgres --only black-hole,disk-full --seconds 5
 *
 * On PostgreSQL it starts a cluster of its own in a temporary folder, and a proxy before it. Waits of the server are
 * bounded by the settings below unless the environment has others, such as OBJECTRY_STATEMENT_SECONDS=120. Ends with 1
 * when a write is lost, torn or wrong, a call is answered with 500 or not at all, an endpoint is untrue, or a server does
 * not recover or end. Times are reported, not judged.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '25' },
  },
})
const setting = (name: string, otherwise: number) => Number(process.env[`OBJECTRY_${name}`] ?? otherwise)
const bounds: Bounds = {
  statementSeconds: setting('STATEMENT_SECONDS', 15),
  connectionSeconds: setting('CONNECTION_SECONDS', 5),
  lockSeconds: setting('LOCK_SECONDS', 3),
  stopSeconds: setting('STOP_SECONDS', 10),
}
const timing = { warmUpMs: 1500, holdMs: Number(values.seconds) * 1000, withStop: true }
const only = values.only?.split(',')

const ENGINES = { postgres: openPostgresEngine, pglite: openEmbeddedEngine }
const engines = Object.entries(ENGINES).filter(([name]) => (values.engine ?? name) === name)

const say = (text: string) => void process.stdout.write(`${text}\n`)
const isChosen = ({ name }: Fault | SkippedFault) => only === undefined || only.includes(name)

async function tryFaults(engine: string, open: (typeof ENGINES)['postgres' | 'pglite']) {
  const opened = await open(bounds)
  if (typeof opened === 'string') {
    say(`${engine}: SKIPPED, ${opened}`)
    return { engine, reports: [], skipped: [{ name: 'all', skip: opened }] }
  }
  const interrupt = () => void opened.close().finally(() => process.exit(130))
  process.once('SIGINT', interrupt)
  const chosen = opened.faults.filter(isChosen)
  const reports: Report[] = []
  try {
    for (const [index, fault] of chosen.entries()) {
      const title = `${engine}, ${index + 1} of ${chosen.length}, ${fault.name}`
      if ('skip' in fault) {
        say(`${title}: SKIPPED, ${fault.skip}`)
        continue
      }
      say(title)
      const report = await reportFault(opened.site, fault, timing)
      reports.push(report)
      say(describeReport(report))
    }
  } finally {
    process.off('SIGINT', interrupt)
    await opened.close()
  }
  return { engine, reports, skipped: chosen.filter((fault) => 'skip' in fault) }
}

/** @returns what was wrong */
async function tryNeighbours(): Promise<readonly string[]> {
  const opened = await openNeighbours(bounds)
  if (typeof opened === 'string') {
    say(`neighbours: SKIPPED, ${opened}`)
    return []
  }
  const reports: NeighbourReport[] = []
  try {
    const count = Number(values.rounds)
    for (let round = 1; round <= count; round++) {
      const report = await tryRound(opened, round)
      reports.push(report)
      say(`neighbours, ${round} of ${count}, ${describeRound(report)}`)
    }
  } finally {
    await opened.close()
  }
  say(summarizeRounds(reports))
  return reports.flatMap(({ failures }) => failures)
}

say(`A call hangs when it has no answer after ${hangMs(bounds) / 1000} s.`)
const all: EngineReports[] = []
const isOnlyNeighbours = only?.every((name) => name === 'neighbours')
if (!isOnlyNeighbours) {
  for (const [engine, open] of engines) all.push(await tryFaults(engine, open))
  say(`\n${makeTable(all)}`)
}
const failed = all.flatMap(({ engine, reports }) =>
  reports.flatMap((report) =>
    findFailures(report).map((failure) => `${engine}, ${report.fault.name}: ${failure}`),
  ),
)
if (engines.some(([name]) => name === 'postgres') && (only?.includes('neighbours') ?? true))
  failed.push(...(await tryNeighbours()))
if (failed.length > 0) say(`\nFAILED\n${failed.join('\n')}`)
process.exit(failed.length === 0 ? 0 : 1)
