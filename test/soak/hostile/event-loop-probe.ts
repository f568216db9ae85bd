import { createServer, type Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into a server before its own code (`node --import`): tells whoever connects to the socket named by EVENT_LOOP_PROBE how
 * long its event loop was held, a line of JSON for each hold.
 */

const TICK_MS = 5

/** Shorter holds are not told. */
const LEAST_MS = 20

if (isMainThread) {
  const listeners = new Set<Socket>()
  createServer((socket) => {
    listeners.add(socket.unref())
    socket.on('close', () => listeners.delete(socket)).on('error', () => {})
  })
    .listen(process.env.EVENT_LOOP_PROBE)
    .unref()
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = performance.now()
  let lastCpu = cpuMs()
  setInterval(() => {
    const now = performance.now()
    const cpu = cpuMs()
    const ms = now - last - TICK_MS
    if (ms >= LEAST_MS) {
      const line = JSON.stringify({ began: performance.timeOrigin + last, ms, cpuMs: cpu - lastCpu })
      for (const socket of listeners) socket.write(`${line}\n`)
    }
    last = now
    lastCpu = cpu
  }, TICK_MS).unref()
}
