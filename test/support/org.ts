import type { FastifyInstance, InjectOptions } from 'fastify'
import { createApp } from '../../src/auth/apps/create-app.ts'
import { firstAppOf } from '../../src/auth/apps/first-app.ts'
import { Sessions } from '../../src/auth/sessions.ts'
import { makeClientId } from '../../src/auth/token-text.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Triggers } from '../../src/context.ts'
import { provisionOrg } from '../../src/deployment/provision-org.ts'
import type { House } from '../../src/http/visit.ts'
import { assemble } from '../../src/main.ts'
import type { ObjectDefinition } from '../../src/schema/definition.ts'
import type { Db } from '../../src/storage/db.ts'
import type { Org } from '../../src/storage/org.ts'
import { RecordIds } from '../../src/storage/record-ids.ts'
import { sharedEngine } from './engine.ts'
import { SECRETS } from './secrets.ts'

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
  readonly text?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** An org of its own for one test, and a client that comes in by the door. */
export interface TestOrg {
  readonly org: Org
  readonly db: Db
  readonly server: FastifyInstance
  readonly userId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly token: string
  /** A call with the token. A path that does not start with /services or /setup is below `/services/data/v64.0`. */
  call(method: string, path: string, sent?: Sent): Promise<Answer>
  /** Creates a record and gives its id; fails the test when it is refused. */
  create(object: string, fields: Record<string, unknown>): Promise<string>
  readonly house: House
  /** Adds objects and fields to the org's schema. */
  deploy(objects: readonly ObjectDefinition[]): Promise<void>
}

interface OrgOptions {
  /** Settings by the names of `Config`, as texts. */
  readonly settings?: { readonly [Name in keyof Config]?: string }
  readonly clock?: Clock
  readonly triggers?: Triggers
}

export const CLIENT_SECRET = 'a secret of the tests'

export function answerOf(response: Awaited<ReturnType<FastifyInstance['inject']>>): Answer {
  const json = String(response.headers['content-type'] ?? '').startsWith('application/json')
  return {
    status: response.statusCode,
    headers: response.headers,
    body: json && response.body !== '' ? JSON.parse(response.body) : undefined,
    text: response.body,
  }
}

export async function openOrg({
  settings,
  clock = systemClock,
  triggers,
}: OrgOptions = {}): Promise<TestOrg> {
  const engine = await sharedEngine()
  const { db } = engine
  const config = readConfig({}, { logLevel: 'silent', ...settings })
  const username = 'admin@objectry.test'
  const { org, userId } = await provisionOrg(db, 'Test', { username }, clock())
  const clientId = makeClientId()
  const app = { clientId, clientSecret: CLIENT_SECRET, ...firstAppOf(userId) }
  await createApp(db, SECRETS, org, app, { userId, now: clock(), ids: new RecordIds(org, db) })
  const sessions = new Sessions(db, clock, config.sessionSeconds)
  const token = await sessions.issue({ org, clientId, userId, scopes: ['api'], grantType: 'test' })
  const { house, server } = assemble(engine, config, clock, SECRETS, triggers)

  const call: TestOrg['call'] = async (method, path, sent = {}) => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (sent.body !== undefined || sent.text !== undefined) headers['content-type'] = 'application/json'
    const options: InjectOptions = {
      method: method as 'GET',
      url: /^\/(services|setup)?\//.test(path) ? path : `/services/data/v64.0${path}`,
      headers: { ...headers, ...sent.headers },
      payload: sent.text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body)),
    }
    return answerOf(await server.inject(options))
  }
  return {
    org,
    db,
    server,
    userId,
    clientId,
    clientSecret: CLIENT_SECRET,
    token,
    house,
    call,
    async create(object, fields) {
      const answer = await call('POST', `/sobjects/${object}`, { body: fields })
      if (answer.status !== 201) throw new Error(`create ${object}: ${answer.status} ${answer.text}`)
      return answer.body.id
    },
    async deploy(objects) {
      await house.runtimes.of(org).snapshots.deploy({ objects })
    },
  }
}
