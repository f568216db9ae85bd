import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { SECRET_KEY_BYTES } from '../auth/keys/secret-box.ts'
import { makeClientId, makeClientSecret } from '../auth/oauth/token-text.ts'
import { systemClock } from '../base/clock.ts'
import { readConfig } from '../config/config.ts'
import { openPglite } from '../storage/embedded/pglite.ts'
import { imageCache } from './image-cache.ts'

export interface StartOptions {
  /** Folder with objects, value sets, rules and triggers. */
  readonly deployment?: string
  /** Port to listen on; default a free one. */
  readonly port?: number
  /** True if fault injection is allowed: plans at `/setup/faults`, or the header `Svc-Fault`. */
  readonly allowFaults?: boolean
  /** Allowed calls in 24 hours; by default calls are counted and not limited. */
  readonly allocation?: number
}

/** An in-memory org for a test, behind a real server. */
export interface RunningOrg {
  /** The instance URL for clients: `http://127.0.0.1:43217`. */
  readonly url: string
  /** `http://127.0.0.1:43218`: the public site, for custom resources that the guest may call. */
  readonly siteUrl: string
  /** An access token of the administrator. */
  readonly token: string
  /** For clients that get their tokens themselves. */
  readonly clientId: string
  readonly clientSecret: string
  /** A call with the token; a path that does not start with `/services` or `/setup` is below the newest version. */
  call(method: string, path: string, body?: unknown): Promise<Answered>
  /** Saves the current state of the org under a name other than `ready`. */
  save(name: string): Promise<void>
  /** Restores the initial state of the org, or a saved state. */
  restore(name?: string): Promise<void>
  stop(): Promise<void>
}

export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what comes depends on what was asked
  readonly body: any
}

/** The snapshot of the initial state. */
const READY = 'ready'

async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | null,
): Promise<Answered> {
  const response = await fetch(url, { method, headers, body })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

type Caller = RunningOrg['call']

const makeCaller =
  (url: string, token: string): Caller =>
  (method, path, body) => {
    const address = /^\/(services|setup)\//.test(path) ? path : `/services/data/latest${path}`
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    return send(url + address, method, headers, body === undefined ? null : JSON.stringify(body))
  }

/** Calls the admin API. The call must succeed. */
async function setup(call: Caller, method: string, path: string, body?: unknown): Promise<void> {
  const { status, body: answer } = await call(method, `/setup/orgs/current/${path}`, body)
  if (status >= 300) throw new Error(answer[0].message)
}

/**
 * Starts an org in memory on a free port, with the deployment applied: `const org = await startOrg()`. The first
 * start with a deployment takes a few seconds and is cached in the system's temporary folder; later ones take less
 * than one.
 * @throws Error that says what is wrong with the deployment
 */
export async function startOrg({
  deployment,
  port = 0,
  allowFaults = false,
  allocation,
}: StartOptions = {}): Promise<RunningOrg> {
  const folder = deployment === undefined ? undefined : resolve(deployment)
  const cache = imageCache(folder)
  const image = cache.read()
  const { clientId, clientSecret, secretKey } = image ?? {
    clientId: makeClientId(),
    clientSecret: makeClientSecret(),
    secretKey: randomBytes(SECRET_KEY_BYTES).toString('base64'),
  }
  const config = readConfig(
    {},
    {
      ...{ data: 'memory', port: String(port), sitePort: '0', logLevel: 'silent', deployment: folder },
      ...{ clientId, clientSecret, secretKey },
      allowFaults: allowFaults ? 'headers' : 'false',
      allocation: allocation === undefined ? 'unlimited' : String(allocation),
      ...{ deliveredEvents: 'unlimited', publishedEvents: 'unlimited' },
    },
  )
  // The database engine starts on other threads while the modules are loaded.
  const opening = openPglite(undefined, { image: image?.data })
  const { start } = await import('../server/main.ts')
  const engine = await opening
  const { address, siteAddress, stop, issueToken } = await start(config, systemClock, engine)
  const token = await issueToken()
  const call = makeCaller(address, token)
  const put = (name: string) => setup(call, 'PUT', `snapshots/${name}`)
  if (image === undefined) {
    await put(READY)
    cache.write({ data: await engine.dumpImage(), clientId, clientSecret, secretKey })
  }
  return {
    url: address,
    siteUrl: siteAddress!,
    token,
    clientId,
    clientSecret,
    call,
    async save(name) {
      if (name.toLowerCase() === READY) {
        throw new Error(
          `"${READY}" is the state at the start, which restore() restores. Choose another name.`,
        )
      }
      await put(name)
    },
    restore: (name = READY) => setup(call, 'POST', 'restore', { snapshot: name }),
    stop: async () => void (await stop()),
  }
}
