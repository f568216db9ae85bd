import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/callers.ts'
import type { AttemptCounter } from '../auth/attempt-counter.ts'
import type { SecretBox } from '../auth/secret-box.ts'
import type { Session, Sessions } from '../auth/sessions.ts'
import type { Clock } from '../base/clock.ts'
import type { Observe } from '../base/observation.ts'
import type { DataPath } from '../calls/data-path.ts'
import type { OrgRuntime, OrgRuntimes } from '../calls/org-runtimes.ts'
import type { Reply } from '../calls/reply.ts'
import type { Dispatch } from '../calls/route.ts'
import type { Config } from '../config.ts'
import type { Triggers } from '../context.ts'
import type { SchemaSnapshot } from '../schema/snapshot.ts'
import type { Db } from '../storage/db.ts'
import type { OrgHosts } from '../storage/org-hosts.ts'

/** What the doors work with; made once by `main.ts`. */
export interface House {
  readonly config: Config
  readonly db: Db
  readonly sessions: Sessions
  /** Opens the secrets in the database. */
  readonly secrets: SecretBox
  readonly runtimes: OrgRuntimes
  readonly hosts: OrgHosts
  readonly dispatch: Dispatch
  /** The same for the set-up door. */
  readonly dispatchSetup: Dispatch
  readonly triggers: Triggers
  /** How often somebody may be wrong, counted by this process. */
  readonly attempts: {
    /** Wrong passwords, by address. */
    readonly logIn: AttemptCounter
    /** Wrong codes of devices, by user. */
    readonly userCode: AttemptCounter
  }
  readonly clock: Clock
  readonly observe: Observe
}

/** One request on its way through the stages of a door. Each stage fills in what later ones need. */
export interface Visit {
  readonly house: House
  readonly request: FastifyRequest
  readonly response: FastifyReply
  /** Path without repeated slashes, still encoded, and what followed the question mark. */
  readonly path: string
  readonly query: URLSearchParams
  /** As clients see this server: `https://records.example.com`. */
  readonly origin: string
  /** The body's bytes, unpacked; empty when there is none. */
  bytes: Buffer
  method: string
  target?: DataPath
  runtime?: OrgRuntime
  session?: Session
  caller?: Caller
  schema?: SchemaSnapshot
}

/** One step of a door. A reply ends the visit; an ApiError does too, in the door's shape. */
export type Stage = (visit: Visit) => Promise<Reply | undefined> | Reply | undefined

const HOST = /^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/

/** Where clients reach this server: the setting, else the host that this request named. */
function originOf(request: FastifyRequest, config: Config): string {
  if (config.publicUrl !== undefined) return config.publicUrl
  const host = request.headers.host ?? ''
  return HOST.test(host) ? `http://${host}` : `http://${config.host}:${config.port}`
}

export function makeVisit(house: House, request: FastifyRequest, response: FastifyReply): Visit {
  const url = request.raw.url ?? '/'
  const mark = url.indexOf('?')
  const rawPath = mark < 0 ? url : url.slice(0, mark)
  return {
    house,
    request,
    response,
    path: rawPath.replace(/\/{2,}/g, '/'),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    origin: originOf(request, house.config),
    bytes: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    method: request.method,
  }
}
