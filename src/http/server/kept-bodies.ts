import { oncePer } from '../../base/get-or-insert.ts'
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
const SECRET =
  /passw|secret|token|otp|assertion|signature|credential|session|authorization|api_?key|^(sid|pw|pwd|jwt)$/i

/** Names of parameters that are codes of a sign-in; members of that name are codes of errors. */
const SECRET_PARAMETER = /^(code|code_verifier|key|sig)$/i

/** Shorter texts are too common to be looked for inside of others. */
const MIN_SOUGHT = 4

/** Names of encrypted fields, in lower case. */
type EncryptedNames = ReadonlySet<string>

/** A word of a text, and whether it names a part of an address. */
const WORD = /(\w+)(\s*\/)?/g

const findEncrypted = oncePer(
  ({ objects }: SchemaSnapshot): EncryptedNames =>
    new Set(objects.flatMap(({ encryptedFields }) => encryptedFields.map(({ name }) => name.toLowerCase()))),
)

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Finds what must not be kept in the parts of a call. */
class Hiding {
  readonly #encrypted: EncryptedNames
  readonly #values: Set<string>

  /** @param values of encrypted fields */
  constructor(names: EncryptedNames, values: Iterable<string>) {
    this.#encrypted = names
    this.#values = new Set([...values].filter((value) => value !== ''))
  }

  /** Notes the values that the parts of a request have by the names of encrypted fields. */
  noteValues(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inside] of Object.entries(value)) {
      const isText = typeof inside === 'string' || typeof inside === 'number'
      if (isText && this.#encrypted.has(name.toLowerCase())) this.#values.add(String(inside))
      this.noteValues(inside)
    }
  }

  /** The value is a tree that was parsed from short JSON, so it is not deep. */
  hide(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.hide(item))
    if (typeof value === 'string') return this.hideText(value)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inside]) => [name, this.#hides(name) ? HIDDEN : this.hide(inside)]),
    )
  }

  hideText(text: string): string {
    const shown = this.#hideParameters(text)
    return this.#tells(shown) ? HIDDEN : shown
  }

  /** Without the values of encrypted fields that the path has behind their names. */
  hidePath(path: string): string {
    const names = this.#encrypted
    const parts = path.split('/')
    const isHidden = (at: number) => at > 0 && names.has(decode(parts[at - 1]!).toLowerCase())
    return names.size === 0 ? path : parts.map((part, at) => (isHidden(at) ? HIDDEN : part)).join('/')
  }

  #hides(name: string): boolean {
    return SECRET.test(name) || this.#encrypted.has(name.toLowerCase())
  }

  /** True if a text has a value of an encrypted field, or a literal beside the name of one: in queries, addresses and errors. */
  #tells(text: string): boolean {
    for (const value of this.#values) {
      if (text === value || (value.length >= MIN_SOUGHT && text.includes(value))) return true
    }
    if (this.#encrypted.size === 0) return false
    const decoded = decode(text)
    const named = [...decoded.matchAll(WORD)].filter(([, word]) => this.#encrypted.has(word!.toLowerCase()))
    if (named.length === 0) return false
    return named.some(([, , slash]) => slash !== undefined) || /['"{]|\b(where|having)\b/i.test(decoded)
  }

  /** Parameters of addresses inside a text. */
  #hideParameters(text: string): string {
    return text.replaceAll(/([?&#])([^=&?#\s]{1,100})=([^&#\s]*)/g, (whole, mark, encoded, value) => {
      const name = decode(encoded)
      const isHidden = this.#hides(name) || SECRET_PARAMETER.test(name) || this.#tells(decode(value))
      return isHidden ? `${mark}${encoded}=${HIDDEN}` : whole
    })
  }
}

function readBody(text: string, hiding: Hiding, isRequest: boolean): unknown {
  if (text === '') return null
  if (Buffer.byteLength(text) > MAX_BYTES) return `${HIDDEN} (${Buffer.byteLength(text)} bytes)`
  try {
    const value: unknown = JSON.parse(text)
    if (isRequest) hiding.noteValues(value)
    return hiding.hide(value)
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

const pickHeaders = (headers: Readonly<Record<string, unknown>>, hiding: Hiding) =>
  hiding.hide(
    Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS.test(name.toLowerCase()))),
  )

/** A path as it is kept: without the values of encrypted fields. */
export const hidePath = ({ schema, path }: HttpContext & Partial<WithSchema>): string =>
  schema === undefined ? path : new Hiding(findEncrypted(schema), []).hidePath(path)

/** Bodies of these are never kept: what administrators set up, and passwords. */
const isSecret = ({ facts, path }: HttpContext) =>
  facts.endpoint === 'admin' || facts.endpoint === 'site' || /password/i.test(path)

/**
 * The bodies of a request and its answer, without secrets. Where an org has encrypted fields, nothing is kept of what may give
 * their values another name. (docs/reference/api/admin-api.md#call-log)
 */
export function keepBodies(
  context: HttpContext & Partial<WithSchema>,
  reply: Reply | undefined,
): { readonly request: string; readonly response: string } | undefined {
  const { schema, facts, path, request, response, bytes } = context
  if (schema === undefined || isSecret(context)) return undefined
  const names = findEncrypted(schema)
  const secrets = facts.running === undefined ? new Set<string>() : facts.running.secrets
  const hiding = new Hiding(names, secrets ?? [])
  const mayRename = names.size > 0 && (facts.endpoint === 'custom' || path.endsWith('/graphql'))
  const isHidden = mayRename || secrets === undefined
  const read = (text: string, isRequest: boolean) => (isHidden ? HIDDEN : readBody(text, hiding, isRequest))
  const url = request.raw.url ?? ''
  const isJson = /^application\/json/i.test(request.headers['content-type'] ?? '')
  // Read first: the values that it has are looked for in all else.
  const body = read(isJson ? bytes.toString('utf8') : '', true)
  const sent = {
    query: url.includes('?') ? hiding.hideText(url.slice(url.indexOf('?'))) : '',
    headers: pickHeaders(request.headers, hiding),
    body,
  }
  const answered = {
    headers: pickHeaders(response.getHeaders(), hiding),
    body: reply === undefined ? null : read(writeReply(reply), false),
  }
  // PostgreSQL cannot store U+0000.
  const write = (value: unknown) => JSON.stringify(value).replaceAll('\\u0000', '\\ufffd')
  return { request: write(sent), response: write(answered) }
}
