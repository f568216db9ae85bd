/** A record that is to be written. */
export interface Draft {
  readonly attributes: { readonly type: string }
}

/** The same with the id that the org gave it. */
export type Saved<D extends Draft> = D & { readonly Id: string }

/** A change of a record that is written. */
export type Changed = Draft & { readonly Id: string }

export const draft = <Fields extends object>(type: string, fields: Fields): Draft & Fields => ({
  attributes: { type },
  ...fields,
})
