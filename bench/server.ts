import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readCpuTime } from './processor-time.ts'

/** A server under load, in a process of its own. */
export interface BenchServer {
  readonly origin: string
  /** Processor time that the process has used so far, in milliseconds (Linux only). */
  cpu(): number
  /** Memory that it holds now, in MiB (Linux only). */
  memory(): number
  stop(): Promise<void>
}

/** This checkout. */
export const ROOT = join(import.meta.dirname, '..')

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

const START_TIMEOUT_MS = 30 * 60_000

/** Asks until the answer is a success. */
export async function awaitAnswer(ask: () => Promise<Response>, child: ChildProcess, pauseMs: number) {
  const end = performance.now() + START_TIMEOUT_MS
  while (performance.now() < end) {
    if (hasEnded(child)) throw new Error(`the server left with ${child.exitCode ?? child.signalCode}`)
    const response = await ask().catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Error('the server does not answer')
}

function readMemory(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1024
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

const KILL_AFTER_MS = 35_000

function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return Promise.resolve()
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
    child.on('exit', () => {
      clearTimeout(kill)
      resolve()
    })
    child.kill('SIGTERM')
  })
}

const children = new Set<ChildProcess>()
// However the bench ends, its servers end too.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

interface Launched extends BenchServer {
  readonly child: ChildProcess
}

/**
 * Starts a server and waits for nothing. What it prints is dropped, as a service's output goes to a file and not to a reader
 * on the same processors.
 */
export async function launchServer(
  file: string,
  args: readonly string[],
  environment: Record<string, string>,
  folder = ROOT,
): Promise<Launched> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(folder, file), ...args], {
    cwd: folder,
    // A bench sends more than an edition allows in a day.
    env: {
      ...process.env,
      OBJECTRY_ALLOCATION: 'unlimited',
      ...environment,
      PORT: String(port),
      SITE_PORT: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.add(child)
  child.on('exit', () => children.delete(child))
  return {
    child,
    origin: `http://127.0.0.1:${port}`,
    cpu: () => readCpuTime(child.pid!),
    memory: () => readMemory(child.pid!),
    stop: () => end(child),
  }
}

/** Starts a server and waits until it answers. */
export async function startServer(
  file: string,
  args: readonly string[],
  environment: Record<string, string>,
  folder = ROOT,
): Promise<BenchServer> {
  const server = await launchServer(file, args, environment, folder)
  await awaitAnswer(() => fetch(`${server.origin}/healthz`), server.child, 50)
  return server
}

/** Objectry of this checkout or of another one. */
export const startOurs = (environment: Record<string, string>, folder = ROOT) =>
  startServer('src/cli/objectry.ts', ['serve'], environment, folder)
