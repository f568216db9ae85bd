import { type SecretBox, WrongSecretKey } from '../auth/keys/secret-box.ts'
import { FORM_1, isEncrypted } from '../schema/fields/encrypted-value.sql.ts'
import type { Org } from '../storage/orgs/org.ts'

const PURPOSE = 'field values'

/** Encrypts and decrypts the values of encrypted fields of an org. */
export class ValueCipher {
  readonly #box: SecretBox

  constructor(secrets: SecretBox, org: Org) {
    this.#box = secrets.boxFor(PURPOSE, org.id)
  }

  /** @param location table, column and record of the value; it cannot be decrypted in another one */
  seal(text: string, location: string): string {
    return FORM_1 + this.#box.seal(text, location)
  }

  /**
   * Decrypts a value; returns a value that was stored before encryption existed unchanged.
   * @throws WrongSecretKey when it was encrypted with another key or for another location, or was modified
   */
  open(stored: string, location: string): string {
    if (!isEncrypted(stored)) return stored
    if (!stored.startsWith(FORM_1)) throw new WrongSecretKey()
    return this.#box.open(stored.slice(FORM_1.length), location)
  }
}
