import FindMyWay from 'find-my-way'
import { ApiError, notFound } from '../base/api-error.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import { decodePercent } from '../base/url-encoding.ts'
import type { Match, Method, Route, RouteKind } from './route.ts'

/** All routes of one path. */
type Resource = Map<Method, Route>

const firstSegment = (path: string) => decodePercent(path.split('/', 2)[1] ?? '').toLowerCase()

/** Longer than any external id; the HTTP layer limits the whole path. */
const MAX_PARAM_CHARACTERS = 16_384

/**
 * Finds the route of a path, for every entry point. The path alone selects the resource, then the method the operation,
 * so `DELETE /sobjects/Account/describe` does not look for a record named `describe`.
 */
export class Router {
  readonly routes: readonly Route[]
  /** The kinds of routes below the first segment of a path, in lower case. */
  readonly #kinds = new Map<string, Set<RouteKind>>()
  /** Matches names without case. Resources are stored under GET; the tree's own methods are not used. */
  readonly #tree = FindMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: MAX_PARAM_CHARACTERS,
  })

  constructor(routes: readonly Route[]) {
    this.routes = routes
    const resources = new Map<string, Resource>()
    for (const route of routes) {
      getOrInsert(this.#kinds, firstSegment(route.path), () => new Set()).add(route.kind)
      let resource = resources.get(route.path)
      if (resource === undefined) {
        resource = new Map()
        resources.set(route.path, resource)
        this.#tree.on('GET', route.path, () => {}, resource)
      }
      resource.set(route.method, route)
    }
  }

  /** The route of a call; undefined where `find` throws. */
  findRoute(method: string, path: string): Match | undefined {
    const found = this.#tree.find('GET', path)
    const route = (found?.store as Resource | undefined)?.get(method as Method)
    return route && { route, params: found!.params as Record<string, string> }
  }

  /** @throws ApiError NOT_FOUND, or METHOD_NOT_ALLOWED naming the methods that the path has */
  find(method: string, path: string): Match {
    const found = this.#tree.find('GET', path)
    // No parameter is empty.
    if (found === null || path.includes('//')) throw notFound()
    // HEAD is GET without the body, which the HTTP layer omits.
    const route = (found.store as Resource).get(method === 'HEAD' ? 'GET' : (method as Method))
    if (route === undefined) {
      const allowed = this.allowedMethods(path).join(',')
      throw new ApiError('METHOD_NOT_ALLOWED', `HTTP Method '${method}' not allowed. Allowed are ${allowed}`)
    }
    return { route, params: found.params as Record<string, string> }
  }

  /** Routes below the first segment of a path. */
  kindsBeside(path: string): readonly RouteKind[] {
    return [...(this.#kinds.get(firstSegment(path)) ?? [])]
  }

  /** The pattern of a path, for metrics; undefined for an unknown path. */
  findPattern(path: string): string | undefined {
    const resource = this.#tree.find('GET', path)?.store as Resource | undefined
    return resource?.values().next().value?.path
  }

  /** In alphabetical order, HEAD beside GET. */
  allowedMethods(path: string): string[] {
    const resource = this.#tree.find('GET', path)?.store as Resource | undefined
    const methods = [...(resource?.keys() ?? [])].sort()
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  }
}
