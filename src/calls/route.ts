import type { Container, Context } from '../context.ts'
import type { Call } from './call.ts'
import type { Reply } from './reply.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Subject of a route. */
export type RouteKind = keyof typeof CONTAINERS

/** In which calls a route may be a step. A call made of calls is never a step itself. (docs/reference/api/composite.md#composite, docs/reference/api/composite.md#batch, docs/reference/api/composite.md#graphs) */
const CONTAINERS = {
  record: ['composite', 'batch', 'graph'],
  describe: ['composite', 'batch'],
  // Further resources of an object or a record.
  sobject: ['composite', 'batch'],
  query: ['composite', 'batch'],
  collection: ['composite'],
  search: ['batch'],
  platform: ['batch'],
  // One password per call, in no reply but its own.
  password: [],
  composite: [],
  graphql: [],
  bulk: [],
  setup: [],
} as const satisfies Readonly<Record<string, readonly Container[]>>

export const canNestIn = (kind: RouteKind, container: Container): boolean =>
  (CONTAINERS[kind] as readonly Container[]).includes(container)

/** The names of the `:parameters` of a path, and `*` for what stands behind it. */
type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : Path extends '*'
      ? '*'
      : never

type Params<Path extends string> = Readonly<Record<ParamNames<Path>, string>>

/** Carries out one operation, whatever its entry point. Never rejects. */
export interface Dispatch {
  (ctx: Context, call: Call): Promise<Reply>
  /**
   * Carries out independent calls of one route together.
   * @param allOrNone the results are discarded if one call fails
   * @returns a reply for each; undefined: they have to be carried out one after the other
   */
  many(ctx: Context, calls: readonly Call[], allOrNone: boolean): Promise<readonly Reply[] | undefined>
  /** The route of a call, if there is one, with the parameters in its path. */
  find(method: string, path: string): Match | undefined
  /** The pattern of the route of a path, if there is one. */
  findPattern(path: string): string | undefined
}

/** @param dispatch of the router that the route sits in: for calls made of calls */
export type Handler<P> = (ctx: Context, call: Call, params: P, dispatch: Dispatch) => Promise<Reply> | Reply

/** A call with the parameters in its path. */
export interface Matched<P> {
  readonly call: Call
  readonly params: P
}

/** The same for several calls about one object; undefined: not for these. */
export type ManyHandler<P> = (
  ctx: Context,
  calls: readonly Matched<P>[],
  allOrNone: boolean,
) => Promise<readonly Reply[] | undefined>

export interface Route {
  readonly method: Method
  readonly path: string
  readonly kind: RouteKind
  /** First version with the route; undefined for all versions. */
  readonly since: number | undefined
  readonly handler: Handler<Record<string, string>>
  /** Handles several such calls together. */
  readonly many?: ManyHandler<Record<string, string>> | undefined
}

/** The route of a path. */
export interface Match {
  readonly route: Route
  readonly params: Record<string, string>
}

/** One line of a resource's table. The handler's parameters are typed by the path. */
export function route<const Path extends string>(
  method: Method,
  path: Path,
  kind: RouteKind,
  handler: Handler<Params<Path>>,
  since?: number,
  many?: ManyHandler<Params<Path>>,
): Route {
  return {
    method,
    path,
    kind,
    since,
    handler: handler as Handler<Record<string, string>>,
    many: many as ManyHandler<Record<string, string>> | undefined,
  }
}
