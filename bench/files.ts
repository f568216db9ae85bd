import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { makeOwnDatabase } from '../test/support/own-database.ts'
import { credentialsIn, fetchToken, startServer } from '../test/support/server-process.ts'

/*
 * How much memory a server needs for large files, beside what it needs for small ones: `node bench/files.ts [MB]`.
 * BENCH_DATABASE_URL names the PostgreSQL server, default postgres://postgres@127.0.0.1:5432/postgres.
 */

const MEGABYTES = Number(process.argv[2] ?? 50)
const ROUNDS = 5
const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const status = (pid: number, name: string) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

const database = await makeOwnDatabase(server, 'files')
const one = await startServer({ DATABASE_URL: database.url, OBJECTRY_BODY_LIMIT: String(80 * 1024 * 1024) })
const pid = one.child.pid!
const token = await fetchToken(one.address, credentialsIn(one.greeting)!)
const headers = { authorization: `Bearer ${token}` }
const base = `${one.address}/services/data/v64.0/sobjects`

async function post(object: string, body: string | FormData, type?: string): Promise<string> {
  const answer = await fetch(`${base}/${object}`, {
    method: 'POST',
    headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
    body,
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

const parent = await post('Account', '{"Name":"Acme"}', 'application/json')
const record = { Name: 'a', ParentId: parent }
const inParts = (bytes: Uint8Array<ArrayBuffer>) => {
  const form = new FormData()
  form.set('entity', new Blob([JSON.stringify(record)], { type: 'application/json' }))
  form.set('Body', new Blob([bytes]), 'a')
  return post('Attachment', form)
}
const asText = (bytes: Uint8Array) =>
  post(
    'Attachment',
    JSON.stringify({ ...record, Body: Buffer.from(bytes).toString('base64') }),
    'application/json',
  )
const read = async (id: string) => {
  const answer = await fetch(`${base}/Attachment/${id}/Body`, { headers })
  let length = 0
  for await (const chunk of answer.body!) length += chunk.length
  return length
}

const large = randomBytes(MEGABYTES * 1_000_000)
const small = randomBytes(1000)
for (let n = 0; n < 50; n++) await read(await inParts(small))

process.stdout.write(
  `A file of ${MEGABYTES} MB, ${ROUNDS} times\n\n| what | MB/s | peak over the state before, MB |\n|---|---|---|\n`,
)
async function measure(what: string, work: () => Promise<unknown>): Promise<void> {
  const before = status(pid, 'VmRSS')
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, status(pid, 'VmRSS'))
  }, 5)
  const start = performance.now()
  for (let round = 0; round < ROUNDS; round++) await work()
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  const speed = (MEGABYTES * ROUNDS) / seconds
  process.stdout.write(`| ${what} | ${speed.toFixed(0)} | ${(peak - before).toFixed(0)} |\n`)
}

let id = ''
await measure('written in parts', async () => {
  id = await inParts(large)
})
await measure('read', () => read(id))
await measure('written as base64', () => asText(large))
await one.end('SIGTERM')
await database.drop()
