import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Logger } from 'pino'
import { createApp } from '../../src/auth/apps/create-app.ts'
import { makeFirstApp } from '../../src/auth/apps/first-app.ts'
import { makeClientId } from '../../src/auth/oauth/token-text.ts'
import { Sessions } from '../../src/auth/tokens/sessions.ts'
import { type Clock, secondsText, systemClock } from '../../src/base/clock.ts'
import { type Config, readConfig, type Texts } from '../../src/config/config.ts'
import type { Triggers } from '../../src/context.ts'
import { CodeStore } from '../../src/customrest/code-store.ts'
import { provisionOrg } from '../../src/orgs/provision-org.ts'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { assemble, makeBackgroundWork, type Services } from '../../src/server/assemble.ts'
import type { Db, Engine } from '../../src/storage/database/db.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { RecordIds } from '../../src/storage/orgs/record-ids.ts'
import { afterFile } from './after-file.ts'
import { sharedEngine, takeOrg } from './engine.ts'
import { SECRETS } from './secrets.ts'
import { ADMIN_USERNAME } from './template.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  /** Parsed JSON; undefined when nothing came. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly text: string
}

export interface Sent {
  readonly body?: unknown
  /** The body as it stands on the wire, instead of `body`. */
  readonly text?: string | Buffer | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An org of its own for one test, and a client of its API. */
export interface TestOrg {
  readonly org: Org
  readonly db: Db
  readonly server: FastifyInstance
  readonly site: FastifyInstance
  readonly userId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly token: string
  /** Messages about the deployment's code. */
  readonly said: readonly string[]
  /** A call with the token. A path that does not start with /services or /setup is below `/services/data/v64.0`. */
  call(method: string, path: string, sent?: Sent): Promise<Answer>
  /** Creates a record and gives its id; fails the test when it is refused. */
  create(object: string, fields: Record<string, unknown>): Promise<string>
  readonly services: Services
  /** Adds objects and fields to the org's schema. */
  deploy(objects: readonly ObjectDefinition[]): Promise<void>
}

interface OrgOptions {
  /** Settings by their names, as texts. */
  readonly settings?: Texts | undefined
  readonly clock?: Clock
  readonly triggers?: Triggers
  /** The host that is the org's own. */
  readonly host?: string | undefined
  /** Folder with resources and jobs. */
  readonly deployment?: string
  /** Where its servers write what they tell; default nowhere. */
  readonly log?: Logger
  /** Its database; default that of the test file. */
  readonly engine?: Engine
}

async function openCode(
  deployment: string,
  config: Config,
  said: (message: string) => void,
): Promise<CodeStore> {
  return CodeStore.open(deployment, {
    threads: 1,
    megabytes: config.handlerMemory,
    watch: config.watch,
    observe: (observation) => {
      if (observation.kind === 'notice' || observation.kind === 'said') said(observation.message)
    },
  })
}

export const CLIENT_SECRET = 'a secret of the tests'

export function makeAnswer(response: Awaited<ReturnType<FastifyInstance['inject']>>): Answer {
  const json = /^application\/([\w.-]+\+)?json/.test(String(response.headers['content-type'] ?? ''))
  return {
    status: response.statusCode,
    headers: response.headers,
    body: json && response.body !== '' ? JSON.parse(response.body) : undefined,
    text: response.body,
  }
}

/** The clients of each org come from an address of their own: what one test does wrong is not held against another. */
function comeFrom(server: FastifyInstance, address: string): void {
  const inject = server.inject.bind(server) as (options: InjectOptions) => ReturnType<typeof server.inject>
  const injectFrom = (options: InjectOptions) => inject({ remoteAddress: address, ...options })
  server.inject = injectFrom as typeof server.inject
}

const someAddress = () => `10.${[...randomBytes(3)].join('.')}`

export async function openOrg({
  settings,
  clock = systemClock,
  triggers,
  deployment,
  host,
  log,
  engine: ownEngine,
}: OrgOptions = {}): Promise<TestOrg> {
  const engine = ownEngine ?? (await sharedEngine())
  const { db } = engine
  const config = readConfig({}, { logLevel: 'silent', watch: 'false', ...settings })
  const { org, userId } =
    (await takeOrg(engine, secondsText(clock()), host)) ??
    (await provisionOrg(db, 'Test', { username: ADMIN_USERNAME }, clock(), host))
  const clientId = makeClientId()
  const app = { clientId, clientSecret: CLIENT_SECRET, ...makeFirstApp(userId) }
  await createApp(db, SECRETS, org, app, { userId, now: clock(), ids: new RecordIds(org, db) })
  const sessions = new Sessions(db, () => clock, config.sessionSeconds)
  const token = await sessions.issue({ org, clientId, userId, scopes: ['api'], grantType: 'test' })
  const said: string[] = []
  const code =
    deployment === undefined ? undefined : await openCode(deployment, config, (message) => said.push(message))
  const added = { triggers, code, queueSchema: `jobs_of_${org.schemaName}` }
  const { services, server, site } = assemble(engine, config, clock, SECRETS, added, log)
  for (const one of [server, site]) comeFrom(one, someAddress())
  afterFile(async () => {
    await services.queue.close()
    await code?.close()
  })
  if (code !== undefined) await code.followBy(makeBackgroundWork(services))

  const call: TestOrg['call'] = async (method, path, sent = {}) => {
    // A call is no use of a record, so that reading one twice gives the same.
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      'svc-mru': 'updateMru=false',
    }
    if (sent.body !== undefined || sent.text !== undefined) headers['content-type'] = 'application/json'
    const payload = sent.text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const options: InjectOptions = {
      method: method as 'GET',
      url: /^\/(services|setup)?\//.test(path) ? path : `/services/data/v64.0${path}`,
      headers: { ...headers, ...sent.headers },
      ...(payload !== undefined && { payload }),
    }
    return makeAnswer(await server.inject(options))
  }
  return {
    org,
    db,
    server,
    site,
    said,
    userId,
    clientId,
    clientSecret: CLIENT_SECRET,
    token,
    services,
    call,
    async create(object, fields) {
      const answer = await call('POST', `/sobjects/${object}`, { body: fields })
      if (answer.status !== 201) throw new Error(`create ${object}: ${answer.status} ${answer.text}`)
      return answer.body.id
    },
    async deploy(objects) {
      await services.runtimes.of(org).snapshots.deploy(services.db, { objects })
    },
  }
}
