import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { makeOwnDatabase } from '../test/support/own-database.ts'
import { fetchToken, startServer } from '../test/support/server-process.ts'
import { ROOT } from './server.ts'

/*
 * How long bulk jobs take, as a ratio to psql's \copy of the same rows into a table with the same columns and indexes, and out of it:
 *
 *   node bench/bulk.ts --rows 1000000 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * A load is timed from the POST that makes the job until it is complete and its results are read, an export from the POST to the last
 * byte. Results are read unpacked and counted, which costs the client less than `fetch`. Beside them is the largest memory of the
 * server, which is the bundle, as it is installed, after `npm run prepare`. With --reads four callers read a record all the while, ten
 * times a second each: printed is how long that takes, beside the jobs and without them; it costs the jobs some of their time.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    reads: { type: 'boolean', default: false },
    'database-url': { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
  },
})
const count = Number(values.rows)
/** An upload is 150 MB at most. */
const ROWS_OF_JOB = 500_000

const COLUMNS = [
  'Name',
  'Phone',
  'Website',
  'Industry',
  'BillingCity',
  'BillingCountry',
  'NumberOfEmployees',
  'AnnualRevenue',
  'AccountNumber',
  'Description',
] as const

const makeRow = (n: number) =>
  `Account ${n},+49 30 ${n},https://${n}.example.com,Banking,Berlin,Germany,${n % 1000},${n % 100_000},A-${n},The account with the number ${n}`

const READERS = 4
const READ_PAUSE_MS = 100
/** How long reads are measured while nothing else is done. */
const IDLE_MS = 20_000

/** The value that a part of some values does not exceed. */
function quantile(some: readonly number[], part: number): number {
  const sorted = [...some].sort((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)]!
}

const show = (times: readonly number[]) =>
  `${quantile(times, 0.5).toFixed(1)} and ${quantile(times, 0.99).toFixed(1)} (${times.length})`

const credentials = { clientId: 'bench', clientSecret: 'a secret of the benchmark' }

async function time(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Does not hold this process, whose connections would be closed meanwhile without its notice. */
async function runPsql(url: string, commands: readonly string[], input?: string): Promise<string> {
  const args = [url, '-v', 'ON_ERROR_STOP=1', '-Atq', ...commands.flatMap((command) => ['-c', command])]
  const running = promisify(execFile)('psql', args, { encoding: 'utf8', maxBuffer: 2 ** 31 - 1 })
  running.child.stdin!.end(input)
  return (await running).stdout
}

const database = await makeOwnDatabase(values['database-url'], 'bench_bulk')
const server = await startServer(
  {
    DATABASE_URL: database.url,
    OBJECTRY_CLIENT_ID: credentials.clientId,
    OBJECTRY_CLIENT_SECRET: credentials.clientSecret,
  },
  [],
  [],
  join(ROOT, 'bin/objectry.js'),
)
let peak = 0
const watching = setInterval(() => {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  peak = Math.max(peak, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}, 100).unref()
try {
  const token = await fetchToken(server.address, credentials)
  const call = async (method: string, path: string, body?: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const url = `${server.address}/services/data/v64.0${path}`
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const readAll = (path: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}` }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    get(`${server.address}/services/data/v64.0${path}`, { headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET ${path}: ${response.statusCode}`))
      response.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
    return promise
  }
  const untilComplete = async (path: string) => {
    for (;;) {
      const job = (await (await call('GET', path)).json()) as { state: string; errorMessage?: string }
      if (job.state === 'JobComplete') return
      if (job.state === 'Failed') throw new Error(job.errorMessage)
      await sleep(100)
    }
  }
  const readOne = async () => {
    const began = performance.now()
    await (await call('GET', readPath)).text()
    return performance.now() - began
  }
  /** The milliseconds of reads by several callers, beside some work. */
  const beside = async (work: () => Promise<void>): Promise<readonly number[]> => {
    if (!values.reads) return work().then(() => [])
    const times: number[] = []
    let isOver = false
    const callers = Array.from({ length: READERS }, async () => {
      while (!isOver) {
        times.push(await readOne())
        await sleep(READ_PAUSE_MS)
      }
    })
    try {
      await work()
    } finally {
      isOver = true
      await Promise.all(callers)
    }
    return times
  }
  const created = await call('POST', '/sobjects/Contact', '{"LastName":"Reader"}')
  const readPath = `/sobjects/Contact/${((await created.json()) as { id: string }).id}?fields=Id,LastName`
  const idle = await beside(async () => {
    if (values.reads) await sleep(IDLE_MS)
  })
  const header = COLUMNS.join(',')
  const uploads: string[] = []
  for (let from = 0; from < count; from += ROWS_OF_JOB) {
    const length = Math.min(ROWS_OF_JOB, count - from)
    uploads.push(`${header}\n${Array.from({ length }, (_, n) => makeRow(from + n)).join('\n')}\n`)
  }
  let besideLoad: readonly number[] = []
  const runLoad = async () => {
    for (const upload of uploads) {
      const created = await call(
        'POST',
        '/jobs/ingest',
        JSON.stringify({ object: 'Account', operation: 'insert' }),
      )
      const { id } = (await created.json()) as { id: string }
      await call('PUT', `/jobs/ingest/${id}/batches`, upload, 'text/csv')
      await call('PATCH', `/jobs/ingest/${id}`, '{"state":"UploadComplete"}')
      await untilComplete(`/jobs/ingest/${id}`)
      await readAll(`/jobs/ingest/${id}/successfulResults`)
    }
  }
  const load = await time(async () => {
    besideLoad = await beside(runLoad)
  })
  const loadPeak = peak
  const [schema] = (await runPsql(database.url, ['select schema_name from objectry.org limit 1']))
    .trim()
    .split('\n')
  const columns = COLUMNS.map((name) => name.toLowerCase()).join(', ')
  await runPsql(database.url, [
    `create table public.baseline (like ${schema}.account including all)`,
    'alter table public.baseline alter column id set default gen_random_uuid()::text',
    ...['ownerid', 'createdbyid', 'lastmodifiedbyid'].map(
      (name) => `alter table public.baseline alter column ${name} set default '005000000000000AAA'`,
    ),
    ...['createddate', 'lastmodifieddate', 'systemmodstamp'].map(
      (name) => `alter table public.baseline alter column ${name} set default now()`,
    ),
  ])
  const copyIn = await time(async () => {
    for (const upload of uploads) {
      await runPsql(
        database.url,
        [`\\copy public.baseline (${columns}) from pstdin with (format csv, header)`],
        upload,
      )
    }
  })
  peak = 0
  const query = `SELECT ${COLUMNS.join(', ')} FROM Account`
  let besideExport: readonly number[] = []
  const runExport = async () => {
    const created = await call('POST', '/jobs/query', JSON.stringify({ operation: 'query', query }))
    const { id } = (await created.json()) as { id: string }
    await untilComplete(`/jobs/query/${id}`)
    await readAll(`/jobs/query/${id}/results`)
  }
  const exported = await time(async () => {
    besideExport = await beside(runExport)
  })
  const copyOut = await time(async () => {
    await runPsql(database.url, [
      `\\copy (select ${columns} from ${schema}.account) to pstdout with (format csv, header)`,
    ])
  })
  process.stdout.write(
    [
      `${count} rows of ${COLUMNS.length} columns`,
      `load   ${load.toFixed(1)} s, \\copy ${copyIn.toFixed(1)} s: ${(copyIn / load).toFixed(2)}; at most ${loadPeak.toFixed(0)} MB`,
      `export ${exported.toFixed(1)} s, \\copy ${copyOut.toFixed(1)} s: ${(copyOut / exported).toFixed(2)}; at most ${peak.toFixed(0)} MB`,
      ...(values.reads
        ? [
            `reads, median and p99 in ms: idle ${show(idle)}, beside the load ${show(besideLoad)}, beside the export ${show(besideExport)}`,
          ]
        : []),
      '',
    ].join('\n'),
  )
} finally {
  clearInterval(watching)
  await server.end('SIGTERM')
  await database.drop()
}
