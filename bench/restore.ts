import { systemClock } from '../src/base/clock.ts'
import { JobQueue } from '../src/jobs/job-queue.ts'
import { restoreSnapshot, saveSnapshot } from '../src/orgs/snapshots/snapshots.ts'
import { WORK_LOGS } from '../src/scripting/work/work-log.sql.ts'
import type { Engine } from '../src/storage/database/db.ts'
import { openEngine } from '../src/storage/open-engine.ts'
import { makeDatabase } from './database.ts'
import { type Dataset, makeDataset } from './dataset.ts'
import { changes } from './restore-changes.sql.ts'

/*
 * `node bench/restore.ts`: how long it takes to save an org of 10,000 records and to put it back, on both engines, by how
 * much of it changed.
 */

const RECORDS = 10_000
const ROUNDS = 5

const milliseconds = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

async function measure(engine: Engine, { org }: Dataset): Promise<Record<string, number>> {
  const { db } = engine
  const requeuing = { queue: new JobQueue(engine, WORK_LOGS, () => {}), clock: systemClock }
  const result: Record<string, number> = {}
  result.save = await milliseconds(() => saveSnapshot(db, org, 'start'))
  for (const [what, statements] of Object.entries(changes(org, RECORDS))) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      if (statements.length > 0) await db.script(statements)
      times.push(await milliseconds(() => restoreSnapshot(db, requeuing, org, 'start')))
    }
    result[what] = median(times)
  }
  return result
}

const rows: Record<string, Record<string, string>> = {}
const database = await makeDatabase()
try {
  for (const [name, url] of [
    ['PostgreSQL', database.url],
    ['embedded', undefined],
  ] as const) {
    const engine = await openEngine({ databaseUrl: url, poolSize: 2, data: 'memory' })
    // Each account has five contacts.
    const dataset = await makeDataset(engine, Math.ceil(RECORDS / 6))
    const measured = await measure(engine, dataset)
    rows[name] = Object.fromEntries(
      Object.entries(measured).map(([what, ms]) => [what, `${ms.toFixed(0)} ms`]),
    )
    await engine.close()
  }
} finally {
  await database.drop()
}
console.table(rows)
