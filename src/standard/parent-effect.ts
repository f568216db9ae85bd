/** What a parent's field has of its children that are not deleted. Names are API names of the children's fields. */
export interface ChildAggregate {
  readonly function: 'sum' | 'count' | 'any'
  /** Added up, or counted where it has a value; absent: children are counted. */
  readonly of?: string
  /** A boolean field: only children in which it is true. */
  readonly where?: string
}

/** What a write of a record changes in the record that one of its references points to. */
export interface ParentEffect {
  readonly reference: string
  /** API name of the parent's object. */
  readonly parent: string
  /** Fields whose change calls for it, beside the reference. */
  readonly from: readonly string[]
  /** By API name of the parent's field. */
  readonly sets: Readonly<Record<string, ChildAggregate>>
  /**
   * `change`: the caller changes the parent, so that what it derives, its triggers and its rules see it. `quiet`: only these
   * fields and SystemModstamp change.
   */
  readonly kind: 'change' | 'quiet'
}
