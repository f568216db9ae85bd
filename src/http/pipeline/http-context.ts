import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/callers.ts'
import type { Session } from '../../auth/tokens/sessions.ts'
import type { DataPath } from '../../calls/data-path.ts'
import type { OrgRuntime } from '../../calls/org-runtimes.ts'
import type { Config } from '../../config/config.ts'
import type { RunningCall } from '../../quota/running-calls.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'

/** Context of every request. Middleware adds the parts below. */
export interface HttpContext {
  readonly request: FastifyRequest
  readonly response: FastifyReply
  /** Path with one slash at its start, still encoded. */
  readonly path: string
  /** The query string. */
  readonly query: URLSearchParams
  /** The server's address as the client sees it: `https://records.example.com`. */
  readonly origin: string
  readonly facts: RequestFacts
  method: string
  /** The body, as it came until it is unpacked; empty when there is none, or it was not read yet. */
  bytes: Buffer
}

/** The org is known. */
export interface InOrg {
  readonly runtime: OrgRuntime
}

/** Who calls, in which org. */
export interface Identified extends InOrg {
  readonly caller: Caller
  /** Undefined for the guest of the public site. */
  readonly session: Session | undefined
}

/** The caller has a token. */
export interface Authenticated extends Identified {
  readonly session: Session
}

/** The version and the resource that the path names. */
export interface Routed {
  readonly target: DataPath
}

/** The schema that the request is carried out with. */
export interface WithSchema {
  readonly schema: SchemaSnapshot
}

/** The call has begun, and its time is bounded. */
export interface Started {
  readonly running: RunningCall
}

/** The memory for the body of a request. */
export interface BodyMemory {
  /** @param onTooSlow called when the body comes too slowly while others wait */
  begin(onTooSlow: (error: Error) => void): void
  /**
   * @param length how much has come
   * @returns undefined: it may go on
   */
  needsMore(length: number): Promise<void> | undefined
  /** All has come. */
  end(): void
  release(): void
}

/**
 * Facts of a request for the log, metrics and the journal, however far it got. Middleware adds them as it finds them out.
 */
interface RequestFacts {
  /** The endpoint group. */
  readonly endpoint: string
  /** The pattern of what is asked for, one of few; undefined: nothing is there, or nobody has looked yet. */
  route: string | undefined
  /** The path as logs may have it, without values of encrypted fields; undefined: it was not looked at yet. */
  shownPath: string | undefined
  /** Undefined before the call begins. */
  running: RunningCall | undefined
  /** The memory for its body; undefined: the body is small, or has not begun to come. */
  bodyMemory: BodyMemory | undefined
  /** It counts toward the allocation. */
  isCounted: boolean
  /** The fault plans that matched. */
  faultNames: readonly string[]
}

declare module 'fastify' {
  interface FastifyRequest {
    facts?: RequestFacts
  }
}

export const makeFacts = (endpoint: string, route: string | undefined): RequestFacts => ({
  endpoint,
  route,
  shownPath: undefined,
  running: undefined,
  bodyMemory: undefined,
  isCounted: false,
  faultNames: [],
})

const HOST = /^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/

/** Settings that determine the server's address for clients. */
export type AddressSettings = Pick<Config, 'publicUrl' | 'host' | 'port' | 'lenient'>

/** Where clients reach this server: the setting, else the host that this request named. */
function getOrigin(request: FastifyRequest, config: AddressSettings): string {
  if (config.publicUrl !== undefined) return config.publicUrl
  const host = request.headers.host ?? ''
  return HOST.test(host) ? `http://${host}` : `http://${config.host}:${config.port}`
}

const NO_BYTES = Buffer.alloc(0)

/** In bytes. The parameters of a longer address are not parsed. */
export const getMaxUriLength = ({ lenient }: Pick<Config, 'lenient'>) => (lenient ? 32_768 : 16_384)

export function makeHttpContext(
  config: AddressSettings,
  request: FastifyRequest,
  response: FastifyReply,
  facts: RequestFacts,
): HttpContext {
  const url = request.raw.url ?? '/'
  const mark = url.indexOf('?')
  const rawPath = mark < 0 ? url : url.slice(0, mark)
  return {
    request,
    response,
    // A client whose base address ends in a slash sends two of them.
    path: rawPath.replace(config.lenient ? /\/{2,}/g : /^\/{2,}/, '/'),
    query: new URLSearchParams(mark < 0 || url.length > getMaxUriLength(config) ? '' : url.slice(mark + 1)),
    origin: getOrigin(request, config),
    facts,
    method: request.method,
    bytes: NO_BYTES,
  }
}
