/** How another object keeps what the records of an object were, a record for each state. Names are API names. */
export interface KeptStates {
  /** The object that keeps them. */
  readonly object: string
  /** Its reference to the record. */
  readonly reference: string
  /** Fields whose change makes a new state. Both objects have them. */
  readonly when: readonly string[]
  /** Fields that a state has, too. */
  readonly more: readonly string[]
  /** By field of the state, the field whose value of the state before it has. */
  readonly previous: Readonly<Record<string, string>>
}
