import { decodePercent } from '../../base/url-encoding.ts'

/** Where a step goes, with the references still in it. */
export interface StepUrl {
  /** With the version prefix: `/services/data/v64.0/sobjects/Account/@{account.id}`. */
  readonly path: string
  /** The query string. */
  readonly query: string
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i
const FULL = /^\/services\/data\/(?:v\d{1,3}\.\d|latest)(?=\/|$)/
/** Batches may leave out what comes before the version. (docs/reference/api/composite.md#batch) */
const SHORT = /^\/?(?:v\d{1,3}\.\d|latest)(?=\/|$)/

const parseHost = (address: string) => (URL.canParse(address) ? new URL(address).host : undefined)

/**
 * Splits the url of a step. One with a host must name this server.
 * @param short whether the version may come first
 * @param lenient whether doubled slashes are single ones; at its start they always are
 * @returns undefined when it is not a URL of the data API
 */
export function parseStepUrl(
  text: string,
  origin: string,
  short: boolean,
  lenient: boolean,
): StepUrl | undefined {
  const address = ABSOLUTE.exec(text)?.[0]
  if (address !== undefined && parseHost(address) !== parseHost(origin)) return undefined
  const local = text.slice(address?.length ?? 0)
  const mark = local.indexOf('?')
  const path = (mark < 0 ? local : local.slice(0, mark)).replace(lenient ? /\/{2,}/g : /^\/{2,}/, '/')
  const query = mark < 0 ? '' : local.slice(mark + 1)
  if (FULL.test(path)) return { path, query }
  if (short && SHORT.test(path)) return { path: `/services/data/${path.replace(/^\//, '')}`, query }
  return short && FULL.test(`/${path}`) ? { path: `/${path}`, query } : undefined
}

/** The path behind the version. */
const getResource = ({ path }: StepUrl) => `/${decodePercent(path).split('/').slice(4).join('/')}`

/** True if it is known which resource a step means before it runs: limits are counted by it. */
export const namesResource = (url: StepUrl) => !/^\/(?:composite\/)?[^/]*@\{/i.test(getResource(url))
