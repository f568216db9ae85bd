import { type SecretBox, WrongSecretKey } from '../auth/keys/secret-box.ts'
import { FORM_1, isEncrypted } from '../schema/fields/encrypted-value.sql.ts'
import type { Org } from '../storage/orgs/org.ts'

const PURPOSE = 'field values'

/** Encrypts the values of an org's records that are never stored as they are. */
export class ValueCipher {
  readonly #box: SecretBox

  constructor(secrets: SecretBox, org: Org) {
    this.#box = secrets.boxFor(PURPOSE, org.id)
  }

  /** @param place the table, the column and the record that the value stands in: in another one it does not open */
  seal(text: string, location: string): string {
    return FORM_1 + this.#box.seal(text, location)
  }

  /**
   * The value, whether it is encrypted or was stored before values were.
   * @throws WrongSecretKey when it was encrypted with another key, for another place, or changed
   */
  open(stored: string, location: string): string {
    if (!isEncrypted(stored)) return stored
    if (!stored.startsWith(FORM_1)) throw new WrongSecretKey()
    return this.#box.open(stored.slice(FORM_1.length), location)
  }
}
