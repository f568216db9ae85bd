import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { HttpError, OrgError } from '../sdk/errors.ts'
import { jsonText } from '../sdk/reply.ts'
import { loadModule, locationIn } from './load-module.ts'
import {
  type Arguments,
  type FromThread,
  FUNCTION,
  OPERATIONS,
  type Returned,
  type ThreadData,
  type ThrownError,
  type ToThread,
} from './messages.ts'

// The thread that a deployment's own code runs in: it has no access to the server but by messages, so it can hang, run
// out of memory or exit without harm to anybody but the calls in it.

const port = parentPort!
const say = (message: FromThread) => port.postMessage(message)

const SDK = new URL(`../sdk/objectry${import.meta.filename.endsWith('.js') ? '.js' : '.ts'}`, import.meta.url)
  .href

// A deployment is a folder, not a package: it imports us by name although nothing is installed in it.
registerHooks({
  resolve: (name, context, next) =>
    name === 'objectry' ? { url: SDK, shortCircuit: true } : next(name, context),
})

/** Default exports by file. */
const modules = new Map<string, unknown>()

/** The part of a module that is sent: data as it is, and a mark for each function. */
function makeShape(value: unknown): unknown {
  if (typeof value === 'function') return FUNCTION
  if (Array.isArray(value)) return value.map(makeShape)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, makeShape(member)]))
}

async function load({ files }: ThreadData): Promise<void> {
  try {
    for (const { kind, file } of files) modules.set(file, await loadModule(kind, file))
    say({
      kind: 'loaded',
      modules: [...modules].map(([file, exported]) => ({ file, shape: makeShape(exported) })),
    })
  } catch (error) {
    say({ kind: 'broken', message: (error as Error).message })
  }
}

/** Calls that come meanwhile wait. */
const loading = load(workerData as ThreadData)

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

const waiting = new Map<number, Waiting>()
let requested = 0

/** Asks the server to do something in the call's transaction. */
function ask(call: number, name: string, args: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const operation = ++requested
    say({ kind: 'operation', call, operation, name, args })
    waiting.set(operation, { resolve, reject })
  })
}

/** The org as deployed code has it here: every operation is a question to the server. */
function makeOrg(call: number, userId: string): object {
  const operations = OPERATIONS.map((name) => [name, (...args: unknown[]) => ask(call, name, args)] as const)
  return Object.freeze({ userId, ...Object.fromEntries(operations) })
}

async function makeReturned(value: unknown): Promise<Returned> {
  if (!(value instanceof Response)) return { json: jsonText(value) }
  const bytes = new Uint8Array(await value.arrayBuffer())
  return { status: value.status, headers: Object.fromEntries(value.headers), bytes }
}

function makeThrown(error: unknown, file: string): ThrownError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), location: '' }
  const { name, message, stack } = error
  const thrown = { name, message, location: locationIn(stack, file) }
  if (error instanceof HttpError) return { ...thrown, status: error.status }
  return error instanceof OrgError ? { ...thrown, errors: error.errors } : thrown
}

/** `process` or `webhook.process` of a default export. */
function functionAt(file: string, member: string): (...args: unknown[]) => unknown {
  let holder: unknown
  let found = modules.get(file)
  for (const name of member.split('.')) {
    holder = found
    found = (found as Record<string, unknown>)[name]
  }
  return (found as (...args: unknown[]) => unknown).bind(holder)
}

async function carryOut(call: number, file: string, member: string, { input, about, userId }: Arguments) {
  try {
    await loading
    const org = userId === undefined ? [] : [makeOrg(call, userId)]
    const value = await functionAt(file, member)(input, ...org, about)
    say({ kind: 'returned', call, returned: await makeReturned(value) })
  } catch (error) {
    say({ kind: 'threw', call, error: makeThrown(error, file) })
  }
}

function settle(operation: number, what: (waiting: Waiting) => void): void {
  const queryContext = waiting.get(operation)
  waiting.delete(operation)
  if (queryContext !== undefined) what(queryContext)
}

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'call':
      void carryOut(message.call, message.file, message.member, message.with)
      return
    case 'answer':
      settle(message.operation, ({ resolve }) => resolve(message.value))
      return
    case 'refusal':
      settle(message.operation, ({ reject }) => reject(new OrgError(message.message, message.errors)))
      return
    case 'ping':
      say({ kind: 'pong' })
  }
})

// A rejection that nobody handles must not end the calls beside it.
const reportStray = (error: unknown) =>
  say({ kind: 'stray', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
process.on('uncaughtException', reportStray)
process.on('unhandledRejection', reportStray)
