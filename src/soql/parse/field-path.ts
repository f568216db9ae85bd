/** A single name as typed: object, alias, relationship, scope, category. (docs/reference/api/queries.md#names) */
export interface Name {
  readonly kind: 'name'
  readonly text: string
  readonly at: number
}

/** `Name`, `Account.Name`, `c.Account.Name`: at least one segment, each as typed. (docs/reference/api/queries.md#fields, docs/reference/api/queries.md#parents) */
export interface FieldPath {
  readonly kind: 'path'
  readonly segments: readonly string[]
  readonly at: number
}
