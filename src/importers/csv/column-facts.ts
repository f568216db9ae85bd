import type { FieldType } from '../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { ColumnShape, TypeInColumns } from '../../schema/fields/type-in-columns.ts'

/** A type that columns are recognized as. */
interface RecognizedType extends FieldType {
  readonly inColumns: TypeInColumns
}

const RECOGNIZED = Object.values(FIELD_TYPES).filter(
  (type): type is RecognizedType => type.inColumns !== undefined,
)

const WHOLE = /^-?\d+$/

/** Maximum number of distinct values of a picklist. */
const MAX_LISTED = 20

/** Facts about a column, collected value by value. */
export class ColumnFacts implements ColumnShape {
  filled = 0
  empty = 0
  /** Characters of the longest value. */
  longest = 0
  isMultiline = false
  /** Digits before and after the point. */
  digits = 0
  scale = 0
  isWhole = true
  /** The types that all values so far match, beside text. */
  readonly types = new Set(RECOGNIZED)
  /** Distinct values in their first spelling, by lower case; undefined when there are too many. */
  listed: Map<string, string> | undefined = new Map()
  /** All values of a possible key: exact, in lower case, and as numbers. */
  readonly #exact: Set<string> | undefined
  readonly #folded = new Set<string>()
  readonly #numbers = new Set<number>()

  constructor(mayBeKey: boolean) {
    this.#exact = mayBeKey ? new Set() : undefined
  }

  add(given: string): void {
    const value = given.trim()
    if (value === '') {
      this.empty++
      return
    }
    this.filled++
    this.longest = Math.max(this.longest, value.length > this.longest ? [...value].length : 0)
    this.isMultiline ||= /[\r\n]/.test(value)
    for (const type of this.types) if (!type.inColumns.has(value)) this.types.delete(type)
    if (this.#mayBeNumber) this.#measure(value)
    this.#list(value)
    this.#exact?.add(value)
    if (this.#exact === undefined) return
    this.#folded.add(value.toLowerCase())
    if (this.#mayBeNumber) this.#numbers.add(Number(value))
    else this.#numbers.clear()
  }

  /** How the values are unique over all rows; undefined when they are not, or when some are empty. */
  get unique(): 'anyCase' | 'exactly' | undefined {
    if (this.#exact === undefined || this.empty > 0 || this.filled < 2) return undefined
    if (this.#folded.size === this.filled) return 'anyCase'
    return this.#exact.size === this.filled ? 'exactly' : undefined
  }

  /** True if numbers are unique by value. One number has several spellings: 0 and -0, 1.5 and 1.50. */
  get uniqueNumbers(): boolean {
    return this.empty === 0 && this.filled > 1 && this.#numbers.size === this.filled
  }

  get #mayBeNumber(): boolean {
    return [...this.types].some(({ decimal }) => decimal === true)
  }

  #measure(value: string): void {
    this.isWhole &&= WHOLE.test(value)
    const [plain = '', exponent = '0'] = value.replace('-', '').split('E')
    const [whole = '', fraction = ''] = plain.split('.')
    this.digits = Math.max(this.digits, whole.length + Number(exponent))
    this.scale = Math.max(this.scale, fraction.length - Number(exponent))
  }

  #list(value: string): void {
    if (this.listed === undefined) return
    const key = value.toLowerCase()
    if (!this.listed.has(key)) this.listed.set(key, value)
    if (this.listed.size > MAX_LISTED) this.listed = undefined
  }
}
