import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { COMPILE_CACHE_FOLDER } from '../../scripts/test-cache-folder.ts'
import { copyDataFolder } from './template.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** The file of the command line: the sources, whatever bundle there is. */
export const COMMAND = join(import.meta.dirname, '../../src/cli/objectry.ts')

/** The environment of a process of ours, before its settings. It caches compiled code, as `bin/objectry.js` does. */
export const ENVIRONMENT = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER,
}

/** A process that lives for a few seconds spends more on optimising the embedded engine's code than that gains. */
export const V8_FLAGS = ['--liftoff-only']

/** The server as people start it: `objectry serve` as a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** Its standard output until it was ready. */
  readonly greeting: string
  readonly address: string
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending>
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Settings by the names of their variables. Little else is in the environment. */
export type Variables = Readonly<Record<string, string>>

/** Servers of one database have one key; without a setting it would lie in the folder that the tests run in. */
export const SECRET_KEY = { OBJECTRY_SECRET_KEY: Buffer.alloc(32, 'key').toString('base64') }

function run(
  variables: Variables,
  args: readonly string[] = [],
  wrapper: readonly string[] = [],
  command = COMMAND,
) {
  const env = {
    ...ENVIRONMENT,
    PORT: '0',
    SITE_PORT: '0',
    OBJECTRY_LOG_LEVEL: 'silent',
    // A soak sends more than an edition allows in a day.
    OBJECTRY_ALLOCATION: 'unlimited',
    OBJECTRY_DELIVERED_EVENTS: 'unlimited',
    ...SECRET_KEY,
    ...variables,
  }
  const [file, ...rest] = [...wrapper, process.execPath, ...V8_FLAGS, command, 'serve', ...args]
  const child = spawn(file!, rest, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', error: '' }
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    said.out += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    said.error += text
  })
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal }))
  return { child, said, ended }
}

/**
 * Starts a server that must come up.
 * @param wrapper a command and its arguments that run the server, such as `unshare`
 * @param command the file of the command line
 */
export async function startServer(
  variables: Variables,
  args?: readonly string[],
  wrapper?: readonly string[],
  command?: string,
): Promise<ServerProcess> {
  const { child, said, ended } = run(variables, args, wrapper, command)
  const ready = new Promise<string>((resolve) => {
    child.stdout!.on('data', () => {
      const address = /ready at (http:\/\/\S+)/.exec(said.out)?.[1]
      if (address !== undefined && said.out.endsWith('\n')) resolve(address)
    })
  })
  const failed = ended.then(({ code }) => {
    throw new Error(`the server ended with ${code}: ${said.error}`)
  })
  const address = await Promise.race([ready, failed])
  failed.catch(() => {})
  return {
    child,
    greeting: said.out,
    address,
    async end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts a server that must not come up: what it said, and its exit code. */
export async function failToStart(
  variables: Variables,
  args: readonly string[] = [],
  wrapper: readonly string[] = [],
) {
  const { said, ended } = run(variables, args, wrapper)
  const { code } = await ended
  return { code, ...said }
}

/** Client id and secret from the greeting of a first start. */
export function credentialsIn(greeting: string): { clientId: string; clientSecret: string } | undefined {
  const clientId = /client id +(\S.*)/.exec(greeting)?.[1]
  const clientSecret = /client secret +(\S.*)/.exec(greeting)?.[1]
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

/** An access token by client credentials. */
export async function fetchToken(
  address: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const body = new URLSearchParams(form)
  const response = await fetch(`${address}/services/oauth2/token`, { method: 'POST', body })
  const text = await response.text()
  if (!response.ok) throw new Error(`no token: ${response.status} ${text}`)
  return JSON.parse(text).access_token
}

/**
 * A folder for the embedded engine, and the function that removes it. The engine was started in it before, which takes a
 * first start the longest time: a server that starts on it makes its first org.
 */
export function makeDataFolder(): { readonly data: string; remove(): void } {
  const { folder, remove } = makeTemporaryFolder()
  const data = join(folder, 'data')
  copyDataFolder(data)
  return { data, remove }
}
