import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { now } from './hold-watch.ts'
import type { HostileRequest } from './hostile-request.ts'

/** The end of a request. */
export interface Outcome {
  /** Statuses in the order of their coming; `cut`: the connection ended without any; `hang`: neither came in time. */
  readonly answer: string
  readonly began: number
  readonly ended: number
  /** The start of what came back. */
  readonly text: string
  readonly isFailure: boolean
}

/** As much of an answer is looked through. */
const MAX_KEPT = 1024 * 1024

/** Nothing comes any more when nothing came for this long, in milliseconds. */
const LULL_MS = 1500

const STATUS_LINE = /HTTP\/1\.1 (\d{3})/g

/** Statuses of operations inside an answer. */
const INNER_500 = /"(?:httpStatusCode|statusCode)":\s*500\b/

/** Faults of SOAP are 500, whatever is wrong: the code says whether the client is at fault. */
const FAULT = /<soapenv:Fault>.*<sf:exceptionCode>(?!UNKNOWN_EXCEPTION)/s

const isRefusedBySoap = (kept: string) => FAULT.test(kept)

async function write(socket: Socket, bytes: ReturnType<HostileRequest['bytes']>): Promise<void> {
  for await (const piece of bytes) {
    if (socket.destroyed) return
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
}

/** `200 x 1000` for many answers on one connection. */
function makeLabel(statuses: readonly string[]): string {
  const counts = Map.groupBy(statuses, (status) => status)
  return [...counts]
    .map(([status, { length }]) => (length === 1 ? status : `${status} x ${length}`))
    .join(', ')
}

/** Sends a request over a connection of its own, and never throws. */
export async function sendHostile(
  request: HostileRequest,
  addresses: Readonly<Record<'main' | 'site', string>>,
  bound: number,
): Promise<Outcome> {
  const { hostname, port } = new URL(addresses[request.listener])
  const began = now()
  const socket = connect({ host: hostname, port: Number(port) })
  let kept = ''
  let statuses: string[] = []
  const closed = new Promise<'closed'>((resolve) => socket.once('close', () => resolve('closed')))
  socket.on('error', () => {})
  socket.on('data', (data) => {
    lull?.refresh()
    if (kept.length < MAX_KEPT) kept += data.toString('latin1')
  })
  socket.on('end', () => socket.destroy())
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), request.limitMs ?? bound)
  let lull: NodeJS.Timeout | undefined
  void write(socket, request.bytes()).then(
    () => {
      if (request.mayBeIncomplete) lull = setTimeout(() => socket.end(), LULL_MS)
    },
    () => socket.destroy(),
  )
  const end = await Promise.race([closed, late])
  clearTimeout(timer)
  clearTimeout(lull)
  socket.destroy()
  statuses = [...kept.matchAll(STATUS_LINE)].map(([, status]) => status!).filter((status) => status !== '100')
  const answer = end === 'late' ? 'hang' : statuses.length === 0 ? 'cut' : makeLabel(statuses)
  return {
    answer,
    began,
    ended: now(),
    text: kept.slice(0, 2000),
    isFailure:
      answer === 'hang' || (statuses.includes('500') && !isRefusedBySoap(kept)) || INNER_500.test(kept),
  }
}
