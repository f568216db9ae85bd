import type { IncomingMessage } from 'node:http'

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/**
 * The path and query that a request is for. A client may write the whole address, as it would to a proxy; then it is the
 * address that names the host, whatever the header says. (RFC 9112, 3.2.2)
 */
export function requestTarget({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const target = url ?? '/'
  const [, host, rest] = ABSOLUTE.exec(target) ?? []
  if (host === undefined || rest === undefined) return target
  // Credentials in the address are ignored.
  headers.host = host.slice(host.lastIndexOf('@') + 1)
  return rest.startsWith('/') ? rest : `/${rest}`
}
