import { apiVersion } from '../../api/client.ts'
import { isId } from '../../api/describe.ts'

/** A call that is copied in the words of another client. */
export interface CopiedCall {
  readonly method: string
  /** Below the origin, with its query. */
  readonly path: string
  readonly body?: string | undefined
  /** Headers besides those that every call has. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A body as a value, or as the text that it is where a value would change it: broken JSON, or a number with more digits. */
export type CopiedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }

export function readBody(body: string | undefined): CopiedBody {
  if (body === undefined) return { kind: 'none' }
  try {
    const value: unknown = JSON.parse(body)
    const packed = body.replaceAll(/"(?:\\.|[^"\\])*"|\s+/g, (part) => (part.startsWith('"') ? part : ''))
    if (JSON.stringify(value) === packed) return { kind: 'value', value }
  } catch {}
  return { kind: 'text', text: body }
}

type Fields = Readonly<Record<string, unknown>>

/** The work of a call, where clients have a method for it. */
export type Operation =
  | { readonly kind: 'query'; readonly text: string; readonly isAll: boolean }
  | { readonly kind: 'search'; readonly text: string }
  | { readonly kind: 'describe'; readonly object: string }
  | { readonly kind: 'create'; readonly object: string; readonly fields: Fields }
  | { readonly kind: 'retrieve' | 'delete'; readonly object: string; readonly id: string }
  | { readonly kind: 'update'; readonly object: string; readonly id: string; readonly fields: Fields }

const DATA_PATH = /^\/services\/data\/v([\d.]+)(\/[^?]*)(?:\?(.*))?$/

/** The version that a call is made with: that of its path, or the newest one. */
export const versionOf = ({ path }: CopiedCall): string => DATA_PATH.exec(path)?.[1] ?? apiVersion()

/** A path below the version; undefined for one of another API. */
export const belowVersion = (path: string): string | undefined =>
  DATA_PATH.test(path) ? path.replace(/^\/services\/data\/v[\d.]+\//, '') : undefined

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the operation that a call is; undefined if it is another one, or has more than clients' methods take. */
export function findOperation({ method, path, body, headers = {} }: CopiedCall): Operation | undefined {
  const [, , resource, search = ''] = DATA_PATH.exec(path) ?? []
  if (resource === undefined || Object.keys(headers).length > 0) return undefined
  const parameters = new URLSearchParams(search)
  const text = parameters.get('q')
  if (method === 'GET' && text !== null && parameters.size === 1) {
    if (/^\/query(All)?\/?$/.test(resource))
      return { kind: 'query', text, isAll: resource.startsWith('/queryAll') }
    if (/^\/search\/?$/.test(resource)) return { kind: 'search', text }
  }
  const [, object, id] = /^\/sobjects\/(\w+)(?:\/(\w+))?$/.exec(resource) ?? []
  if (object === undefined || search !== '') return undefined
  const sent = readBody(body)
  const fields = sent.kind === 'value' && isFields(sent.value) ? sent.value : undefined
  if (method === 'POST' && id === undefined && fields !== undefined) return { kind: 'create', object, fields }
  if (method === 'GET' && id === 'describe') return { kind: 'describe', object }
  // Where an id is still to be written, it stands as it is.
  if (id === undefined || !(isId(id) || id === 'ID')) return undefined
  if (method === 'PATCH' && fields !== undefined) return { kind: 'update', object, id, fields }
  if (method === 'GET') return { kind: 'retrieve', object, id }
  return method === 'DELETE' ? { kind: 'delete', object, id } : undefined
}
