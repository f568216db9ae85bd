/* What the files that sf imports are made of. */

export interface Fields {
  readonly [name: string]: unknown
}

/** A record of a file to be imported. */
const entry = (type: string, referenceId: string, fields: Fields) => ({
  attributes: { type, referenceId },
  ...fields,
})
export const account = (referenceId: string, fields: Fields) => entry('Account', referenceId, fields)
export const contact = (referenceId: string, fields: Fields) => entry('Contact', referenceId, fields)

/** A family in one file: the records below stand in the record above. */
export const family = (name: string, child: Fields) => ({
  records: [
    account('AccountRef1', {
      Name: name,
      Contacts: { records: [contact('ContactRef1', child)] },
    }),
  ],
})
