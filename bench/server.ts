import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** A server under load, in a process of its own. */
export interface BenchServer {
  readonly origin: string
  /** Processor time that the process has used so far, in milliseconds (Linux only). */
  cpu(): number
  /** Memory that it holds now, in MiB (Linux only). */
  memory(): number
  stop(): Promise<void>
}

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

async function answers(origin: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`the server left with ${child.exitCode}`)
    const response = await fetch(`${origin}/healthz`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the server does not answer')
}

/** Ticks of the clock by which Linux counts processor time, in milliseconds. */
const TICK = 10

function readCpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK
}

function readMemory(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1024
}

/** What it prints is dropped, as a service's output goes to a file and not to a reader on the same processors. */
export async function startServer(
  file: string,
  args: string[],
  environment: Record<string, string>,
): Promise<BenchServer> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [file, ...args], {
    // What a bench sends is more than an edition allows in a day.
    env: {
      ...process.env,
      OBJECTRY_ALLOCATION: 'unlimited',
      ...environment,
      PORT: String(port),
      SITE_PORT: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await answers(origin, child)
  return {
    origin,
    cpu: () => readCpuTime(child.pid!),
    memory: () => readMemory(child.pid!),
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

export const startOurs = (environment: Record<string, string>) =>
  startServer('src/cli/objectry.ts', ['serve'], environment)

export const startBaseline = (environment: Record<string, string>) =>
  startServer('bench/baseline.ts', [], environment)
