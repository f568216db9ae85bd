import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEngine } from '../src/storage/open-engine.ts'
import { makeDatabase } from './database.ts'
import { type Dataset, makeDataset } from './dataset.ts'
import { type BenchServer, startBaseline, startOurs } from './server.ts'
import { type Measure, type Target, WORKLOADS } from './workloads.ts'

/**
 * `npm run bench`: our server against the hand-written baseline, on the same engine and machine, in turn.
 * Options: --engine postgres|pglite, --seconds 4, --rounds 2, --accounts 100000, --concurrency 1,16,64, --only read,page.
 * PostgreSQL is the one of BENCH_DATABASE_URL, in a database of its own.
 */
const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    accounts: { type: 'string', default: '100000' },
    concurrency: { type: 'string', default: '1,16,64' },
    only: { type: 'string', default: Object.keys(WORKLOADS).join(',') },
  },
})

/** Where each of the two finds its data, and how to take it away again. */
interface Environment {
  readonly data: Dataset
  readonly ours: Record<string, string>
  readonly baseline: Record<string, string>
  clear(): Promise<void>
}

const say = (text: string) => process.stderr.write(`${text}\n`)

async function preparePostgres(accounts: number): Promise<Environment> {
  const { url, drop } = await makeDatabase()
  const engine = await openEngine({ databaseUrl: url, poolSize: 2, data: '' })
  const data = await makeDataset(engine, accounts)
  await engine.close()
  return {
    data,
    ours: { DATABASE_URL: url },
    baseline: { BASELINE_DATABASE_URL: url },
    clear: drop,
  }
}

async function preparePglite(accounts: number): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-bench-'))
  const engine = await openEngine({ databaseUrl: undefined, poolSize: 1, data: join(folder, 'ours') })
  const data = await makeDataset(engine, accounts)
  await engine.close()
  cpSync(join(folder, 'ours', 'database'), join(folder, 'baseline'), { recursive: true })
  return {
    data,
    ours: { OBJECTRY_DATA: join(folder, 'ours') },
    baseline: { BASELINE_DATA: join(folder, 'baseline') },
    clear: async () => rmSync(folder, { recursive: true }),
  }
}

/** The rounds of one side as one: rates are averaged, times too. */
function combine(measures: readonly Measure[]): Measure {
  const mean = (of: (measure: Measure) => number) =>
    measures.reduce((sum, measure) => sum + of(measure), 0) / measures.length
  return {
    rate: mean((m) => m.rate),
    p50: mean((m) => m.p50),
    p99: mean((m) => m.p99),
    requests: measures.reduce((sum, measure) => sum + measure.requests, 0),
    first: measures[0]!.first === undefined ? undefined : mean((m) => m.first!),
    last: measures[0]!.last === undefined ? undefined : mean((m) => m.last!),
  }
}

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1))

async function main(): Promise<void> {
  const accounts = Number(options.accounts)
  say(`Preparing ${accounts} accounts on ${options.engine} ...`)
  const environment =
    options.engine === 'pglite' ? await preparePglite(accounts) : await preparePostgres(accounts)
  const servers: BenchServer[] = []
  try {
    const { data } = environment
    const ours = await startOurs(environment.ours)
    servers.push(ours)
    const baseline = await startBaseline({
      ...environment.baseline,
      BASELINE_SCHEMA: data.org.schemaName,
      BASELINE_USER: data.userId,
      BASELINE_FIELDS: JSON.stringify(data.fields),
    })
    servers.push(baseline)
    const processes = { ours, baseline }
    const targets: Record<'ours' | 'baseline', Target> = {
      ours: { origin: ours.origin, prefix: '/services/data/v64.0', ours: true },
      baseline: { origin: baseline.origin, prefix: '', ours: false },
    }
    console.log(
      '| workload | concurrency | ours/s | baseline/s | ours / baseline | ours p50, p99 ms | baseline p50, p99 ms | CPU ms per request, ours, baseline | MiB before, most |',
    )
    console.log('|---|---|---|---|---|---|---|---|---|')
    for (const name of options.only.split(',')) {
      for (const concurrency of options.concurrency.split(',').map(Number)) {
        const measures: Record<'ours' | 'baseline', Measure[]> = { ours: [], baseline: [] }
        const cpu = { ours: 0, baseline: 0 }
        const idle = ours.memory()
        let peak = idle
        const watch = setInterval(() => {
          peak = Math.max(peak, ours.memory())
        }, 100)
        try {
          for (let round = 0; round < Number(options.rounds); round++) {
            for (const side of ['baseline', 'ours'] as const) {
              say(`${name}, ${concurrency} connections, ${side}, round ${round + 1}`)
              const before = processes[side].cpu()
              measures[side].push(
                await WORKLOADS[name]!(targets[side], data, concurrency, Number(options.seconds)),
              )
              cpu[side] += processes[side].cpu() - before
            }
          }
        } finally {
          clearInterval(watch)
        }
        const [mine, theirs] = [combine(measures.ours), combine(measures.baseline)]
        const pages =
          mine.first === undefined
            ? ''
            : `, first page ${number(mine.first)} ms (baseline ${number(theirs.first!)}), last / first ${(mine.last! / mine.first).toFixed(2)}`
        console.log(
          `| ${name} | ${concurrency} | ${number(mine.rate)} | ${number(theirs.rate)} | ${(mine.rate / theirs.rate).toFixed(2)}${pages} | ${number(mine.p50)}, ${number(mine.p99)} | ${number(theirs.p50)}, ${number(theirs.p99)} | ${(cpu.ours / mine.requests).toFixed(3)}, ${(cpu.baseline / theirs.requests).toFixed(3)} | ${idle.toFixed(0)}, ${peak.toFixed(0)} |`,
        )
      }
    }
  } finally {
    for (const server of servers) await server.stop()
    await environment.clear()
  }
}

await main()
