import type { RowCondition } from '../../schema/fields/field.ts'

/** Value of a parent's field that follows from its live children. Names are API names of the children's fields. */
export interface ChildAggregate {
  readonly function: 'sum' | 'count' | 'any' | 'latest' | 'min' | 'max'
  /** Added up, or counted where it has a value; absent: children are counted. Of `latest` a day. */
  readonly of?: string
  /** A boolean field: only children in which it is true. */
  readonly where?: string
  /** Only children for which it is true. */
  readonly filter?: RowCondition
  /** Of `latest`: records of another object count as well, which refer to the parent by a field of the same name. */
  readonly also?: { readonly object: string; readonly of: string; readonly where?: string }
}

/** Effect of a write on the record that one of its references points to. */
export interface ParentEffect {
  readonly reference: string
  /** API name of the parent's object. */
  readonly parent: string
  /**
   * A reference of the parent that never changes: what it points to is locked before the parent, because writes of its other
   * children lead to this object. Where `back` of that points to the parent, it is changed as well, so what this changes in turn is
   * locked before it.
   */
  readonly under?: { readonly reference: string; readonly object: string; readonly back: string }
  /** Fields whose change calls for it, beside the reference. */
  readonly from: readonly string[]
  /** By API name of the parent's field. */
  readonly sets: Readonly<Record<string, ChildAggregate>>
  /**
   * `change`: the caller changes the parent, so that what it derives, its triggers and its rules see it. `quiet`: only these
   * fields and SystemModstamp change. `latest`: so too, and new records only raise the one field, which no other record is read
   * for; its parents may follow from other fields, so they are locked after the children are written.
   */
  readonly kind: 'change' | 'quiet' | 'latest'
  /** After the after-triggers of the children, as roll-ups are; else before. */
  readonly isAfterTriggers?: boolean
}
