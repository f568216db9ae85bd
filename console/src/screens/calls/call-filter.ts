import type { LoggedCall } from '../../../../src/calllog/logged-call.ts'
import { isPartial } from './call-status.ts'

/** Which calls are shown, as it stands in the address. */
export interface CallFilter {
  /** A request id, or a part of a path or code. */
  readonly find?: string | undefined
  readonly user?: string | undefined
  /** A client id. */
  readonly app?: string | undefined
  /** `404`, `4xx`, or `partial`. */
  readonly status?: string | undefined
  /** A method and route, as `endpointOf` writes them. */
  readonly endpoint?: string | undefined
  /** Milliseconds. */
  readonly slower?: string | undefined
}

export const endpointOf = ({ method, route }: LoggedCall): string => `${method} ${route}`

/** Only paths begin with it, and the server finds them. */
const isPath = (find: string) => find.startsWith('/')

/** The status by which the server finds calls with another. */
const statusOfServer = (status: string | undefined) => (status === 'partial' ? '2xx' : status)

/** The part of a filter that the server applies, as parameters of the log. */
export function serverFilter({ find, user, app, status }: CallFilter, withoutApp?: string): string {
  const path = find !== undefined && isPath(find) ? find : undefined
  const given = Object.entries({ path, user, app, withoutApp, status: statusOfServer(status) })
  return new URLSearchParams(given.filter((one): one is [string, string] => one[1] !== undefined)).toString()
}

/** True if calls with one status are loaded while another is chosen. */
export const isStatusLoaded = (status: string, chosen: string | undefined): boolean =>
  chosen === undefined || statusOfServer(status) === statusOfServer(chosen)

type Test = (call: LoggedCall) => boolean
type Facet = 'find' | 'status' | 'endpoint' | 'slower'

/** Returns the conditions that the server cannot apply. */
function localTests({ find, status, endpoint, slower }: CallFilter): readonly [Facet, Test][] {
  const tests: [Facet, Test][] = []
  if (find !== undefined && !isPath(find)) {
    const text = find.trim().toLowerCase()
    tests.push([
      'find',
      ({ requestId, path, errorCode }) =>
        [requestId, path, errorCode].some((one) => one.toLowerCase().includes(text)),
    ])
  }
  if (status === 'partial') tests.push(['status', isPartial])
  if (endpoint !== undefined) tests.push(['endpoint', (call) => endpointOf(call) === endpoint])
  const least = Number(slower)
  if (slower !== undefined && least > 0) tests.push(['slower', ({ durationMs }) => durationMs > least])
  return tests
}

/** True if some of a filter is applied to what is loaded, and not by the server. */
export const isLocal = (filter: CallFilter): boolean => localTests(filter).length > 0

/** Those of the loaded calls that a filter lets through; without one of its facets, what that facet could choose from. */
export function filterCalls(
  calls: readonly LoggedCall[],
  filter: CallFilter,
  without?: Facet,
): readonly LoggedCall[] {
  const tests = localTests(filter).filter(([facet]) => facet !== without)
  return tests.length === 0 ? calls : calls.filter((call) => tests.every(([, test]) => test(call)))
}

/** How many calls have each value. */
export function countBy(
  calls: readonly LoggedCall[],
  valuesOf: (call: LoggedCall) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of calls.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
