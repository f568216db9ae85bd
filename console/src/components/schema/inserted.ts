/** A choice in the schema, as text to insert. */
export type Inserted =
  | { readonly kind: 'object' | 'field' | 'value'; readonly text: string }
  | { readonly kind: 'children'; readonly text: string; readonly relationship: string }

export type OnInsert = (inserted: Inserted) => void
