import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/callers.ts'
import type { Attempts } from '../auth/attempts.ts'
import type { SecretBox } from '../auth/secret-box.ts'
import type { Session, Sessions } from '../auth/sessions.ts'
import type { Clock } from '../base/clock.ts'
import type { Observe } from '../base/observation.ts'
import type { DataPath } from '../calls/data-path.ts'
import type { OrgRuntime, OrgRuntimes } from '../calls/org-runtimes.ts'
import type { Reply } from '../calls/reply.ts'
import type { Dispatch } from '../calls/route.ts'
import type { Config } from '../config.ts'
import type { Background, Triggers } from '../context.ts'
import type { DeployedCode } from '../customrest/deployed-code.ts'
import type { Resource } from '../customrest/resource.ts'
import type { DeliveryLog } from '../customrest/webhooks/delivery-log.ts'
import type { CallFaults } from '../faults/call-faults.ts'
import type { FaultEffect } from '../faults/fault-plan.ts'
import type { FaultStore, Met } from '../faults/fault-store.ts'
import type { Journal } from '../faults/journal/journal.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { Ledger } from '../limits/ledger.ts'
import type { RateCounter } from '../limits/rate-counter.ts'
import type { RunningCall, RunningCalls } from '../limits/running-calls.ts'
import type { RecentlyUsed } from '../recent/recently-used.ts'
import type { SchemaSnapshot } from '../schema/snapshot.ts'
import type { Db, Engine } from '../storage/db.ts'
import type { OrgClocks } from '../storage/org-clocks.ts'
import type { OrgHosts } from '../storage/org-hosts.ts'

/** What the doors work with; made once by `main.ts`. */
export interface House {
  readonly config: Config
  /** For background work. */
  readonly db: Db
  /** For what must not wait behind calls: tokens, and what every call needs to know before it begins. */
  readonly reserved: Db
  /** A `Db` of a call's own. */
  readonly watched: Engine['watched']
  /** What this process is carrying out. */
  readonly running: RunningCalls
  readonly sessions: Sessions
  /** Opens the secrets in the database. */
  readonly secrets: SecretBox
  readonly runtimes: OrgRuntimes
  readonly hosts: OrgHosts
  readonly dispatch: Dispatch
  /** The same for the set-up door. */
  readonly dispatchSetup: Dispatch
  readonly triggers: Triggers
  readonly background: Background
  /** The deployment's own code as it is by now. */
  readonly code: { readonly current: DeployedCode | undefined }
  /** Where what is done later waits. */
  readonly queue: JobQueue
  readonly deliveries: DeliveryLog
  /** How many deliveries receivers accept, counted by this process. */
  readonly rates: RateCounter
  /** How many calls a caller makes, counted by this process. */
  readonly callRates: RateCounter
  /** How often somebody was wrong, counted over all servers. */
  readonly attempts: Attempts
  /** The machine's time, and that of each org. */
  readonly clock: Clock
  readonly clocks: OrgClocks
  /** Who used which records lately. */
  readonly recent: RecentlyUsed
  /** Counts the calls. */
  readonly ledger: Ledger
  readonly observe: Observe
  /** What calls came, for the report of a test run; undefined: none is kept. */
  readonly journal: Journal | undefined
  /** The failures that orgs rehearse; undefined: the settings allow none. */
  readonly faults: FaultStore | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    visit?: Visit
  }
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
  /** The body's bytes, as they came until they are unpacked; empty when there is none, or it was not read yet. */
  bytes: Buffer
  method: string
  target?: DataPath
  /** The way in. */
  door?: string
  /** What is asked for, as one of few names; undefined: something that is not there. */
  route?: string
  running?: RunningCall
  runtime?: OrgRuntime
  session?: Session
  caller?: Caller
  schema?: SchemaSnapshot
  /** The custom resource that the path names, and the parts of the path that it names. */
  resource?: Resource
  params?: Readonly<Record<string, string>>
  /** The failures that the call has met. */
  met?: readonly Met[]
  /** What is rehearsed in the call that the visit is. */
  faults?: CallFaults | undefined
  /** The call is carried out and nobody is told. */
  isCutAfterwards?: boolean
  /** It counted toward the allocation. */
  isCounted?: boolean
  /** The answer says nothing about the calls that are left. */
  hidesLimitHeader?: boolean
  /** What is to happen to a delivery. */
  rehearsedDelivery?: FaultEffect['delivery']
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

const NO_BYTES = Buffer.alloc(0)

/** Longest address, in bytes. Of a longer one the parameters are not even read. */
export const MAX_URI_LENGTH = 32_768

export function makeVisit(house: House, request: FastifyRequest, response: FastifyReply): Visit {
  const url = request.raw.url ?? '/'
  const mark = url.indexOf('?')
  const rawPath = mark < 0 ? url : url.slice(0, mark)
  return {
    house,
    request,
    response,
    path: rawPath.replace(/\/{2,}/g, '/'),
    query: new URLSearchParams(mark < 0 || url.length > MAX_URI_LENGTH ? '' : url.slice(mark + 1)),
    origin: originOf(request, house.config),
    bytes: NO_BYTES,
    method: request.method,
  }
}
