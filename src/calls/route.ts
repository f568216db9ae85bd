import type { Context } from '../context.ts'
import type { Call } from './call.ts'
import type { Reply } from './reply.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a route is about; composite calls count and refuse by it. */
export type RouteKind = 'record' | 'query' | 'search' | 'describe' | 'collection' | 'composite' | 'platform'

/** The names of the `:parameters` of a path. */
type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never

export type Params<Path extends string> = Readonly<Record<ParamNames<Path>, string>>

export type Handler<P> = (ctx: Context, call: Call, params: P) => Promise<Reply> | Reply

export interface Route {
  readonly method: Method
  readonly path: string
  readonly kind: RouteKind
  /** Version that brought the route; undefined: all have it. */
  readonly since: number | undefined
  readonly handler: Handler<Record<string, string>>
}

/** One line of a resource's table. The handler's parameters are typed by the path. */
export function route<const Path extends string>(
  method: Method,
  path: Path,
  kind: RouteKind,
  handler: Handler<Params<Path>>,
  since?: number,
): Route {
  return { method, path, kind, since, handler: handler as Handler<Record<string, string>> }
}
