import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { openEngine } from '../src/storage/open-engine.ts'
import { makeDatabase } from './database.ts'
import { makeDataset } from './dataset.ts'
import { type BenchServer, startServer } from './server.ts'

/**
 * Measures the cost of counting calls far from the limit: two servers of one database that differ in nothing else, by turns.
 * `node bench/counting.ts --rounds 8 --seconds 2`. Counts 100,000,000 calls a day, so that leases are as they are then.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '8' }, seconds: { type: 'string', default: '2' } },
})

const { url, drop } = await makeDatabase()
const engine = await openEngine({ databaseUrl: url, poolSize: 2, data: '' })
const { token, ids } = await makeDataset(engine, 1000)
await engine.close()

const environment = {
  DATABASE_URL: url,
  OBJECTRY_ALLOCATION: '100000000',
  OBJECTRY_SECRET_KEY: Buffer.alloc(32, 'key').toString('base64'),
}
const servers: readonly BenchServer[] = await Promise.all([
  startServer('bench/counting-server.ts', [], { ...environment, COUNTING: 'off' }),
  startServer('bench/counting-server.ts', [], environment),
])

interface Measured {
  calls: number
  seconds: number
  cpu: number
}

async function load({ origin, cpu }: BenchServer, seconds: number): Promise<Measured> {
  const before = cpu()
  const { requests, duration, non2xx } = await autocannon({
    url: `${origin}/services/data/v64.0/sobjects/Account/${ids[0]}`,
    headers: { authorization: `Bearer ${token}` },
    connections: 16,
    duration: seconds,
  })
  if (non2xx > 0) throw new Error(`${non2xx} calls failed`)
  return { calls: requests.total, seconds: duration, cpu: cpu() - before }
}

const sums = servers.map((): Measured => ({ calls: 0, seconds: 0, cpu: 0 }))
try {
  for (const server of servers) await load(server, 2)
  for (let round = 0; round < Number(values.rounds); round++) {
    // Who is first has a quieter machine.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const measured = await load(servers[index]!, Number(values.seconds))
      const sum = sums[index]!
      sum.calls += measured.calls
      sum.seconds += measured.seconds
      sum.cpu += measured.cpu
    }
  }
} finally {
  for (const server of servers) await server.stop()
  await drop()
}

console.log('| calls are | calls/s | CPU ms per call |\n|---|---|---|')
for (const [index, what] of ['not counted', 'counted'].entries()) {
  const { calls, seconds, cpu } = sums[index]!
  console.log(`| ${what} | ${Math.round(calls / seconds)} | ${(cpu / calls).toFixed(4)} |`)
}
const [plain, counted] = sums as [Measured, Measured]
const rate = (counted.calls / counted.seconds / (plain.calls / plain.seconds) - 1) * 100
const cost = (counted.cpu / counted.calls / (plain.cpu / plain.calls) - 1) * 100
console.log(
  `\nCounting changes throughput by ${rate.toFixed(1)} %, and CPU per call by ${cost.toFixed(1)} %.`,
)
