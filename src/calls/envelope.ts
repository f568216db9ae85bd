import { ApiError } from '../base/api-error.ts'
import { isObject } from '../base/json.ts'
import { wrongKind } from '../records/prepare/coerce.ts'
import type { Call } from './call.ts'

type Locate = Call['locate']
type Path = readonly (string | number)[]

/**
 * A JSON object whose members the interface names: the envelope around records or calls. Every getter gives undefined
 * for a member that is absent or null, and refuses one of another type with its location in the body.
 * (docs/reference/api/records.md#field-values, docs/reference/api/records.md#error-codes)
 */
export class Envelope {
  /** Its path in the body. */
  readonly path: Path
  readonly #members: Readonly<Record<string, unknown>>
  readonly #locate: Locate

  /** @param known the names that members may have; any other is refused */
  constructor(value: unknown, known: readonly string[], locate: Locate, path: Path = []) {
    if (!isObject(value)) throw wrongKind('object', value, { locate }, path)
    this.#members = value
    this.path = path
    this.#locate = locate
    const stranger = Object.keys(value).find((name) => !known.includes(name))
    if (stranger !== undefined) {
      const { line, column } = locate([...path, stranger])
      throw new ApiError(
        'JSON_PARSER_ERROR',
        `Unrecognized field "${stranger.slice(0, 255)}" at [line:${line}, column:${column}]`,
      )
    }
  }

  text(name: string): string | undefined {
    return this.#member(name, 'string', (value) => typeof value === 'string')
  }

  flag(name: string): boolean | undefined {
    return this.#member(name, 'boolean', (value) => typeof value === 'boolean')
  }

  /** A whole number that is not negative. */
  count(name: string): number | undefined {
    return this.#member(name, 'int', (value) => Number.isSafeInteger(value) && (value as number) >= 0)
  }

  list(name: string): readonly unknown[] | undefined {
    return this.#member(name, 'list', Array.isArray)
  }

  texts(name: string): readonly string[] | undefined {
    return this.list(name)?.map((value, index) => {
      if (typeof value === 'string') return value
      throw wrongKind('string', value, { locate: this.#locate }, [...this.path, name, index])
    })
  }

  /** Any JSON: what is not ours to read. */
  value(name: string): unknown {
    return this.#members[name] ?? undefined
  }

  /** Texts under names that the interface does not list. */
  textsByName(name: string): Readonly<Record<string, string>> | undefined {
    const texts = this.#member<Record<string, unknown>>(name, 'object', isObject)
    for (const [key, value] of Object.entries(texts ?? {})) {
      if (typeof value !== 'string') {
        throw wrongKind('string', value, { locate: this.#locate }, [...this.path, name, key])
      }
    }
    return texts as Record<string, string> | undefined
  }

  /** A list that has to be there, with something in it. */
  filled(name: string): readonly unknown[] {
    const list = this.required(name, this.list(name))
    if (list.length > 0) return list
    throw this.refusal(`The list "${name}" is empty`, name)
  }

  /** The same for a member that has to be there. */
  required<T>(name: string, value: T | undefined): T {
    if (value !== undefined) return value
    throw this.refusal(`Required field "${name}" is missing`)
  }

  /** Why the envelope is refused, with the place of the member in question, else its own. */
  refusal(message: string, name?: string): ApiError {
    const { line, column } = this.#locate(name === undefined ? this.path : [...this.path, name])
    return new ApiError('JSON_PARSER_ERROR', `${message} at [line:${line}, column:${column}]`)
  }

  /** A list of envelopes. */
  envelopes(name: string, known: readonly string[]): readonly Envelope[] | undefined {
    return this.list(name)?.map(
      (value, index) => new Envelope(value, known, this.#locate, [...this.path, name, index]),
    )
  }

  #member<T>(name: string, kind: string, fits: (value: unknown) => boolean): T | undefined {
    const value = this.#members[name]
    if (value === undefined || value === null) return undefined
    if (!fits(value)) throw wrongKind(kind, value, { locate: this.#locate }, [...this.path, name])
    return value as T
  }
}

/** The envelope that a call's body is. */
export function readEnvelope({ body, locate }: Call, known: readonly string[]): Envelope {
  if (body === undefined) {
    throw new ApiError(
      'JSON_PARSER_ERROR',
      'The HTTP entity body is required, but this request has no entity body.',
    )
  }
  return new Envelope(body, known, locate)
}

/** The same where nothing has to be said: no body is an empty one. */
export const readOptionalEnvelope = (call: Call, known: readonly string[]): Envelope =>
  readEnvelope(call.body === undefined ? { ...call, body: {} } : call, known)
