import { isFunction } from './threads/messages.ts'

/** A member of what a file exports: data, or the mark of a function. */
type Members = Readonly<Record<string, unknown>>

/**
 * Reads and checks the exports of a deployed file. Every error has the file name and a correct form. The functions
 * themselves stay in their threads.
 */
export class ShapeOfFile {
  readonly #where: string
  readonly #members: Members

  /**
   * @param where for messages: `The resource /deployment/resources/hello.ts`
   * @param known the names that members may have
   * @param example what to write instead of something else
   */
  constructor(where: string, shape: unknown, known: readonly string[], example: string) {
    this.#where = where
    if (typeof shape !== 'object' || shape === null || Array.isArray(shape) || isFunction(shape)) {
      throw new Error(`${where} has no default export of this form; write: ${example}`)
    }
    this.#members = shape as Members
    const stranger = Object.keys(shape).find((name) => !known.includes(name))
    if (stranger !== undefined) throw this.wrong(`has ${stranger}, which is none of ${known.join(', ')}`)
  }

  wrong(what: string): Error {
    return new Error(`${this.#where} ${what}`)
  }

  value(name: string): unknown {
    return this.#members[name] ?? undefined
  }

  has(name: string): boolean {
    return this.value(name) !== undefined
  }

  /** True if there is a function of that name. */
  isFunction(name: string): boolean {
    const value = this.value(name)
    if (value === undefined) return false
    if (!isFunction(value)) throw this.wrong(`has a ${name} that is no function`)
    return true
  }

  text(name: string): string | undefined {
    const value = this.value(name)
    if (value === undefined || typeof value === 'string') return value
    throw this.wrong(`has a ${name} that is no text`)
  }

  required(name: string, example: string): string {
    const text = this.text(name)
    if (text !== undefined && text !== '') return text
    throw this.wrong(`does not say its ${name}; write: ${name}: ${example}`)
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name)
    if (value === undefined || typeof value === 'boolean') return value
    throw this.wrong(`has a ${name} that is neither true nor false`)
  }

  number(name: string, least: number, max: number): number | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (typeof value === 'number' && value >= least && value <= max) return value
    throw this.wrong(`has a ${name} that is no number from ${least} to ${max}`)
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.value(name)
    if (value === undefined || Array.isArray(value)) return value
    throw this.wrong(`has a ${name} that is no list`)
  }
}
