import { Json } from '../../base/json.ts'
import type { Reply } from '../../calls/reply.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { HttpContext, WithSchema } from '../pipeline/http-context.ts'

/** Larger bodies are not kept. */
const MAX_BYTES = 32 * 1024

/** Stands for what nobody may read later. */
const HIDDEN = '…'

/** Headers that say how a call was meant; none of them is a credential. */
const HEADERS =
  /^(accept|content-type|content-length|user-agent|if-[a-z-]+|(svc|sforce)-[a-z-]+|location|etag|retry-after)$/

/** Names of members and parameters whose values are credentials. */
const SECRET = /passw|secret|token|otp|assertion|signature|credential|session|authorization|api_?key/i

/** Names of encrypted fields, in lower case. */
const encrypted = new WeakMap<SchemaSnapshot, ReadonlySet<string>>()

function findEncrypted(schema: SchemaSnapshot): ReadonlySet<string> {
  const known = encrypted.get(schema)
  if (known !== undefined) return known
  const names = schema.objects.flatMap(({ encryptedFields }) =>
    encryptedFields.map(({ name }) => name.toLowerCase()),
  )
  const found = new Set(names)
  encrypted.set(schema, found)
  return found
}

/** Both are trees that were parsed from short JSON, so they are not deep. */
function hide(value: unknown, isHidden: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => hide(item, isHidden))
  if (typeof value === 'string') return hideParameters(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, isHidden(name) ? HIDDEN : hide(inside, isHidden)]),
  )
}

/** Parameters of addresses inside a text. */
const hideParameters = (text: string) =>
  text.replaceAll(/([?&])([^=&?#\s]{1,100})=([^&#\s]*)/g, (whole, mark, name) =>
    SECRET.test(name) ? `${mark}${name}=${HIDDEN}` : whole,
  )

function readBody(text: string, isHidden: (name: string) => boolean): unknown {
  if (text === '') return null
  if (Buffer.byteLength(text) > MAX_BYTES) return `${HIDDEN} (${Buffer.byteLength(text)} bytes)`
  try {
    return hide(JSON.parse(text), isHidden)
  } catch {
    return HIDDEN
  }
}

function writeReply({ body }: Reply): string {
  if (body instanceof Json)
    return body.text.length > MAX_BYTES ? body.text.slice(0, MAX_BYTES + 1) : body.text
  if (body === undefined || body instanceof Uint8Array) return ''
  return Object.getPrototypeOf(body) === Object.prototype || Array.isArray(body) ? JSON.stringify(body) : ''
}

const pickHeaders = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS.test(name.toLowerCase())))

/** Bodies of these are never kept: what administrators set up, and passwords. */
const isSecret = ({ facts, path }: HttpContext) =>
  facts.endpoint === 'admin' || facts.endpoint === 'site' || /password/i.test(path)

/**
 * What was sent and answered, without what is secret. Where an org has encrypted fields, nothing is kept of what may give
 * their values another name. (docs/reference/api/admin-api.md#call-log)
 */
export function keepBodies(
  context: HttpContext & Partial<WithSchema>,
  reply: Reply | undefined,
): { readonly request: string; readonly response: string } | undefined {
  const { schema, facts, path, request, response, bytes } = context
  if (schema === undefined || isSecret(context)) return undefined
  const fields = findEncrypted(schema)
  const mayRename = facts.endpoint === 'custom' || path.endsWith('/graphql')
  const isHidden = (name: string) => SECRET.test(name) || fields.has(name.toLowerCase())
  const read = (text: string) => (fields.size > 0 && mayRename ? HIDDEN : readBody(text, isHidden))
  const url = request.raw.url ?? ''
  const query = url.includes('?') ? hideParameters(url.slice(url.indexOf('?'))) : ''
  const isJson = /^application\/json/i.test(request.headers['content-type'] ?? '')
  const sent = {
    query,
    headers: pickHeaders(request.headers),
    body: read(isJson ? bytes.toString('utf8') : ''),
  }
  const answered = {
    headers: pickHeaders(response.getHeaders()),
    body: reply === undefined ? null : read(writeReply(reply)),
  }
  // PostgreSQL cannot store U+0000.
  const write = (value: unknown) => JSON.stringify(value).replaceAll('\\u0000', '\\ufffd')
  return { request: write(sent), response: write(answered) }
}
