import type { ApiVersion } from '../../base/api-version.ts'
import type { FiscalYear } from '../../base/fiscal-year.ts'
import type { Field, ListedValue, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'

/** The write, as a derivation sees it. */
export interface WriteFacts {
  /** By the clock of the org: `2026-11-20T21:30:00Z`. */
  readonly now: string
  readonly userId: string
  /** That of the call; undefined where nobody calls. */
  readonly version: ApiVersion | undefined
  /** That of the org. */
  readonly fiscalYear: FiscalYear
  /**
   * Nobody writes the record: what was stored before the platform derived it is brought up to date. What clients can write is
   * set only where it is empty, and `now` is when the record was last changed.
   */
  readonly isRecomputed: boolean
}

/** A record that the written one refers to. */
export interface RelatedRecord {
  /** API name of its object. */
  readonly object: string
  /** Values by API name, in stored form. */
  readonly values: Readonly<Record<string, ColumnValue>>
}

/**
 * A record while it is written, with the values that are derived. Values are in stored form: days are `2026-11-20`, times
 * `2026-11-20T21:30:00Z`.
 */
export class DerivedRecord {
  readonly facts: WriteFacts
  readonly #object: ObjectType
  readonly #given: RecordValues
  readonly #old: ReadonlyMap<Field, ColumnValue> | undefined
  readonly #related: ReadonlyMap<string, RelatedRecord>
  readonly #siblings: ReadonlyMap<string, readonly RelatedRecord[]>
  readonly #derived: RecordValues = new Map()

  /**
   * @param given values that the write gives
   * @param old the record before the write; undefined: it is new
   * @param related the records that it refers to, by id
   * @param siblings records that refer to the same record, by its id
   */
  constructor(
    object: ObjectType,
    given: RecordValues,
    old: ReadonlyMap<Field, ColumnValue> | undefined,
    related: ReadonlyMap<string, RelatedRecord>,
    siblings: ReadonlyMap<string, readonly RelatedRecord[]>,
    facts: WriteFacts,
  ) {
    this.#object = object
    this.#given = given
    this.#old = old
    this.#related = related
    this.#siblings = siblings
    this.facts = facts
  }

  get isNew(): boolean {
    return this.#old === undefined
  }

  /** The value as it will be stored. */
  get(name: string): ColumnValue {
    const field = this.#field(name)
    const derived = this.#derived.get(field)
    if (derived !== undefined) return derived
    const given = this.#given.get(field)
    if (given !== undefined) return given ?? field.type.emptyValue ?? null
    return this.#old?.get(field) ?? field.type.emptyValue ?? null
  }

  /** The value before the write; null of a new record. */
  was(name: string): ColumnValue {
    return this.#old?.get(this.#field(name)) ?? null
  }

  /** True if the write gives the field a value, null included. */
  isGiven(name: string): boolean {
    return this.#given.has(this.#field(name))
  }

  /** True if a value that clients may write is the platform's to set: they give none, or null. */
  isOpen(name: string): boolean {
    return this.get(name) === null || !(this.facts.isRecomputed || this.isGiven(name))
  }

  /** True if the value differs from the one before the write. Every value of a new record does. */
  isChanged(name: string): boolean {
    return this.isNew || this.get(name) !== this.was(name)
  }

  /** The entry of a picklist that the record has; undefined when it is empty or not listed. */
  listed(name: string): ListedValue | undefined {
    const value = this.get(name)
    return this.#field(name).picklist.find((entry) => entry.value === value)
  }

  /**
   * The record that a reference points to; undefined when it is empty or there is none.
   * @param path a reference, or one of the parent behind it: `PricebookEntryId.Pricebook2Id`
   */
  related(path: string): RelatedRecord | undefined {
    const [first, second] = path.split('.') as [string, string?]
    const parent = this.#related.get(String(this.get(first)))
    return second === undefined ? parent : this.#related.get(String(parent?.values[second]))
  }

  /** The records of `Derivation.siblings`, in the order of their ids. */
  siblings(reference: string): readonly RelatedRecord[] {
    return this.#siblings.get(String(this.get(reference))) ?? []
  }

  set(name: string, value: ColumnValue): void {
    this.#derived.set(this.#field(name), value)
  }

  /** The values that were derived. */
  get derived(): RecordValues {
    return this.#derived
  }

  #field(name: string): Field {
    return this.#object.field(name)!
  }
}

/** Returns the value of a field of a referenced record. Names are API names. */
export interface Copied {
  readonly reference: string
  /** The object that the reference points to. */
  readonly parent: string
  readonly field: string
}

/** Fields that follow from others. */
export interface Derivation {
  /** A change of any of them makes the platform derive, as every create does. API names. */
  readonly from: readonly string[]
  /** Other fields whose values, or what they were, decide. */
  readonly reads?: readonly string[]
  /**
   * Fields of the records that references point to, by the reference or `<reference>.<reference of the parent>`; those that a
   * target lacks are left out.
   */
  readonly related?: Readonly<Record<string, readonly string[]>>
  /**
   * Fields that have what records that this one refers to have, of several the texts with blanks between, by API name. They are
   * set before `derive`, and follow when the others change: that moves only `SystemModstamp`.
   */
  readonly follows?: Readonly<Record<string, readonly Copied[]>>
  /** Derived fields that are copied once: what they were copied from may say something else by now. */
  readonly once?: readonly string[]
  /** Records of another object that refer to what one of the references points to. */
  readonly siblings?: {
    readonly of: string
    readonly object: string
    /** The reference of the other object. */
    readonly reference: string
    readonly fields: readonly string[]
  }
  /**
   * Sets what follows. Pure: it has nothing but the record.
   * @throws ApiError to refuse the record
   */
  readonly derive: (record: DerivedRecord) => void
}
