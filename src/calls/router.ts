import FindMyWay, { type HTTPMethod } from 'find-my-way'
import { ApiError } from '../base/api-error.ts'
import type { Method, Route } from './route.ts'

interface Match {
  readonly route: Route
  readonly params: Record<string, string>
}

const METHODS: readonly Method[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']

/** Longer than any external id; the path as a whole is bounded at the door. */
const MOST_PARAM_CHARACTERS = 16_384

/** Finds the route of a path: the same for every door. */
export class Router {
  readonly routes: readonly Route[]
  readonly #tree = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: MOST_PARAM_CHARACTERS })

  constructor(routes: readonly Route[]) {
    this.routes = routes
    for (const route of routes) {
      this.#tree.on(route.method, route.path, () => {}, route)
    }
  }

  /** @throws ApiError NOT_FOUND, or METHOD_NOT_ALLOWED naming the methods that the path has */
  find(method: string, path: string): Match {
    // HEAD is GET without the body, which the door leaves out.
    const match = this.#match(method === 'HEAD' ? 'GET' : method, path)
    if (match !== undefined) return match
    const allowed = this.allowedMethods(path)
    if (allowed.length === 0) throw new ApiError('NOT_FOUND', 'The requested resource does not exist')
    throw new ApiError(
      'METHOD_NOT_ALLOWED',
      `HTTP Method '${method}' not allowed. Allowed are ${allowed.join(',')}`,
    )
  }

  /** In alphabetical order, HEAD beside GET. */
  allowedMethods(path: string): string[] {
    const allowed = METHODS.filter((method) => this.#match(method, path) !== undefined)
    return allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  }

  #match(method: string, path: string): Match | undefined {
    const found = this.#tree.find(method as HTTPMethod, path)
    if (found === null) return undefined
    return { route: found.store as Route, params: found.params as Record<string, string> }
  }
}
