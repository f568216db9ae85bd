/** A single name as typed: object, alias, relationship, scope, category. (contract/soql 1.9) */
export interface Name {
  readonly kind: 'name'
  readonly text: string
  readonly at: number
}

/** `Name`, `Account.Name`, `c.Account.Name`: at least one segment, each as typed. (contract/soql 3.1, 3.2) */
export interface FieldPath {
  readonly kind: 'path'
  readonly segments: readonly string[]
  readonly at: number
}
