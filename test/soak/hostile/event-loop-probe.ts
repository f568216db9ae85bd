import { createServer, type Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into a server before its own code (`node --import`): tells whoever connects to the socket named by EVENT_LOOP_PROBE how
 * long its event loop was held and when its heap was larger than ever, a line of JSON for each.
 */

const TICK_MS = 5

/** Shorter holds are not told. */
const LEAST_MS = 20

/** By how many megabytes the heap must have grown to be told. */
const HEAP_STEP = 4

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
  const tell = (line: object) => {
    for (const socket of listeners) socket.write(`${JSON.stringify(line)}\n`)
  }
  let mostHeap = 0
  let last = performance.now()
  let lastCpu = cpuMs()
  setInterval(() => {
    const now = performance.now()
    const cpu = cpuMs()
    const ms = now - last - TICK_MS
    if (ms >= LEAST_MS) {
      tell({ began: performance.timeOrigin + last, ms, cpuMs: cpu - lastCpu })
    }
    const heap = getHeapStatistics().used_heap_size / 2 ** 20
    if (heap > mostHeap + HEAP_STEP) {
      mostHeap = heap
      tell({ heap })
    }
    last = now
    lastCpu = cpu
  }, TICK_MS).unref()
}
