import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { makeOwnDatabase } from '../support/own-database.ts'
import { credentialsIn, fetchToken, type ServerProcess, startServer } from '../support/server-process.ts'

/*
 * Many clients call several servers of one database until the allocation is used up, and looks whether exactly as many
 * calls were let in; then the servers are stopped and started, and one is killed with -9:
 *
 *   npm run soak -- allocation --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * It makes a database of its own beside that one and drops it at the end. Ends with 1 when a number is wrong.
 */
const { values } = parseArgs({
  options: {
    allocation: { type: 'string', default: '10000' },
    processes: { type: 'string', default: '4' },
    clients: { type: 'string', default: '64' },
    'database-url': { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
  },
})
const allocation = Number(values.allocation)
const clients = Number(values.clients)

const agent = new Agent({ keepAlive: true, maxSockets: clients })

interface Answered {
  readonly status: number
  readonly usage: number
}

function call(address: string, token: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request(
      `${address}/services/data/v64.0/sobjects/Account`,
      { agent, headers },
      (response) => {
        response.resume().on('end', () => {
          const reported = /^api-usage=(\d+)\//.exec(String(response.headers['svc-limit-info']))?.[1]
          resolve({ status: response.statusCode!, usage: Number(reported) })
        })
      },
    )
    sent.on('error', reject).end()
  })
}

interface Sent {
  readonly accepted: number
  readonly refused: number
  readonly others: number
}

/** Each client calls one server after the other until it was refused ten times, or has made as many calls as it may. */
async function storm(servers: readonly ServerProcess[], token: string, max: number): Promise<Sent> {
  let [accepted, refused, others, begun] = [0, 0, 0, 0]
  const client = async (number: number) => {
    let refusals = 0
    for (let turn = number; refusals < 10 && begun < max; turn++) {
      begun++
      const { status } = await call(servers[turn % servers.length]!.address, token)
      if (status === 200) accepted++
      else if (status === 403) refused++
      else others++
      if (status === 403) refusals++
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return { accepted, refused, others }
}

const database = await makeOwnDatabase(values['database-url'], 'allocation')
const variables = { DATABASE_URL: database.url, OBJECTRY_ALLOCATION: values.allocation }
let servers: ServerProcess[] = []
let isRight = true

function expect(what: string, is: number, least: number, max = least): void {
  const holds = is >= least && is <= max
  isRight &&= holds
  const wanted = least === max ? `${least}` : `${least} to ${max}`
  console.log(`${holds ? 'right' : 'WRONG'}: ${what}: ${is}, wanted ${wanted}`)
}

const startAll = async (count: number) => {
  const first = await startServer(variables)
  const others = await Promise.all(Array.from({ length: count - 1 }, () => startServer(variables)))
  servers = [first, ...others]
  return first
}
const stopAll = (signal: NodeJS.Signals) => Promise.all(servers.map((server) => server.end(signal)))

try {
  const count = Number(values.processes)
  const first = await startAll(count)
  const token = await fetchToken(first.address, credentialsIn(first.greeting)!)

  const part = Math.floor(allocation / 4)
  const some = await storm(servers, token, part)
  expect('let in of the first quarter', some.accepted, part)
  await stopAll('SIGTERM')
  await startAll(count)
  expect('counted after SIGTERM and a start', (await call(servers[0]!.address, token)).usage, part + 1)

  const began = performance.now()
  const all = await storm(servers, token, Number.POSITIVE_INFINITY)
  const seconds = (performance.now() - began) / 1000
  console.log(
    `${Math.round((all.accepted + all.refused) / seconds)} calls a second, ${all.refused} of them refused`,
  )
  expect('let in by all together', some.accepted + 1 + all.accepted, allocation)
  expect('answered in another way', some.others + all.others, 0)
  expect('told as used', (await call(servers[1]!.address, token)).usage, allocation)

  await stopAll('SIGKILL')
  await startAll(count)
  const after = await storm(servers, token, allocation)
  // Counts of the last second before a kill may be forgotten; here everything was refused for longer.
  expect('let in after SIGKILL', after.accepted, 0, Math.ceil(allocation / 10))
} finally {
  await stopAll('SIGTERM')
  await database.drop()
}
process.exitCode = isRight ? 0 : 1
