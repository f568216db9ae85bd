import { ApiError } from '../../base/api-error.ts'
import { hasChange } from '../../base/api-version.ts'
import { parseKeepingTexts, withoutText } from '../../base/decimal-json.ts'
import { isObject, Json } from '../../base/json.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { nameIn } from './reference-text.ts'
import { isOfRecords } from './step-route.ts'
import type { Step } from './subrequest.ts'

export type Scalar = string | number | boolean | null

/** `account.Contacts.records[0].Id`: a name, then members and places in lists. */
const EXPRESSION = /^[^.[\]]+((?:\.[^.[\]]+|\[\d{1,9}\])*)$/

const MAX_EXPRESSION_LENGTH = 2000

/** More than any request has; each may be as long as a record's longest text. */
const MAX_REFERENCES = 10_000

/** A step is not carried out, because what it refers to is not there or cannot stand where it would. */
export const halted = (message: string) => new ApiError('PROCESSING_HALTED', message)

/** The second sentence is part of the text that clients know. (docs/reference/api/composite.md#references) */
function noValue(expression: string): ApiError {
  const shown = expression.slice(0, 255)
  return halted(
    `Invalid reference specified. No value for ${shown} found in ${nameIn(shown)}. Provided referenceId ('${shown}') must start with a letter or a number, and it can contain only letters, numbers and underscores ('_').`,
  )
}

function walk(body: unknown, steps: string): unknown {
  let value = body
  for (const [, member, index] of steps.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) value = Array.isArray(value) ? withoutText(value[Number(index)]) : undefined
    else value = isObject(value) && Object.hasOwn(value, member!) ? withoutText(value[member!]) : undefined
  }
  return value
}

interface Answer {
  /** Read as a value only if something refers to it. */
  body: unknown
  readonly ofRecords: boolean
}

/** Answers of the steps so far, for the references of later ones. (docs/reference/api/composite.md#references) */
export class StepResults {
  readonly #bodies = new Map<string, Answer>()
  readonly #nullAllowed: boolean
  readonly #max: number
  /** Characters that may still be filled in: references multiply what was sent. */
  #characters: number
  #references = MAX_REFERENCES

  constructor({ version, settings }: Context) {
    this.#nullAllowed = hasChange(version, 'nullReferences')
    this.#max = settings.bodyLimit
    this.#characters = settings.bodyLimit
  }

  /** @param reply of a step that did what it should: a failed one has no values */
  add(step: Step, { body }: Reply): void {
    this.#bodies.set(step.referenceId, { body, ofRecords: isOfRecords(step) })
  }

  /**
   * The value that a reference means.
   * @throws ApiError PROCESSING_HALTED
   */
  value(expression: string): Scalar {
    const value = this.#find(expression)
    this.#references--
    this.#characters -= typeof value === 'string' ? value.length : 0
    if (this.#references < 0) throw halted(`The request has more than ${MAX_REFERENCES} references.`)
    if (this.#characters < 0) {
      throw halted(`The request is larger than ${this.#max} bytes once its references are filled in.`)
    }
    return value
  }

  /** The same as a part of a longer text. */
  text(expression: string): string {
    return String(this.value(expression) ?? '')
  }

  #find(expression: string): Scalar {
    const match = expression.length > MAX_EXPRESSION_LENGTH ? null : EXPRESSION.exec(expression)
    const answer = match === null ? undefined : this.#bodies.get(nameIn(expression))
    if (answer === undefined) throw noValue(expression)
    if (answer.body instanceof Json) answer.body = parseKeepingTexts(answer.body.text)
    const value = walk(answer.body, match![1]!)
    if (value === null && this.#nullAllowed && answer.ofRecords) return null
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
    throw noValue(expression)
  }
}
