import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { quoteIdentifier } from '../src/base/sql.ts'
import { openEngine } from '../src/storage/open-engine.ts'
import { makeDatabase } from './database.ts'
import { makeDataset } from './dataset.ts'
import { COPIED, writeCopied, writeImported } from './rows.ts'

/*
 * `node bench/import.ts`: `objectry import` of a CSV file, as a process, against psql's `\copy` of the same rows into the
 * same table with all its indexes and foreign keys. Both take turns, each into the empty table.
 * Options: --rows 1000000, --rounds 1, --parallel 4, --profile <folder> for a profile of the importing process.
 * PostgreSQL is the one of BENCH_DATABASE_URL, in a database of its own.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '4' },
    profile: { type: 'string' },
  },
})
const rows = Number(options.rows)
const say = (text: string) => process.stderr.write(`${text}\n`)

/** Most memory that a process ever held, in MiB; undefined once it is gone. */
function readPeakMemory(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/** Seconds that a process takes, its processor time included in `cpu`, and its peak of memory. */
async function timeProcess(command: string, args: readonly string[]) {
  const start = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, readPeakMemory(child.pid!) ?? 0)
  }, 50)
  const [code] = await once(child, 'close')
  clearInterval(watch)
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
  return { seconds: (performance.now() - start) / 1000, peak }
}

const folder = mkdtempSync(join(tmpdir(), 'objectry-bench-import-'))
const { url, drop } = await makeDatabase()
try {
  const engine = await openEngine({ databaseUrl: url, poolSize: 2, data: '' })
  const { org, userId } = await makeDataset(engine, 0)
  await engine.close()
  const [imported, copied] = [join(folder, 'accounts.csv'), join(folder, 'copied.csv')]
  await writeImported(imported, rows)
  await writeCopied(copied, rows, userId)
  const table = quoteIdentifier(org.schemaName, 'account')

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: indexes } = await client.query(
    'select count(*)::integer as count from pg_indexes where schemaname = $1 and tablename = $2',
    [org.schemaName, 'account'],
  )
  say(
    `${rows} rows, ${(statSync(imported).size / 1024 / 1024).toFixed(0)} MiB of CSV, a table with ${indexes[0].count} indexes`,
  )
  const clear = async () => {
    await client.query(`truncate ${table} cascade`)
    await client.query('checkpoint')
  }
  const copy = `\\copy ${table} (${COPIED.map((name) => quoteIdentifier(name)).join()}) from '${copied}' (format csv)`
  const profile = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`]
  const ours = [
    ...profile,
    'src/cli/objectry.ts',
    'import',
    imported,
    ...['--object', 'Account', '--database-url', url, '--parallel', options.parallel],
    ...['--results', join(folder, 'results.csv')],
  ]
  console.log('| round | COPY rows/s | import rows/s | import / COPY | peak MiB |')
  console.log('|---|---|---|---|---|')
  for (let round = 1; round <= Number(options.rounds); round++) {
    await clear()
    const baseline = await timeProcess('psql', ['-q', url, '-c', copy])
    await clear()
    const { seconds, peak } = await timeProcess(process.execPath, ours)
    const { rows: found } = await client.query(`select count(*)::integer as count from ${table}`)
    if (found[0].count !== rows) throw new Error(`${found[0].count} of ${rows} rows are there`)
    const rate = (time: number) => Math.round(rows / time)
    console.log(
      `| ${round} | ${rate(baseline.seconds)} | ${rate(seconds)} | ${(baseline.seconds / seconds).toFixed(2)} | ${peak.toFixed(0)} |`,
    )
  }
  await client.end()
} finally {
  await drop()
  rmSync(folder, { recursive: true })
}
