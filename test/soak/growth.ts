import { parseArgs } from 'node:util'
import { makeOwnDatabase } from '../support/own-database.ts'
import { credentialsIn, fetchToken, makeDataFolder, startServer } from '../support/server-process.ts'
import type { Dimension, Sent } from './growth/dimension.ts'
import { CALL_DIMENSIONS, GRAPHQL_DIMENSIONS } from './growth/other-dimensions.ts'
import { QUERY_DIMENSIONS } from './growth/query-dimensions.ts'

/*
 * Requests in which one thing grows while the rest stays, and how their time grows with it:
 *
 *   npm run soak -- growth                                 on the embedded engine
 *   npm run soak -- growth --database-url postgres://postgres@127.0.0.1:5432/postgres
 *   npm run soak -- growth --only ORs,header            those with one of these words in their names
 *
 * The exponent says how: 1 in proportion, 2 with the square. Ends with 1 when a request got no answer within ten seconds or
 * a 500, when a time that counts grows faster than in proportion, or when a request is refused that must succeed.
 */
const { values } = parseArgs({
  options: {
    'database-url': { type: 'string' },
    only: { type: 'string', default: '' },
    accounts: { type: 'string', default: '200' },
  },
})

const PARTS = [8, 4, 2, 1]
const ROUNDS = 3
const TIMEOUT_MS = 10_000
/** Below it noise says more than growth. */
const MIN_COUNTED_MS = 150
const MAX_EXPONENT = 1.4

interface Measured {
  readonly size: number
  readonly ms: number
  readonly status: string
}

async function sendOnce(
  address: string,
  token: string,
  { method, path, body, headers }: Sent,
): Promise<Measured> {
  const url = `${address}${path.startsWith('/services') ? '' : '/services/data/v66.0'}${path}`
  const began = performance.now()
  let status = 'none'
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    const inner = /"(?:httpStatusCode|statusCode)":(\d+)/.exec(text)?.[1]
    status = inner === undefined ? String(response.status) : `${response.status} ${inner}`
    if (text.includes('"errors":[{')) status += ' errors'
  } catch (error) {
    status = error instanceof Error && error.name === 'TimeoutError' ? 'none' : 'cut'
  }
  return { size: 0, ms: performance.now() - began, status }
}

/** The best of some tries: what came between does not count. Each is another text, so that nothing is remembered. */
async function measure(address: string, token: string, { make }: Dimension, size: number): Promise<Measured> {
  let best: Measured | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const one = await sendOnce(address, token, make(size - round))
    if (best === undefined || one.ms < best.ms) best = { ...one, size }
    if (one.status === 'none') return { ...one, size }
  }
  return best!
}

/** How the time of the largest request grew from that of half its size, beyond what every request takes. */
function getExponent(measured: readonly Measured[], base: number): number {
  const [half, whole] = measured.slice(-2) as [Measured, Measured]
  return Math.log2(Math.max(whole.ms - base, 1) / Math.max(half.ms - base, 1))
}

const words = values.only.split(',').filter((word) => word !== '')
const dimensions = [...QUERY_DIMENSIONS, ...GRAPHQL_DIMENSIONS, ...CALL_DIMENSIONS].filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)
const url = values['database-url']
const database = url === undefined ? undefined : await makeOwnDatabase(url, 'soak_growth')
const folder = database === undefined ? makeDataFolder() : undefined
const failures: string[] = []
const refusals: string[] = []
const say = (line: string) => process.stdout.write(`${line}\n`)
try {
  const server = await startServer(
    database === undefined ? { OBJECTRY_DATA: folder!.data } : { DATABASE_URL: database.url },
  )
  try {
    const token = await fetchToken(server.address, credentialsIn(server.greeting)!)
    for (let made = 0; made < Number(values.accounts); made += 200) {
      const records = Array.from({ length: 200 }, (_, i) => ({
        attributes: { type: 'Account' },
        Name: `n${made + i}`,
        Phone: String(i),
        AnnualRevenue: i + 0.5,
      }))
      const body = { records }
      await sendOnce(server.address, token, { method: 'POST', path: '/composite/sobjects', body })
    }
    const idle: Dimension = { name: 'idle', size: 10, make: () => ({ method: 'GET', path: '/limits' }) }
    await measure(server.address, token, idle, 10)
    const { ms: base } = await measure(server.address, token, idle, 10)
    say('| what grows | sizes | ms | answer to the largest | exponent |')
    say('|---|---|---|---|---|')
    for (const dimension of dimensions) {
      const measured: Measured[] = []
      for (const part of PARTS) {
        const one = await measure(server.address, token, dimension, Math.ceil(dimension.size / part))
        measured.push(one)
        if (one.status === 'none') break
      }
      const last = measured.at(-1)!
      const exponent = measured.length < 2 ? 0 : getExponent(measured, base)
      const isSlow = last.ms > MIN_COUNTED_MS && exponent > MAX_EXPONENT
      const isWrong =
        isSlow || ['none', 'cut'].includes(last.status) || measured.some(({ status }) => /5\d\d/.test(status))
      if (isWrong) failures.push(dimension.name)
      const isRefused = measured.some(({ status }) => /\b4\d\d\b|errors/.test(status))
      if (dimension.mustSucceed && isRefused) refusals.push(dimension.name)
      const shown = [
        dimension.name,
        measured.map(({ size }) => size).join(', '),
        measured.map(({ ms }) => ms.toFixed(ms < 10 ? 1 : 0)).join(', '),
        last.status,
        `${exponent.toFixed(1)}${isWrong ? ' **!**' : ''}`,
      ]
      say(`| ${shown.join(' | ')} |`)
    }
  } finally {
    await server.end('SIGTERM')
  }
} finally {
  await database?.drop()
  folder?.remove()
}
say(failures.length === 0 ? 'nothing grows too fast' : `TOO FAST: ${failures.join(', ')}`)
if (refusals.length > 0) say(`REFUSED, SO NOT MEASURED: ${refusals.join(', ')}`)
process.exit(failures.length + refusals.length === 0 ? 0 : 1)
